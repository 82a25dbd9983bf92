/* SPDX-License-Identifier: MIT */
#include "source/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The most samples handed on before the caller may read its keys. */
#define MOST 64

const char *source_strerror(int err)
{
	if (err == -EPROTO)
		return "it is not a recording of tuibench";
	if (err == -EMEDIUMTYPE)
		return "it is the recording of a lecture, which has several sessions; --scene N "
		       "takes one";
	return err == -ENODATA ? "there is no session in it" : strerror(-err);
}

char *source_broken(const struct source *source, int err, char *buf, size_t size)
{
	if (source->name)
		snprintf(buf, size, "cannot read \"%s\": %s", source->name, source_strerror(err));
	else
		snprintf(buf, size, "the session cannot go on: %s", source_strerror(err));
	return buf;
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

static int over_fd(struct source *source)
{
	return -1;
}

static int over_pump(struct source *source, source_take *take, void *arg)
{
	return 0;
}

static int over_control(struct source *source, enum source_command command)
{
	return command == SOURCE_STOP ? 0 : -ENOTSUP;
}

static void over_close(struct source *source)
{
}

const struct source_ops source_over = {
	.fd = over_fd,
	.pump = over_pump,
	.control = over_control,
	.close = over_close,
};
