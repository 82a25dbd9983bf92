/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"
#include "report/table.h"

/* The page that is being written, and what its sections share. */
struct html {
	FILE *out;
	const struct model *model;
	unsigned ids; /* of what refers to something, given out so far */
	int below;    /* so many levels its headings stand below those of a page of its own */
};

/* Markup; no %f: its decimal point depends on the locale. */
__attribute__((format(printf, 2, 3))) void html_put(struct html *html, const char *format, ...);
/* Any text, as text. */
void html_text(struct html *html, const char *text);
/* The first bytes of it, which end with a character. */
void html_text_of(struct html *html, const char *text, size_t n);
/* Markup and text in turn, up to NULL. */
__attribute__((sentinel)) void html_mixed(struct html *html, ...);
/* <tag>text</tag>; the tag may carry attributes. */
void html_element(struct html *html, const char *tag, const char *text);
/* A heading of that level, 1 to 3: around markup, and with text alone. */
void html_heading_begin(struct html *html, int level);
void html_heading_end(struct html *html, int level);
void html_heading(struct html *html, int level, const char *text);
/* A section under a heading of level 2, to be ended by </section>. */
void html_section(struct html *html, const char *heading);
/* A number with at most two decimals. */
void html_number(struct html *html, double value);

#define HTML_NAME SAMPLE_NAME

/* Texts as arguments: they last as long as the block that they stand in. */
#define HTML_CASE(html, case_id) MODEL_CASE_NAME((html)->model, case_id)
#define HTML_TRIAL(html, run)	 html_trial(html, run, (char[64]) {0}, 64)
/* The number of the case's colour and mark among the models'. */
unsigned html_hue(const struct html *html, uint32_t case_id);
/* The models, each once, with their marks. */
void html_models(struct html *html);
/* The meaning of a colour, in a caption. */
void html_swatch(struct html *html, const char *style, const char *meaning);
/* How long the run took, or has gone on until now; ns. */
int64_t html_span(const struct html *html, const struct model_run *run);
/* The same with the time that it was held: the length of its axis. */
int64_t html_length(const struct html *html, const struct model_run *run);
/* "trial 3", "warm-up", with what became of it where it is no measurement; returns buf. */
char *html_trial(const struct html *html, const struct model_run *run, char *buf, size_t size);

/* A table of the report, where it has any rows. 0 or -ENOMEM. */
int html_table(struct html *html, enum table_id id);

/* The critical paths, within the results. */
int html_path(struct html *html);

/* The parts of the page, in its order. 0 or -ENOMEM. */
void html_style(struct html *html);
int html_verdict(struct html *html);
/* How long creating a task took, where the session measures that. */
int html_latency(struct html *html);
/* The curves of what was swept, and where they cross. */
int html_sweep(struct html *html);
int html_results(struct html *html);
int html_timelines(struct html *html);
int html_memory(struct html *html);
int html_cores(struct html *html);
void html_messages(struct html *html);
/* Machine and options, as they stand in a section; how the figures are to be read. */
void html_about(struct html *html);
void html_method(struct html *html);

/* The page around it: its head, into which styles go, then its body; its end with the result. */
void html_begin(struct html *html, const char *title);
void html_main(struct html *html);
int html_end(struct html *html, int err);
/* A session's title and parts, to the messages. 0 or -ENOMEM. */
int html_session(struct html *html);
