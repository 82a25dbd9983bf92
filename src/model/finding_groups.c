/* SPDX-License-Identifier: MIT */
#include "finding_parts.h"

#include <math.h>

#include "core/comparison.h"

/* All cases compared with each other. */
struct matrix {
	enum model_metric metric;
	uint32_t n;
	uint32_t cases[FINDING_GROUPED];
	uint32_t wins[FINDING_GROUPED]; /* others that it is really before */
	struct model_comparison row[FINDING_GROUPED][FINDING_GROUPED]; /* the row's case is a */
};

static int read_row(const struct model *model, struct matrix *m, uint32_t i)
{
	int err = 0;

	for (uint32_t j = 0; j < m->n && !err; j++) {
		if (i == j)
			continue;
		err = model_compare(model, m->cases[i], m->cases[j], m->metric, &m->row[i][j]);
		m->wins[i] += !err && m->row[i][j].verdict == STATS_A;
	}
	return err;
}

/* Takes those that compare with the case; too many leave n at 0. */
static int read_matrix(const struct model *model, const struct finding *finding, uint32_t with,
		       struct matrix *m)
{
	uint32_t n = 0;
	int err = 0;

	for (uint32_t i = finding->first; i <= finding->last; i++) {
		if (!comparison_alike(&model->cases[with], &model->cases[i]))
			continue;
		if (n < FINDING_GROUPED)
			m->cases[n] = i;
		n++;
	}
	m->n = n > FINDING_GROUPED ? 0 : n;
	for (uint32_t i = 0; i < m->n && !err; i++)
		err = read_row(model, m, i);
	return err;
}

/* Who is before more others comes first, then who took less than the other. */
static bool comes_before(const struct matrix *m, uint32_t i, uint32_t j)
{
	if (m->wins[i] != m->wins[j])
		return m->wins[i] > m->wins[j];
	return m->row[i][j].ratio.estimate > 1;
}

static void sort(const struct matrix *m, uint32_t order[FINDING_GROUPED])
{
	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t at = i;

		for (; at > 0 && comes_before(m, i, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

/* Each of the first so many is really before each of the others. */
static bool is_cut(const struct matrix *m, const uint32_t *order, uint32_t at)
{
	for (uint32_t i = 0; i < at; i++)
		for (uint32_t j = at; j < m->n; j++)
			if (m->row[order[i]][order[j]].verdict != STATS_A)
				return false;
	return true;
}

static void take_pair(struct finding_group *group, const struct model_comparison *c)
{
	group->real += c->verdict == STATS_A || c->verdict == STATS_B;
	group->open += c->verdict == STATS_TOO_FEW;
	if (c->verdict == STATS_NONE)
		group->excluded = fmax(group->excluded, finding_excluded(&c->ratio));
}

static void fill(const struct matrix *m, const uint32_t *order, struct finding_group *group)
{
	uint32_t end = group->first + group->n;

	group->excluded = group->low = group->high = NAN;
	for (uint32_t i = group->first; i < end; i++) {
		double times = m->row[order[0]][order[i]].ratio.estimate;

		for (uint32_t j = i + 1; j < end; j++)
			take_pair(group, &m->row[order[i]][order[j]]);
		if (i == 0)
			continue;
		group->low = fmin(group->low, times);
		group->high = fmax(group->high, times);
	}
}

static void cut(const struct matrix *m, const uint32_t *order, struct finding_groups *groups)
{
	for (uint32_t i = 0; i < m->n; i++) {
		groups->cases[i] = m->cases[order[i]];
		if (i == 0 || is_cut(m, order, i))
			groups->group[groups->n_groups++].first = i;
		groups->group[groups->n_groups - 1].n++;
	}
	for (uint32_t i = 0; i < groups->n_groups; i++)
		fill(m, order, &groups->group[i]);
}

static void find_greatest(const struct matrix *m, struct finding_groups *groups)
{
	for (uint32_t i = 0; i < m->n; i++) {
		for (uint32_t j = 0; j < m->n; j++) {
			const struct model_comparison *c = &m->row[i][j];
			bool none = groups->greatest.a == groups->greatest.b;

			if (i != j && c->verdict == STATS_A &&
			    (none || c->ratio.estimate > groups->greatest.ratio.estimate))
				groups->greatest = *c;
		}
	}
}

static void find_open(const struct matrix *m, struct finding_groups *groups)
{
	groups->progress = (struct finding_progress) {UINT32_MAX, .ended = true};
	for (uint32_t i = 0; i < m->n; i++) {
		for (uint32_t j = i + 1; j < m->n; j++) {
			const struct model_comparison *c = &m->row[i][j];
			const struct finding_progress progress = {c->pairs, c->planned, c->least,
								  c->ended};

			if (c->verdict != STATS_TOO_FEW)
				continue;
			finding_behind(&groups->progress, &progress);
			groups->open++;
		}
	}
}

int finding_groups(const struct model *model, struct finding *finding, uint32_t with,
		   enum model_metric metric)
{
	struct matrix m = {.metric = metric};
	uint32_t order[FINDING_GROUPED];
	int err = read_matrix(model, finding, with, &m);

	if (err || m.n < 3)
		return err;
	finding->groups.n = m.n;
	sort(&m, order);
	cut(&m, order, &finding->groups);
	find_greatest(&m, &finding->groups);
	find_open(&m, &finding->groups);
	return 0;
}
