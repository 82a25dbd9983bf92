/* SPDX-License-Identifier: MIT */
#include "model/model_warnings.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int model_humps(const struct model *model, uint32_t case_id, enum model_metric metric,
		struct humps *out)
{
	double *x = malloc((model->n_runs + 1) * sizeof(*x));
	int err;

	*out = (struct humps) {.low = NAN, .high = NAN, .share = NAN};
	if (!x)
		return -ENOMEM;
	/* The clock's own cost is a few ticks of it: those are no humps. */
	err = model->cases[case_id].plan.primitive == PLAN_CALL
		      ? 0
		      : humps_find(x, model_trials(model, case_id, metric, x, NULL, model->n_runs),
				   out);
	free(x);
	return err;
}
