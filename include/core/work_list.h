/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * The kinds of work in their display order. NAME occurs in options, such as -w NAME=4, and as
 * work_NAME_ops in work/work_NAME.c. The number is the kind's index in the plan's leaves.
 * Recordings depend on it, so a new kind takes the next free number.
 */
#define WORK_LIST(X)                                                                               \
	X(1, CPU, cpu)                                                                             \
	X(2, IO, io)                                                                               \
	X(4, FP, fp)                                                                               \
	X(3, MEM, mem)                                                                             \
	X(6, WRITE, write)                                                                         \
	X(12, SHARE, share)                                                                        \
	X(8, TOUCH, touch)                                                                         \
	X(5, HELLO, hello)                                                                         \
	X(7, OWN, own)                                                                             \
	X(9, PROGRAM, program)                                                                     \
	X(10, TOKEN, token)                                                                        \
	X(11, MESSAGE, message)                                                                    \
	X(13, SERVE, serve)                                                                        \
	X(14, EVENTS, events)                                                                      \
	X(0, NULL, null)

/* Kinds whose workers record the duration of each operation in every plan; see plan_operates(). */
#define WORK_OPERATES(kind) ((kind) == WORK_TOKEN)

/*
 * Kinds whose workers do not record when they were on a core: they end too soon, or wait most of
 * the time.
 */
#define WORK_HAS_NO_LOOP(kind)                                                                     \
	((kind) == WORK_NULL || (kind) == WORK_HELLO || (kind) == WORK_PROGRAM ||                  \
	 (kind) == WORK_SERVE || (kind) == WORK_EVENTS)

/*
 * WORK_MESSAGE_SIDE: default number of senders, and of receivers, in a group of message workers.
 * WORK_MESSAGE_MOST: largest number of either. WORK_MESSAGE_BYTES: size of a message.
 */
#define WORK_MESSAGE_SIDE  5
#define WORK_MESSAGE_MOST  100
#define WORK_MESSAGE_BYTES 100
