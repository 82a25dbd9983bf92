/* SPDX-License-Identifier: MIT */
#pragma once

#include "html_timeline.h"

/*
 * When workers were on a core, waited for one and were blocked, and who was on each core, on a
 * timeline's scale. Where there are no more stretches than columns each is drawn as it was, else a
 * column is filled as high as its share on a core. A pointer on any is told what it is.
 */

enum { HTML_LANES_BAR = 11, HTML_LANES_PITCH = 18, HTML_LANES_HEAD = 20 };

/* The lane that is drawn: where, and how its texts begin. */
struct html_lane {
	struct html *html;
	const struct timeline *line;
	uint32_t number; /* of a worker, a core, a level */
	const char *name, *style;
	double y;
};

/* Where a column begins, ns since the run's begin. */
int64_t html_lanes_edge(const struct timeline *line, int column);
/* "1203.412 ms"; returns buf. */
char *html_lanes_moment(char *buf, size_t size, int64_t time_ns);
#define HTML_MOMENT(ns) html_lanes_moment((char[48]) {0}, 48, ns)
/* What is drawn up to html_lanes_close() says that to a pointer. */
void html_lanes_open(const struct html_lane *lane, const char *title);
void html_lanes_close(const struct html_lane *lane);
/* The lower part of the bar's height, as its style has it. */
void html_lanes_on(const struct html_lane *lane, int64_t from_ns, int64_t to_ns, double share);
/*
 * The upper part: a paler shade where most of it waits for a core, another one where the run's
 * quota withheld it, else a line.
 */
void html_lanes_off(const struct html_lane *lane, int64_t from_ns, int64_t to_ns, double share,
		    bool waits);

/* Lanes of the run, of its workers or levels and of its cores; 0: none are known. */
uint32_t html_lanes_count(const struct timeline *line);
/* Columns for each of so many on the page, which bounds its size. */
int html_lanes_columns(uint32_t lanes);
/* The bar of a worker's work; false, and nothing drawn, where its slices are not known. */
bool html_lanes_worker(struct html *html, const struct timeline *line, uint32_t index,
		       const char *style, double y, int64_t from_ns, int64_t to_ns);
/* The share of that time that it was on a core, 0 … 1; NaN. */
double html_lanes_share(const struct html *html, const struct timeline *line, uint32_t index,
			int64_t from_ns, int64_t to_ns);
/* What the inks are, in a caption. */
void html_lanes_legend(struct html *html, const char *style);

/* How many cores of the run are shown, how high that is, and their lanes from y on. */
uint32_t html_core_lanes_count(const struct timeline *line);
double html_core_lanes_height(const struct timeline *line);
void html_core_lanes(struct html *html, const struct timeline *line, double y);

/* Which share of the cores each level of a tree had, from y on. 0 or -ENOMEM. */
int html_level_lanes(struct html *html, const struct timeline *line, double y);
