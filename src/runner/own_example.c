#include <tuibench/work.h>

/* For each number up to size, counts the steps until it has reached 1 (Collatz). */
static int run(struct tuibench_worker *worker)
{
	for (uint64_t i = 1; i <= worker->size; i++) {
		for (uint64_t n = i; n > 1; n = n % 2 ? 3 * n + 1 : n / 2)
			worker->result++;
		tuibench_tick(worker);
	}
	return 0;
}

const struct tuibench_work tuibench_work = {
	.abi = TUIBENCH_WORK_ABI,
	.name = "collatz",
	.unit = "numbers",
	.size = 500000,
	.run = run,
};
