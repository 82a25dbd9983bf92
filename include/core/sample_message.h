/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sample_session.h"

enum sample_severity { SAMPLE_INFO, SAMPLE_WARNING, SAMPLE_ERROR };

/*
 * The kinds of messages that the program treats in a special way. The program compares only the
 * kind, so texts may be reworded.
 */
enum sample_message_kind {
	MESSAGE_OTHER,
	MESSAGE_STACKS, /* Advice to try other stack sizes. */
	MESSAGE_NO_PSS, /* PSS and USS cannot be read. */
	/*
	 * Before the first run: the smallest difference that so few trials can find. Later: the
	 * session ends early because the answer is decided.
	 */
	MESSAGE_QUICK,
	/* Says why a run went wrong. The sample of the run's end has the reason as well. */
	MESSAGE_RUN,
	MESSAGE_HALTED, /* Another program has stopped processes of the run. */
	MESSAGE_KINDS
};

struct sample_message {
	enum sample_severity severity;
	enum sample_message_kind kind;
	char text[SAMPLE_TEXT]; /* one line, no control characters */
};

extern const char *const sample_message_names[MESSAGE_KINDS];
