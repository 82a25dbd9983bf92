/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stats/looks.h"

/*
 * All comparisons that a session makes in one metric: together they name a false winner in at most
 * that share of sessions which is their error, by Holm's steps over the looks of each. Those that
 * are real at a share of the error by the number of all are taken out; the rest shares the error
 * among so many fewer, until nothing more is real. What is real stays so, whatever comes later.
 * Members that are judged together have a look of their own, see looks_joint(). Where it finds
 * them the rest shares all of the error, as no claim about them could be false by that look; else
 * all share what it has left.
 * Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of
 * Statistics 6(2), 1979.
 */

struct family_member {
	/* Log ratios, or differences, of the pairs in the order of their trials; the caller's. */
	const double *differences;
	uint32_t n;   /* pairs */
	uint32_t end; /* as of looks_level() */
	bool joint;   /* judged together with the others that are */
	/* Found: the comparisons that were left at its step, and whether it was taken out there. */
	uint32_t left;
	bool real;
	bool together; /* by the joint look */
};

struct family {
	double error, spent; /* and what of it a joint look has taken from the rest */
	uint32_t planned, size;
	struct family_step *steps; /* critical ranks, found when they are asked for */
};

/* 0 or -ENOMEM; free in both cases. A family without comparisons has nothing to read. */
int family_make(struct family *family, double error, uint32_t planned, uint32_t size);
void family_free(struct family *family);
/* Fills what is found of all family->size members. 0 or -ENOMEM. */
int family_read(struct family *family, struct family_member *members);
/* The looks that belong to what was found of a member. */
struct looks family_looks(const struct family *family, const struct family_member *member);
/* The interval that belongs to what was found of a member: looks_ratio(), looks_difference(). */
int family_interval(const struct family *family, const struct family_member *member,
		    bool differences, struct stats_interval *out);
/* The probability with which that interval holds. */
double family_level(const struct family *family, const struct family_member *member);
