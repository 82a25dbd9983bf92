/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sample_session.h"

enum sample_severity { SAMPLE_INFO, SAMPLE_WARNING, SAMPLE_ERROR };

/* The kind of a message that is read by the program as well: its text may be worded anew. */
enum sample_message_kind {
	MESSAGE_OTHER,
	MESSAGE_STACKS, /* advises to try other stacks */
	MESSAGE_NO_PSS, /* PSS and USS cannot be read */
	MESSAGE_QUICK,	/* what few trials can still find, or why there are no more */
	MESSAGE_RUN,	/* why a run went wrong, which its end says as well */
	MESSAGE_HALTED, /* somebody else has stopped a part of the run */
	MESSAGE_KINDS
};

struct sample_message {
	enum sample_severity severity;
	enum sample_message_kind kind;
	char text[SAMPLE_TEXT]; /* one line, no control characters */
};

extern const char *const sample_message_names[MESSAGE_KINDS];
