/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sample_session.h"

enum sample_severity { SAMPLE_INFO, SAMPLE_WARNING, SAMPLE_ERROR };

/*
 * The kinds of messages that the program itself looks for. Texts may be reworded, because the
 * program compares only the kind.
 */
enum sample_message_kind {
	MESSAGE_OTHER,
	MESSAGE_STACKS, /* Advice to try other stack sizes. */
	MESSAGE_NO_PSS, /* PSS and USS cannot be read. */
	/*
	 * The difference that few trials can still find, or the reason why there are not more
	 * trials.
	 */
	MESSAGE_QUICK,
	MESSAGE_RUN,	/* Why a run went wrong. The end of the run has the reason as well. */
	MESSAGE_HALTED, /* Another program has stopped processes of the run. */
	MESSAGE_KINDS
};

struct sample_message {
	enum sample_severity severity;
	enum sample_message_kind kind;
	char text[SAMPLE_TEXT]; /* one line, no control characters */
};

extern const char *const sample_message_names[MESSAGE_KINDS];
