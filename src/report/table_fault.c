/* SPDX-License-Identifier: MIT */
#include "base/error_line.h"
#include "base/units.h"
#include "model/model_fault.h"
#include "table_add.h"

/* The table of who survived one worker's fault. */

/* "lock, shared memory, file": what tells the models apart comes first, as a row may be cut. */
static void add_left(const struct model_fault *fault, struct table *table)
{
	char text[64] = "";
	struct sentence left = {text, sizeof(text), 0};

	for (int i = FAULT_LEFTS - 1; i >= 0; i--)
		if (fault->left & 1u << i)
			sentence_add(&left, "%s%s", left.used ? ", " : "",
				     fault_left_name((unsigned)i));
	table_add_words(table, "%s", fault->trials == 0 ? "?" : left.used ? text : "nothing");
}

/* "3 of 4", "2 to 3 of 4" */
static void add_share(struct table *table, const struct model_fault *fault, int64_t least,
		      int64_t most)
{
	if (fault->trials == 0 || least < 0)
		table_add_words(table, "?");
	else if (least == most)
		table_add_words(table, "%lld of %u", (long long)least, fault->workers);
	else
		table_add_words(table, "%lld to %lld of %u", (long long)least, (long long)most,
				fault->workers);
}

/* A creator that ended with it, or waits for ever, learns nothing. */
static void add_told(const struct model_fault *fault, struct table *table)
{
	if (fault->trials == 0)
		table_add_words(table, "?");
	else if (fault->told == 0)
		table_add_words(table, fault->kind == FAULT_HANG      ? "never: it waits for ever"
				       : fault->kind == FAULT_OVERRUN ? "never: it ended as usual"
								      : "never: it ended too");
	else
		table_add_words(table, "%s, at most %s", UNITS_TIME((int64_t)fault->told_ns, false),
				UNITS_TIME((int64_t)fault->told_most_ns, false));
}

void table_faults(const struct model *model, struct table *table)
{
	enum fault_kind kind = FAULT_NONE;
	struct model_fault fault;

	for (uint32_t i = 0; i < model->n_cases && model_has_faults(model); i++) {
		table_fail(table, model_fault_read(model, i, &fault));
		kind = fault.trials > 0 ? fault.kind : kind;
		table_add_case(table, model, i);
		add_share(table, &fault, fault.least, fault.most);
		add_share(table, &fault, fault.wrong_least, fault.wrong_most);
		add_share(table, &fault, fault.lost_least, fault.lost_most);
		add_told(&fault, table);
		add_left(&fault, table);
		table_add_words(table, "%u", fault.trials);
	}
	if (table->n_cells > 0 && kind == FAULT_OVERRUN)
		table_note(table,
			   "The worker wrote past its own memory, over its neighbour's where they "
			   "share it, and went on: nobody ended. Only who looks at its own memory "
			   "at its end finds that the result is wrong.");
	else if (table->n_cells > 0)
		table_note(
			table,
			"Its creator waits for its tasks one after the other, the last first, and "
			"learns of a death when it comes to that one. A lock is left where others "
			"that share it live on.");
}
