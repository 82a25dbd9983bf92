/* SPDX-License-Identifier: MIT */
#include "suspend.h"

#include <signal.h>
#include <stddef.h>

#include "signals.h"

bool suspend_here(void)
{
	static const int go_on = SIGCONT;
	sigset_t stop;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	return signals_take(&go_on, 1) != 0;
}
