/* SPDX-License-Identifier: MIT */
#include "result/machines.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/names.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/fields.h"
#include "result/answer.h"
#include "result/report.h"
#include "stats/stats.h"

/* A value whose modified z-score is above this is an outlier, as proposed by Iglewicz & Hoaglin. */
#define OUTLIER 3.5
/* Largest ratio in plots; the smallest is its inverse. */
#define FAR 1000.0

/*
 * NAMED_MOST: largest number of names in a sentence. QUIET_S: after this many seconds without
 * growth, a recording without an end counts as interrupted.
 */
enum { NAMED_MOST = 8, QUIET_S = 30 };

const char *const machines_order_names[MACHINES_ORDERS] = {"ratio", "cpu", "cores", "arrival"};

static void free_recording(struct machines_recording *recording)
{
	free(recording->path);
	free(recording->values);
	free(recording->faults);
}

void machines_free(struct machines *machines)
{
	for (size_t i = 0; i < machines->n; i++)
		free_recording(&machines->list[i]);
	free(machines->list);
	free(machines->questions);
	free(machines->expected);
	free(machines->keys);
	free(machines->experiments);
	*machines = (struct machines) {.list = NULL};
}

/*
 * Compares the row's case with its reference in a metric. Returns 1 if there is an estimate, 0 if
 * not, or -ENOMEM.
 */
static int read_value(struct machines *machines, const struct model *model,
		      const struct answer_row *row, enum model_metric metric, bool real,
		      struct machines_value *value)
{
	struct machines_question question = {.metric = metric};
	struct model_comparison comparison;
	double *ratios = NULL;
	size_t n = 0, at;
	int err = model_compare(model, row->reference, row->case_id, metric, &comparison);

	if (!err)
		err = model_ratios(model, &comparison, &ratios, &n);
	if (!err)
		for (size_t i = 0; i < n; i++)
			ratios[i] = -log(ratios[i]); /* The ratios are a / b. */
	if (!err)
		err = pooled_machine(ratios, n, &value->estimate, &value->variance);
	free(ratios);
	if (err) {
		if (err == -ENOMEM)
			return err;
		return 0;
	}
	snprintf(question.experiment, sizeof(question.experiment), "%s", model->session.experiment);
	model_case_name(model, row->reference, question.a, sizeof(question.a));
	model_case_name(model, row->case_id, question.b, sizeof(question.b));
	question.a_model = strlen(model->cases[row->reference].model);
	question.b_model = strlen(model->cases[row->case_id].model);
	question.values[0] = model->cases[row->reference].variables;
	question.values[1] = model->cases[row->case_id].variables;
	for (at = 0; at < machines->n_questions; at++) {
		const struct machines_question *known = &machines->questions[at];

		if (known->metric == metric &&
		    strcmp(known->experiment, question.experiment) == 0 &&
		    strcmp(known->a, question.a) == 0 && strcmp(known->b, question.b) == 0 &&
		    variables_equal(&known->values[0], &question.values[0]) &&
		    variables_equal(&known->values[1], &question.values[1]))
			break;
	}
	if (!array_grow(&machines->questions, machines->n_questions, &machines->cap_questions,
			sizeof(*machines->questions)))
		return -ENOMEM;
	if (at == machines->n_questions)
		machines->questions[machines->n_questions++] = question;
	value->question = (uint32_t)at;
	value->pairs = (uint32_t)n;
	value->real = real;
	return 1;
}

static int read_values(struct machines *machines, const struct model *model,
		       struct machines_recording *recording)
{
	struct answer answer;
	int err = answer_read(&answer, model);

	recording->values =
		calloc((size_t)answer.n_metrics * answer.n_rows + 1, sizeof(*recording->values));
	if (!recording->values)
		err = -ENOMEM;
	for (uint32_t metric = 0; metric < answer.n_metrics; metric++) {
		if (err < 0)
			break;
		for (uint32_t i = 0; i < answer.n_rows; i++) {
			const struct answer_row *row = &answer.rows[i];

			if (err < 0)
				break;
			if (row->reference == row->case_id)
				continue;
			err = read_value(machines, model, row, answer.metrics[metric],
					 row->cells[metric].state == ANSWER_REAL,
					 &recording->values[recording->n_values]);
			recording->n_values += err > 0;
		}
	}
	answer_free(&answer);
	return MIN(err, 0);
}

static int read_faults(const struct model *model, struct machines_recording *recording)
{
	int err = 0;

	recording->faults = calloc(model->n_cases + 1, sizeof(*recording->faults));
	if (!recording->faults)
		return -ENOMEM;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		struct machines_fault *to = &recording->faults[recording->n_faults];
		struct model_fault fault;

		if (err)
			break;
		err = model_fault_read(model, i, &fault);
		if (err || fault.trials == 0)
			continue;
		snprintf(to->name, sizeof(to->name), "%s after %s", MODEL_CASE_NAME(model, i),
			 names_at(fault_names, FAULT_KINDS, fault.kind));
		to->workers = fault.workers;
		to->least = fault.least;
		to->most = fault.most;
		recording->n_faults++;
	}
	return err;
}

static void read_machine(const struct model *model, struct machines_recording *recording)
{
	const struct sample_session *session = &model->session;
	const struct machine *machine = &session->machine;
	const char *name = machine->label;

	if (!*name)
		name = machine->host;
	if (!*name)
		name = machine->id;
	if (!*name)
		name = basename(recording->path);
	recording->done = model->done;
	recording->machine = *machine;
	snprintf(recording->name, sizeof(recording->name), "%s", name);
	snprintf(recording->experiment, sizeof(recording->experiment), "%s", session->experiment);
	snprintf(recording->title, sizeof(recording->title), "%s", session->title);
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (!model_ended(model, run))
			continue;
		recording->runs++;
		/* Skip a run that the user stopped or made crash, because it has not failed. */
		if (run->totals.status == SAMPLE_OK || run->totals.status == SAMPLE_INTERRUPTED ||
		    model_has_faults(model))
			continue;
		if (recording->failed++ == 0)
			snprintf(recording->failure, sizeof(recording->failure), "%s",
				 sentence_text(run->totals.reason,
					       sample_status_name(run->totals.status)));
	}
}

/* The file name of a path, without its suffix. Returns its length. */
static int file_stem(const char *path, const char **file)
{
	const char *end;

	*file = basename(path);
	end = strrchr(*file, '.');
	if (end)
		return (int)(end - *file);
	return (int)strlen(*file);
}

/*
 * Names a recording by its file, because machines that were installed from one image have the same
 * host name.
 */
static void name_by_file(struct machines_recording *recording)
{
	const char *label = recording->machine.label, *file;
	const int n = file_stem(recording->path, &file);

	if (*label)
		snprintf(recording->name, sizeof(recording->name), "%.60s (%.*s)", label,
			 MIN(n, 60), file);
	else
		snprintf(recording->name, sizeof(recording->name), "%.*s", n, file);
	utf8_trim(recording->name);
	utf8_mask(recording->name);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return (hash ^ 0xff) * 0x100000001b3u;
}

/* Updates the numbers of machines and experiments with the recordings from number `from` on. */
static int count_recordings(struct machines *machines, size_t from)
{
	if (from == 0) {
		machines->n_machines = 0;
		machines->n_experiments = 0;
	}
	for (size_t i = from; i < machines->n; i++) {
		struct machines_recording *recording = &machines->list[i];
		const struct machine *machine = &recording->machine;
		const struct machines_key *keys = machines->keys;
		size_t before = 0, at;

		if (*recording->why)
			continue;
		/*
		 * Compare the keys first, because the keys of 10,000 recordings fit into the
		 * processor's cache and the recordings do not. Old recordings have no machine ID.
		 * Their machines are the same if name (a part of the key), processor and number of
		 * cores are equal.
		 */
		for (; before < i; before++) {
			const struct machine *other = &machines->list[before].machine;

			if (keys[before].machine == keys[i].machine &&
			    !*machines->list[before].why && strcmp(other->id, machine->id) == 0 &&
			    (*machine->id || (strcmp(other->cpu, machine->cpu) == 0 &&
					      other->cores_online == machine->cores_online)))
				break;
		}
		if (before < i)
			recording->number = machines->list[before].number;
		else
			recording->number = machines->n_machines++;
		for (size_t k = 0; k < i; k++)
			if (keys[k].name == keys[i].name && !*machines->list[k].why &&
			    machines->list[k].number != recording->number) {
				name_by_file(&machines->list[k]);
				name_by_file(recording);
			}
		for (at = 0; at < machines->n_experiments;) {
			if (strcmp(machines->experiments[at].name, recording->experiment) == 0)
				break;
			at++;
		}
		if (!array_grow(&machines->experiments, machines->n_experiments,
				&machines->cap_experiments, sizeof(*machines->experiments)))
			return -ENOMEM;
		if (at == machines->n_experiments) {
			machines->experiments[machines->n_experiments++] =
				(struct machines_experiment) {.first = i};
			snprintf(machines->experiments[at].name, SAMPLE_LABEL, "%s",
				 recording->experiment);
		}
		machines->experiments[at].n++;
	}
	return 0;
}

/*
 * Marks an expected machine as reported if its name is that of the recording's machine, or the
 * file's name without suffix.
 */
static void mark_reported(struct machines *machines, const struct machines_recording *recording)
{
	const struct machine *machine = &recording->machine;
	const char *file;
	const size_t n = (size_t)file_stem(recording->path, &file);

	for (size_t i = 0; i < machines->n_expected; i++) {
		const char *name = machines->expected[i].name;

		machines->expected[i].reported |=
			strcmp(name, sentence_text(machine->label, machine->host)) == 0 ||
			(strncmp(name, file, n) == 0 && name[n] == '\0');
	}
}

int machines_expect(struct machines *machines, FILE *names)
{
	char line[MACHINE_TEXT + SAMPLE_TEXT];

	machines->n_expected = 0;
	while (fgets(line, sizeof(line), names)) {
		const char *why = "";
		char *colon;
		size_t at = 0;

		line[strcspn(line, "#\r\n")] = '\0';
		colon = strstr(line, ": ");
		if (colon) {
			*colon = '\0';
			why = colon + 2;
		}
		for (size_t n = strlen(line); n > 0; n--) {
			if (line[n - 1] != ' ')
				break;
			line[n - 1] = '\0';
		}
		utf8_mask(line);
		if (!*line)
			continue;
		while (at < machines->n_expected && strcmp(machines->expected[at].name, line) != 0)
			at++;
		if (!array_grow(&machines->expected, machines->n_expected, &machines->cap_expected,
				sizeof(*machines->expected)))
			return -ENOMEM;
		if (at == machines->n_expected) {
			machines->expected[machines->n_expected++] =
				(struct machines_expected) {.reported = false};
			snprintf(machines->expected[at].name, MACHINE_TEXT, "%s", line);
		}
		snprintf(machines->expected[at].why, SAMPLE_TEXT, "%s", why);
		utf8_mask(machines->expected[at].why);
	}
	for (size_t i = 0; i < machines->n; i++)
		mark_reported(machines, &machines->list[i]);
	return 0;
}

int machines_add(struct machines *machines, const char *path, int64_t written_s,
		 const struct model *model, const char *why)
{
	struct machines_recording made = {.path = strdup(path), .written_s = written_s};
	struct machines_key key;
	size_t at = 0;
	bool known;
	int err = 0;

	if (!made.path)
		err = -ENOMEM;
	if (!model)
		snprintf(made.why, sizeof(made.why), "%s", why);
	if (!err && model) {
		read_machine(model, &made);
		if (model_has_faults(model))
			err = read_faults(model, &made);
		else
			err = read_values(machines, model, &made);
		if (!err && made.n_values == 0 && made.n_faults == 0) {
			if (model->done)
				strcpy(made.why, "no two models have two pairs of trials");
			else
				strcpy(made.why, "no two pairs of trials yet");
		}
	}
	key = (struct machines_key) {
		hash_text(0, path),
		hash_text(hash_text(1, made.name), made.machine.cpu),
		hash_text(0, made.name),
	};
	if (*made.machine.id)
		key.machine = hash_text(0, made.machine.id);
	while (at < machines->n &&
	       (machines->keys[at].path != key.path || strcmp(machines->list[at].path, path) != 0))
		at++;
	if (err || !array_grow(&machines->keys, machines->n, &machines->cap_keys, sizeof(key)) ||
	    !array_grow(&machines->list, machines->n, &machines->cap, sizeof(made))) {
		free_recording(&made);
		return -ENOMEM;
	}
	mark_reported(machines, &made);
	known = at < machines->n;
	if (known)
		free_recording(&machines->list[at]);
	machines->n += !known;
	machines->keys[at] = key;
	machines->list[at] = made;
	if (known)
		at = 0;
	return count_recordings(machines, at);
}

const struct machines_recording *machines_main(const struct machines *machines)
{
	const struct machines_experiment *found = NULL;

	for (size_t i = 0; i < machines->n_experiments; i++)
		if (!found || machines->experiments[i].n > found->n)
			found = &machines->experiments[i];
	if (found)
		return &machines->list[found->first];
	return NULL;
}

const char *machines_left_out(const struct machines_recording *common,
			      const struct machines_recording *recording)
{
	if (*recording->why || !common)
		return recording->why;
	if (strcmp(recording->experiment, common->experiment))
		return "another experiment";
	return "";
}

static const struct machines_value *find_value(const struct machines_recording *recording,
					       size_t question)
{
	for (uint32_t i = 0; i < recording->n_values; i++) {
		if (*recording->why)
			break;
		if (recording->values[i].question == question)
			return &recording->values[i];
	}
	return NULL;
}

/* Caches a quantile, because most machines have the same number of pairs. */
struct quantile {
	size_t degrees;
	double value;
};

/* Converts a logarithm of a ratio and the ends of its interval to ratios. */
static struct stats_interval exp_of(double estimate, double low, double high)
{
	return (struct stats_interval) {exp(estimate), exp(low), exp(high)};
}

/*
 * Merges the recordings of a machine into a row, because they are not independent. They are pooled
 * in the same way as machines. Returns false if no recording of the machine answers the question.
 */
static bool collapse(struct machines_row *row, const struct machines *machines, size_t question,
		     size_t first, const size_t *next, double *scratch, struct quantile *student)
{
	double *y = scratch, *v = scratch + machines->n;
	struct pooled pooled;
	double reach;
	size_t n = 0;

	*row = (struct machines_row) {.real = false};
	for (size_t i = first; i < machines->n; i = next[i]) {
		const struct machines_recording *recording = &machines->list[i];
		const struct machines_value *value = find_value(recording, question);

		if (!value)
			continue;
		if (!row->recording)
			row->recording = recording;
		row->real = value->real;
		row->pairs += value->pairs;
		y[n] = value->estimate;
		v[n++] = value->variance;
	}
	row->recordings = (uint32_t)n;
	if (n == 0)
		return false;
	row->estimate = y[0];
	row->variance = v[0];
	if (n > 1 && pooled_estimates(y, v, n, POOLED_ROBUST, &pooled) == 0) {
		row->estimate = pooled.mean;
		row->variance = 1 / pooled.weights;
	}
	if (student->degrees != row->pairs - 1)
		*student = (struct quantile) {row->pairs - 1, pooled_student(row->pairs - 1, 0.05)};
	reach = student->value * sqrt(row->variance);
	row->ratio = exp_of(row->estimate, row->estimate - reach, row->estimate + reach);
	if (n > 1)
		row->real = row->ratio.low > 1 || row->ratio.high < 1;
	return true;
}

/* Sorts by group, then by the chosen order, then by ratio. */
static int compare_rows(const void *left, const void *right, void *order_of)
{
	const struct machines_row *a = left, *b = right;
	const struct machine *x = &a->recording->machine, *y = &b->recording->machine;
	const enum machines_order by = *(enum machines_order *)order_of;
	int order = (a->group > b->group) - (a->group < b->group);

	if (!order && by == MACHINES_BY_CPU)
		order = strcmp(x->cpu, y->cpu);
	if (!order && by == MACHINES_BY_CORES)
		order = x->cores_allowed - y->cores_allowed;
	if (!order && by == MACHINES_BY_ARRIVAL)
		order = (a->recording->written_s > b->recording->written_s) -
			(a->recording->written_s < b->recording->written_s);
	if (order)
		return order;
	return (a->ratio.estimate > b->ratio.estimate) - (a->ratio.estimate < b->ratio.estimate);
}

static int pool_rows(struct machines_answer *answer, double *scratch)
{
	double *y = scratch, *v = scratch + answer->n;
	struct stats_spread spread;
	struct pooled pooled;
	int err;

	for (size_t i = 0; i < answer->n; i++) {
		const struct machines_row *row = &answer->rows[i];

		y[i] = row->estimate;
		v[i] = row->variance;
		answer->a_less += row->estimate > 0;
		answer->b_less += row->estimate < 0;
		answer->a_real += row->real && row->estimate > 0;
		answer->b_real += row->real && row->estimate < 0;
	}
	err = pooled_estimates(y, v, answer->n, POOLED_ROBUST, &pooled);
	if (err)
		return err;
	answer->ratio = exp_of(pooled.mean, pooled.low, pooled.high);
	answer->another = exp_of(NAN, pooled.from, pooled.to);
	answer->tau2 = pooled.tau2;
	answer->i2 = pooled.i2;
	for (size_t i = 0; i < answer->n; i++)
		answer->rows[i].weight = 1 / (v[i] + pooled.tau2) / pooled.weights;
	spread = stats_spread(y, answer->n);
	for (size_t i = 0; i < answer->n; i++) {
		struct machines_row *row = &answer->rows[i];
		double away = fabs(row->estimate - spread.median);

		row->outlier = answer->n >= 5 && away > 2 * sqrt(row->variance) &&
			       stats_modified_z(&spread, spread.median + away) > OUTLIER;
	}
	return 0;
}

/*
 * Fields that may group the machines of an answer, the most useful first. Measured values, and
 * fields that differ on each machine, are left out.
 */
static const struct field machines_fields[] = {
	FIELD("cpu", machine, cpu),
	FIELD("cores_allowed", machine, cores_allowed),
	FIELD("kernel", machine, kernel),
	FIELD("distribution", machine, distribution),
	FIELD("memory_kb", machine, memory_kb),
	FIELD("cores_online", machine, cores_online),
	FIELD("cpu_quota", machine, cpu_quota),
	FIELD("governor", machine, governor),
	FIELD("virtualization", machine, virtualization),
	FIELD("smt", machine, smt),
	FIELD("mitigations", machine, mitigations),
	FIELD("caches", machine, caches),
	FIELD("hugepages", machine, hugepages),
	FIELD("filesystem", machine, filesystem),
	FIELD("libc", machine, libc),
	FIELD("arch", machine, arch),
	FIELD("cpus_allowed", machine, cpus_allowed),
	FIELD("page_kb", machine, page_kb),
	FIELD("memory_limit_kb", machine, memory_limit_kb),
	FIELD("performance_cores", machine, performance_cores),
	FIELD("efficiency_cores", machine, efficiency_cores),
	FIELD("clock_ticks", machine, clock_ticks),
	FIELD("frequency_source", machine, frequency_source),
};
enum { FIELDS = LENGTH(machines_fields) };

const struct field *machines_field(const char *name)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (strcmp(machines_fields[i].name, name) == 0)
			return &machines_fields[i];
	return NULL;
}

char *machines_field_names(char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);

	for (size_t i = 0; i < FIELDS; i++)
		sentence_join(&s, ", ", "%s", machines_fields[i].name);
	return buf;
}

/*
 * Reads a machine's value of a field. Returns a number to sort by; NaN for text, which is sorted as
 * text.
 */
static double read_field(const struct field *field, const struct machines_recording *recording,
			 char *buf, size_t size)
{
	const char *at = (const char *)&recording->machine + field->offset;
	double number;

	if (field->type == FIELD_TEXT) {
		snprintf(buf, size, "%s", sentence_text(at, "unknown"));
		return NAN;
	}
	if (field->type == FIELD_DOUBLE)
		number = *(const double *)(const void *)at;
	else
		number = fields_number(field, &recording->machine);
	if (!(number >= 0) && field->type == FIELD_DOUBLE)
		snprintf(buf, size, "none");
	else if (!(number >= 0))
		snprintf(buf, size, "unknown");
	else if (strstr(field->name, "_kb"))
		units_format_kib(buf, size, (int64_t)number);
	else
		snprintf(buf, size, "%g", number);
	return number;
}

static int by_name(const void *left, const void *right)
{
	const struct machines_group *a = left, *b = right;

	if (a->number < b->number || a->number > b->number) {
		if (a->number < b->number)
			return -1;
		return 1;
	}
	return strcmp(a->name, b->name);
}

const struct field *machines_next_field(const struct machines *machines, const struct field *before)
{
	const struct field *field = machines_fields;

	if (before)
		field = before + 1;
	for (; field < machines_fields + FIELDS; field++) {
		char first[MACHINE_TEXT * 2] = "", other[MACHINE_TEXT * 2];

		for (size_t k = 0; k < machines->n; k++) {
			if (*machines->list[k].why)
				continue;
			read_field(field, &machines->list[k], other, sizeof(other));
			if (*first && strcmp(first, other) != 0)
				return field;
			memcpy(first, other, sizeof(first));
		}
	}
	return NULL;
}

/*
 * Makes the groups of the rows in ascending order, and sets each row's group. Returns 0 or -ENOMEM.
 */
static int find_groups(struct machines_answer *answer, const struct field *field)
{
	struct machines_group made = {.n = 0};
	size_t cap = 0;

	for (size_t i = 0, at; i < answer->n; i++) {
		made.number =
			read_field(field, answer->rows[i].recording, made.name, sizeof(made.name));
		for (at = 0; at < answer->n_groups;) {
			if (!strcmp(answer->groups[at].name, made.name))
				break;
			at++;
		}
		if (!array_grow(&answer->groups, answer->n_groups, &cap, sizeof(made)))
			return -ENOMEM;
		if (at == answer->n_groups)
			answer->groups[answer->n_groups++] = made;
	}
	qsort(answer->groups, answer->n_groups, sizeof(*answer->groups), by_name);
	for (size_t i = 0; i < answer->n; i++) {
		struct machines_row *row = &answer->rows[i];

		read_field(field, row->recording, made.name, sizeof(made.name));
		while (strcmp(answer->groups[row->group].name, made.name) != 0)
			row->group++;
		answer->groups[row->group].n++;
	}
	return 0;
}

/*
 * Pools each group; rows must be sorted. y and v are scratch space for one value per row. Returns 0
 * or -EDOM.
 */
static int pool_groups(struct machines_answer *answer, double *y, double *v)
{
	size_t first = 0;

	for (size_t g = 0; g < answer->n_groups; g++) {
		struct machines_group *group = &answer->groups[g];
		const struct machines_row *row = &answer->rows[first];
		struct pooled pooled;
		int err;

		group->first = first;
		first += group->n;
		for (size_t i = 0; i < group->n; i++) {
			group->weight += row[i].weight;
			y[i] = row[i].estimate;
			v[i] = row[i].variance;
		}
		group->ratio = row->ratio;
		if (group->n < 2)
			continue;
		err = pooled_estimates(y, v, group->n, POOLED_ROBUST, &pooled);
		if (err)
			return err;
		group->ratio = exp_of(pooled.mean, pooled.low, pooled.high);
	}
	return 0;
}

/*
 * Chooses the ends of the axis. The axis covers the pooled answer and most machines. Machines that
 * are far away are drawn at its edge.
 */
static void choose_axis(struct machines_answer *answer)
{
	double least = fmin(log(answer->another.low), -0.02);
	double most = fmax(log(answer->another.high), 0.02);
	double ends = 0, reach;

	for (size_t i = 0; i < answer->n; i++) {
		const struct machines_row *row = &answer->rows[i];

		if (row->outlier)
			continue;
		least = fmin(least, row->estimate);
		most = fmax(most, row->estimate);
		ends += fmax(fabs(log(row->ratio.low)), fabs(log(row->ratio.high))) /
			(double)answer->n;
	}
	/*
	 * With intervals, the axis extends equally to both sides of 1. Densities need no symmetry.
	 */
	reach = fmax(fmax(-least, most), ends);
	if (answer->n <= MACHINES_DENSE)
		least = -reach, most = reach;
	answer->low = exp(fmax(least * 1.1, -log(FAR)));
	answer->high = exp(fmin(most * 1.1, log(FAR)));
}

static int pool_machines(const struct machines *machines, size_t question,
			 enum machines_order order, struct machines_answer *answer)
{
	double *scratch = calloc(2 * machines->n + 1, sizeof(*scratch));
	size_t *next = calloc(machines->n + 1, sizeof(*next));
	size_t *first = calloc(machines->n_machines + 1, sizeof(*first));
	struct quantile student = {.degrees = 0};
	int err = 0;

	answer->question = &machines->questions[question];
	answer->rows = calloc(machines->n_machines + 1, sizeof(*answer->rows));
	if (!scratch || !next || !first || !answer->rows)
		err = -ENOMEM;
	/* Links the recordings of each machine in order of arrival. */
	if (!err)
		for (size_t i = 0; i < machines->n_machines; i++)
			first[i] = machines->n;
	if (!err)
		for (size_t i = machines->n; i-- > 0;) {
			if (*machines->list[i].why)
				continue;
			next[i] = first[machines->list[i].number];
			first[machines->list[i].number] = i;
		}
	if (!err)
		for (size_t i = 0; i < machines->n_machines; i++)
			answer->n += collapse(&answer->rows[answer->n], machines, question,
					      first[i], next, scratch, &student);
	if (!err)
		err = pool_rows(answer, scratch);
	if (!err && machines->group)
		err = find_groups(answer, machines->group);
	if (!err)
		qsort_r(answer->rows, answer->n, sizeof(*answer->rows), compare_rows, &order);
	if (!err)
		err = pool_groups(answer, scratch, scratch + machines->n);
	if (!err)
		choose_axis(answer);
	free(scratch);
	free(next);
	free(first);
	return err;
}

bool machines_answer(const struct machines *machines, size_t i, enum machines_order order,
		     struct machines_answer *answer, int *err)
{
	const struct machines_recording *common = machines_main(machines);
	bool *seen = calloc(machines->n_machines + 1, sizeof(*seen)), found = false;

	*answer = (struct machines_answer) {.n = 0};
	if (seen)
		*err = 0;
	else
		*err = -ENOMEM;
	for (size_t q = 0; q < machines->n_questions; q++) {
		size_t held = 0;

		if (*err || !common || found)
			break;
		if (strcmp(machines->questions[q].experiment, common->experiment) != 0)
			continue;
		memset(seen, 0, machines->n_machines * sizeof(*seen));
		for (size_t k = 0; k < machines->n; k++)
			if (find_value(&machines->list[k], q)) {
				held += !seen[machines->list[k].number];
				seen[machines->list[k].number] = true;
			}
		found = held >= MACHINES_LEAST && i-- == 0;
		if (found)
			*err = pool_machines(machines, q, order, answer);
	}
	free(seen);
	return found && *err == 0;
}

void machines_answer_free(struct machines_answer *answer)
{
	free(answer->rows);
	free(answer->groups);
	*answer = (struct machines_answer) {.n = 0};
}

char *machines_fit_name(const struct machines_answer *answer, const struct machines_row *row,
			bool ascii, int most, const char *mark, char buf[MACHINE_TEXT])
{
	/*
	 * Room for names in ASCII: an escape of six bytes replaces a character of at least two
	 * bytes.
	 */
	char spelled[NAMES_MOST][3 * MACHINE_TEXT];
	size_t at = (size_t)(row - answer->rows);
	size_t first = at - MIN(at, (size_t)NAMES_MOST / 2);
	size_t n = MIN(answer->n - first, (size_t)NAMES_MOST);
	const char *names[NAMES_MOST];

	for (size_t i = 0; i < n; i++) {
		names[i] = answer->rows[first + i].recording->name;
		if (ascii)
			names[i] = utf8_ascii(names[i], spelled[i], sizeof(spelled[i]));
	}
	return names_fit(names, n, at - first, most, mark, buf, MACHINE_TEXT);
}

/*
 * The verb of the sentence. fast: the metric is a time, but not the time of creation. Otherwise,
 * the name of the metric follows the verb.
 */
static const char *less_verb(bool fast, bool plural)
{
	if (fast) {
		if (plural)
			return "are faster";
		return "is faster";
	}
	if (plural)
		return "need less ";
	return "needs less ";
}

static const char *pooled_verb(bool fast, bool plural)
{
	if (fast) {
		if (plural)
			return "take";
		return "takes";
	}
	if (plural)
		return "need";
	return "needs";
}

/* A case as the sentence names it. */
struct side {
	const char *name;
	int length;
	bool plural;
	uint32_t real; /* Number of machines on which the case's values are significantly lower. */
};

static struct side side_of(const char *name, size_t model, uint32_t real)
{
	return (struct side) {name, (int)strlen(name), report_is_plural(name, model), real};
}

char *machines_sentence(const struct machines_answer *answer, char *buf, size_t size)
{
	const struct machines_question *q = answer->question;
	const struct metric *metric = &metric_table[q->metric];
	const bool time = metric->unit == METRIC_NS || metric->unit == METRIC_SHORT;
	const bool fast = time && q->metric != METRIC_CREATE;
	const char *values = q->a + q->a_model, *as = "much";
	struct side a = side_of(q->a, q->a_model, answer->a_real);
	struct side b = side_of(q->b, q->b_model, answer->b_real);
	const struct side *less = &a, *more = &b;
	struct sentence s = sentence_in(buf, size);
	bool begins;

	if (fast)
		as = "long";
	if (answer->a_less < answer->b_less) {
		less = &b;
		more = &a;
	}
	/* If only the model differs, both cases share the values, such as "workers=4". */
	if (*values && strcmp(values, q->b + q->b_model) == 0) {
		sentence_add(&s, "At %s, ", values + 1);
		a.length = (int)q->a_model;
		b.length = (int)q->b_model;
	}
	begins = s.used == 0;
	sentence_add(&s, "%.*s %s", less->length, less->name, less_verb(fast, less->plural));
	/* Do not capitalize the name of a program. */
	if (begins && less->plural)
		sentence_begin(&s, 0);
	if (!fast)
		sentence_add(&s, "%s", sentence_text(metric->words, metric->title));
	sentence_add(&s, " on %u of %zu machines (real on %u", MAX(answer->a_less, answer->b_less),
		     answer->n, less->real);
	if (more->real > 0)
		sentence_add(&s, "; the other way on %u", more->real);
	sentence_add(&s, "). Pooled: %.*s %s %sx as %s (", b.length, b.name,
		     pooled_verb(fast, b.plural), CLAIM_TIMES(answer->ratio.estimate), as);
	sentence_add(&s, "%s); on another machine expect ", MACHINES_INTERVAL(&answer->ratio));
	sentence_add(&s, "%sx.", MACHINES_INTERVAL(&answer->another));
	return buf;
}

bool machines_fault_sentence(const struct machines *machines, size_t i, char *buf, size_t size)
{
	const struct machines_recording *common = machines_main(machines);
	struct sentence s = sentence_in(buf, size);
	int64_t least = INT64_MAX, most = -1;
	size_t n = 0;

	if (!common || i >= common->n_faults)
		return false;
	for (size_t k = 0; k < machines->n; k++) {
		const struct machines_recording *recording = &machines->list[k];

		if (*recording->why)
			continue;
		for (uint32_t at = 0; at < recording->n_faults; at++) {
			const struct machines_fault *fault = &recording->faults[at];

			if (strcmp(fault->name, common->faults[i].name) != 0)
				continue;
			n++;
			least = MIN(least, fault->least);
			most = MAX(most, fault->most);
		}
	}
	sentence_add(&s, "%s: %lld ", common->faults[i].name, (long long)least);
	if (most > least)
		sentence_add(&s, "to %lld ", (long long)most);
	sentence_add(&s, "of %u workers survived in each trial of %zu recordings.",
		     common->faults[i].workers, n);
	sentence_begin(&s, 0);
	return true;
}

/* Adds a name to a list, unless the sentence would become too long. */
static void add_name(struct sentence *s, size_t *n, const char *name, const char *why)
{
	if (++*n > NAMED_MOST)
		return;
	sentence_join(s, ", ", "%s", name);
	if (*why)
		sentence_add(s, " (%.100s)", why);
}

bool machines_trouble(const struct machines *machines, enum machines_trouble kind, char *buf,
		      size_t size)
{
	static const char *const what[MACHINES_TROUBLES] = {
		[MACHINES_MISSING] = "not reported",
		[MACHINES_UNFINISHED] = "no end yet",
		[MACHINES_FAILED] = "failed runs",
	};
	struct sentence names = SENTENCE(SAMPLE_TEXT), s = sentence_in(buf, size);
	size_t n = 0;

	if (kind == MACHINES_MISSING) {
		for (size_t i = 0; i < machines->n_expected; i++) {
			if (!machines->expected[i].reported)
				add_name(&names, &n, machines->expected[i].name,
					 machines->expected[i].why);
		}
	}
	for (size_t i = 0; i < machines->n; i++) {
		const struct machines_recording *recording = &machines->list[i];
		const int64_t quiet = machines->now_s - recording->written_s;
		bool troubled = !recording->done;
		char why[SAMPLE_TEXT] = "";

		if (kind == MACHINES_MISSING)
			break;
		if (kind == MACHINES_FAILED)
			troubled = recording->failed > 0;
		if (!*recording->name || !troubled)
			continue;
		if (kind == MACHINES_FAILED)
			snprintf(why, sizeof(why), "%u of %u: %s", recording->failed,
				 recording->runs, recording->failure);
		else if (recording->written_s >= 0 && quiet >= 7200)
			strcpy(why, "nothing new for hours");
		else if (recording->written_s >= 0 && quiet >= QUIET_S)
			snprintf(why, sizeof(why), "nothing new for %s",
				 UNITS_TIME(quiet * 1000000000, true));
		add_name(&names, &n, recording->name, why);
	}
	sentence_add(&s, "%zu", n);
	if (kind == MACHINES_MISSING)
		sentence_add(&s, " of %zu", machines->n_expected);
	if (n == 1)
		sentence_add(&s, " has");
	else
		sentence_add(&s, " have");
	sentence_add(&s, " %s: %s", what[kind], names.buf);
	if (n > NAMED_MOST)
		sentence_add(&s, " and %zu more", n - NAMED_MOST);
	sentence_add(&s, ".");
	return n > 0;
}

char *machines_title(const struct machines *machines, char *buf, size_t size)
{
	const struct machines_recording *common = machines_main(machines);
	struct sentence s = sentence_in(buf, size);
	size_t left_out = 0, running = 0;

	if (common)
		for (size_t i = 0; i < machines->n; i++) {
			left_out += *machines_left_out(common, &machines->list[i]) != '\0';
			running += !*machines->list[i].why && !machines->list[i].done;
		}
	if (common)
		sentence_add(&s, "%s: %s; ", common->experiment, common->title);
	else
		left_out = machines->n;
	sentence_add(&s, "%u machine%s, %zu recording%s", machines->n_machines,
		     sentence_plural(machines->n_machines), machines->n,
		     sentence_plural((int64_t)machines->n));
	if (running > 0)
		sentence_add(&s, ", %zu without an end", running);
	if (left_out > 0)
		sentence_add(&s, ", %zu not pooled", left_out);
	return buf;
}

double machines_place(const struct machines_answer *answer, double ratio)
{
	return fmin(fmax(log(ratio / answer->low) / log(answer->high / answer->low), 0), 1);
}

/* The ends as text. With two pairs, as in a recording that has just begun, they may be extreme. */
struct claim_ends machines_ends(const struct stats_interval *interval)
{
	struct claim_ends ends = claim_times_ends(interval->low, interval->high);

	if (interval->low < 1 / FAR)
		snprintf(ends.low, sizeof(ends.low), "<.001");
	if (interval->high >= FAR)
		snprintf(ends.high, sizeof(ends.high), ">999");
	return ends;
}

char *machines_interval(char *buf, size_t size, const struct stats_interval *interval)
{
	struct claim_ends ends = machines_ends(interval);

	snprintf(buf, size, "%s to %s", ends.low, ends.high);
	return buf;
}

unsigned machines_density(const struct machines_answer *answer, const struct machines_group *group,
			  unsigned *counts, int columns)
{
	unsigned most = 0;

	memset(counts, 0, (size_t)columns * sizeof(*counts));
	for (size_t i = group->first; i < group->first + group->n; i++) {
		double place = machines_place(answer, answer->rows[i].ratio.estimate);
		int x = (int)lround(place * (columns - 1));

		counts[x]++;
		most = MAX(most, counts[x]);
	}
	return most;
}
