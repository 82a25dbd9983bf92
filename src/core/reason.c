/* SPDX-License-Identifier: MIT */
#include "core/reason.h"

#include <stddef.h>

#include "base/error_line.h"

static const struct {
	const char *name, *brief, *sentence;
} reason_texts[REASONS] = {
	[REASON_NONE] = {NULL, "", ""},
	[REASON_SHORT_CHILDREN] = {"short children", "(too short)",
				   N_("its children ended before their memory could be read")},
	[REASON_MANY_PROCESSES] = {"many processes", "(too many)",
				   N_("it had more processes at once than tuibench reads")},
	[REASON_UNLISTED] = {"children not listed", "(not listed)",
			     N_("/proc does not list its children")},
	[REASON_OTHER_PROC] = {"other proc", "(other /proc)",
			       N_("/proc belongs to another PID namespace")},
	[REASON_SMAPS_DENIED] = {"smaps denied", "(see 6)", N_("cannot be read: see 6, Messages")},
	[REASON_SIGCHLD] = {"sigchld ignored", "", N_("a process ignores SIGCHLD")},
	[REASON_UNREPORTED] = {"not reported", "",
			       N_("the tasks used more than their parents report")},
	[REASON_PROC_FAILED] = {"not opened", "(see /proc)",
				N_("its files in /proc could not be opened")},
	[REASON_NOT_KNOWN] = {"not known", "(not known)", N_("not known")},
	[REASON_SHORT_RUN] = {"short run", "(too short)", N_("the run was too short to read it")},
	[REASON_CREATING] = {"creating", "(creating)", N_("not read while tasks are created")},
	[REASON_NOT_FOLLOWED] = {"not followed", "(not followed)",
				 N_("it has children or threads, which are not followed")},
	[REASON_POLLED] = {"polled", "", N_("polling misses most tasks under 5 ms")},
	[REASON_MESSAGES_LOST] = {"messages lost", "",
				  N_("the kernel's messages of some tasks were lost")},
	[REASON_SCHED_OFF] = {"sched off", "", N_("states are not recorded with -s sched=off")},
	[REASON_SHORT_TASK] = {"short task", "", N_("it ended before its states were read")},
	[REASON_SLICES_LOST] = {"slices lost", "", N_("records of some switches were lost")},
	[REASON_SHORT_WAITS] = {"short waits", "",
				N_("some of its waits were not sampled while they lasted")},
	[REASON_OWN_WAITS] = {"own waits", "",
			      N_("the cause of a wait is recorded for programs only")},
	[REASON_SAMPLED_STATES] = {"sampled states", "", N_("the states of its tasks are samples")},
	[REASON_NO_FAULT] = {"no fault", "", N_("the fault happened in no trial")},
	[REASON_PARENT_ENDED] = {"parent ended", "", N_("the parent died too")},
	[REASON_APART] = {"apart", "", N_("not measured together")},
	[REASON_NOT_TOGETHER] = {"not at once", "", N_("the workers did not run at the same time")},
	[REASON_ZERO] = {"zero", "", N_("a value is 0")},
	[REASON_FEW_TRIALS] = {"few trials", "", N_("too few trials")},
	[REASON_FAILED_PAIRS] = {"failed runs", "", N_("too many trials failed")},
	[REASON_NO_PAIR] = {"no pair", "", N_("no trial has both values")},
	[REASON_UNLIKE] = {"unlike", "", N_("one value is only a bound")},
	[REASON_BOUNDS] = {"bounds", "", N_("both values are only bounds")},
	[REASON_LEFT] = {"left running", "",
			 N_("not compared: -s wait=all measures until all have ended")},
	[REASON_NO_LINE] = {"not printed", "(not printed)", N_("the program printed no such line")},
	[REASON_NO_NUMBER] = {"no number", "(no number)",
			      N_("the printed value is negative or not a number")},
	[REASON_OTHER_UNIT] = {"other unit", "(other unit)",
			       N_("the program printed a different unit than before")},
	[REASON_CUT] = {"ended by for", "(ended)",
			N_("the time limit (-s for) ended the programs")},
	[REASON_NOT_REAL] = {"not real", "",
			     N_("neither the programs' time nor their tasks' time really differs")},
	[REASON_SCATTERED] = {"scattered", "",
			      N_("no part of it is both real and at least a fifth of it")},
};

const char *reason_name(int reason)
{
	if (reason > REASON_NONE && reason < REASONS)
		return reason_texts[reason].name;
	return NULL;
}

const char *reason_brief(enum reason reason)
{
	return reason_texts[reason].brief;
}

const char *reason_sentence(enum reason reason)
{
	return reason_texts[reason].sentence;
}
