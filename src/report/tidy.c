/* SPDX-License-Identifier: MIT */
#include "report/tidy.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

static void tidy_comma(struct tidy *tidy)
{
	if (tidy->inside)
		fputc(',', tidy->out);
	tidy->inside = true;
}

void tidy_text(struct tidy *tidy, const char *text)
{
	bool quoted = strpbrk(text, ",\"") != NULL;
	char utf8[UTF8_BYTES];
	uint32_t character;

	tidy_comma(tidy);
	if (quoted)
		fputc('"', tidy->out);
	while ((character = utf8_next_printable(&text)) != 0)
		fputs(character == '"' ? "\"\"" : utf8_encode(character, utf8), tidy->out);
	if (quoted)
		fputc('"', tidy->out);
}

void tidy_number(struct tidy *tidy, int64_t value)
{
	tidy_comma(tidy);
	if (value >= 0)
		fprintf(tidy->out, "%" PRId64, value);
}

/* By whole numbers: the decimal point of %f depends on the locale. */
void tidy_decimal(struct tidy *tidy, int64_t value, int decimals)
{
	int64_t scale = 1;

	for (int i = 0; i < decimals; i++)
		scale *= 10;
	tidy_number(tidy, value < 0 ? -1 : value / scale);
	if (value >= 0 && decimals > 0)
		fprintf(tidy->out, ".%0*" PRId64, decimals, value % scale);
}

void tidy_end(struct tidy *tidy)
{
	fputc('\n', tidy->out);
	tidy->inside = false;
}

const struct model_run *tidy_next_run(const struct model *model, const struct model_run *run)
{
	const struct model_run *end = model->runs + model->n_runs;

	for (run = run ? run + 1 : model->runs; run < end; run++) {
		if (run->id.trial > 0 && run->begin_ns <= model->now_ns)
			return run;
	}
	return NULL;
}

void tidy_run(struct tidy *tidy, const struct model *model, const struct model_run *run)
{
	tidy_number(tidy, run->id.trial);
	tidy_text(tidy, MODEL_CASE_NAME(model, run->id.icase));
}
