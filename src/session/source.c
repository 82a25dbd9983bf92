/* SPDX-License-Identifier: MIT */
#include "source.h"

#include <errno.h>
#include <string.h>

/* Samples handed on before the caller may look at its keys. */
#define MOST 64

const char *source_strerror(int err)
{
	return err == -EPROTO ? "it is not a recording of tuibench" : strerror(-err);
}

int source_drain(struct source *source, int (*next)(struct source *source, struct sample *sample),
		 source_take *take, void *arg)
{
	struct sample sample;
	int err = 0;

	for (int i = 0; i < MOST && !err; i++) {
		err = next(source, &sample);
		if (err != 1)
			return err;
		err = take(arg, &sample);
	}
	return err;
}
