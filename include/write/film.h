/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw/theme.h"
#include "model/model.h"

/*
 * A recording as it looked, in formats that other programs play: the very views draw its frames.
 *
 * cast is asciicast v2 in true colour, of each frame what differs from the one before.
 * svg-animation is one SVG that plays by itself, without scripts and fonts of its own; where motion
 * is not wanted it shows the end. svg is the end alone.
 */
#define FILM_LIST(X)                                                                               \
	X("cast", cast_write, "asciinema")                                                         \
	X("svg-animation", animation_write, "a browser")                                           \
	X("svg", picture_write, "the end")                                                         \
	X("slide", slide_write, "its view at 16:9")

struct film_wish {
	int width, height; /* of the screen, in cells */
	uint32_t fps;	   /* most frames a second */
	double speed; /* times of real time; 0: real time, or so fast that a minute is enough */
	int view;     /* its number; 0: the one that answers */
	int captions; /* enum view_captions */
	double zoom;  /* of time; 0 or 1: all of it */
	int64_t window_from_ns, window_to_ns; /* the time shown instead, where to is not 0 */
	const char *select;		      /* a worker's name; NULL: the first row */
	const struct theme *theme;
	bool ascii;
};

#define FILM_WRITER(name, write, about)                                                            \
	int write(const struct model *model, const struct film_wish *wish, FILE *out);
FILM_LIST(FILM_WRITER)
#undef FILM_WRITER

struct film_format {
	const char *name, *about;
	/* 0 or -errno */
	int (*write)(const struct model *model, const struct film_wish *wish, FILE *out);
};

/* NULL where there is none: that number, that name. */
const struct film_format *film_at(size_t i);
const struct film_format *film_find(const char *name);
