/* SPDX-License-Identifier: MIT */
#include "live_mhz.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)
/* The share of time, in 0.1 %, that a core must work to have reached its clock. */
#define AT_WORK 500

int live_mhz_open(struct live_mhz *mhz, const char *root)
{
	int n = get_nprocs_conf();
	char path[PATH_MAX];

	memset(mhz, 0, sizeof(*mhz));
	mhz->fds = calloc((size_t)n, sizeof(*mhz->fds));
	if (!mhz->fds)
		return -ENOMEM;
	for (; mhz->n < n; mhz->n++) {
		snprintf(path, sizeof(path),
			 "%s/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", root, mhz->n);
		mhz->fds[mhz->n] = open(path, O_RDONLY | O_CLOEXEC);
	}
	return 0;
}

/* The file is in kHz. */
static int16_t read_mhz(int fd)
{
	char text[32] = "";
	long khz;

	if (fd < 0 || pread(fd, text, sizeof(text) - 1, 0) <= 0)
		return -1;
	khz = strtol(text, NULL, 10);
	return khz > 0 && khz / 1000 < INT16_MAX ? (int16_t)((khz + 500) / 1000) : -1;
}

void live_mhz_read(struct live_mhz *mhz, uint64_t now_ns, struct sample_core *cores, int n)
{
	if (now_ns < mhz->next_ns)
		return;
	for (int i = 0; i < n; i++) {
		struct sample_core *core = &cores[i];

		if (core->cpu < 0 || core->cpu >= mhz->n || core->user + core->system < AT_WORK)
			continue;
		core->mhz = read_mhz(mhz->fds[core->cpu]);
		if (core->mhz >= 0)
			mhz->next_ns = now_ns + SECOND;
	}
}

void live_mhz_close(struct live_mhz *mhz)
{
	for (int i = 0; i < mhz->n; i++)
		if (mhz->fds[i] >= 0)
			close(mhz->fds[i]);
	free(mhz->fds);
	memset(mhz, 0, sizeof(*mhz));
}
