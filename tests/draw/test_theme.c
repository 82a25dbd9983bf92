/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <math.h>

#include "draw/theme.h"
#include "stage/colours.h"

/* Least distance of the colours of two cases in CIELAB. */
enum { CASE_DISTANCE = 15 };

static void assert_contrast(const struct theme *theme, enum way way, int fg, int bg, double least)
{
	double found = colours_contrast(colours_seen(theme, fg, way), colours_seen(theme, bg, way));

	if (found < least)
		fail_msg("%s, way %d: colour %d on %d has a contrast of %.2f, below %.1f",
			 theme->name, way, fg, bg, found, least);
}

static void every_theme_is_found_by_its_name(void **state)
{
	static const char *const names[] = {"dark", "light", "mono"};

	for (size_t i = 0; i < 3; i++) {
		assert_non_null(theme_at(i));
		assert_string_equal(theme_at(i)->name, names[i]);
		assert_ptr_equal(theme_find(names[i]), theme_at(i));
	}
	assert_null(theme_at(3));
	assert_null(theme_find("no such theme"));
}

static void names_of_earlier_releases_are_known(void **state)
{
	assert_ptr_equal(theme_find("default"), theme_find("dark"));
	assert_ptr_equal(theme_find("classic"), theme_find("dark"));
}

/* Colours of text. BORDER and the others fill areas. */
static const int texts[] = {
	COLOUR_DEFAULT, COLOUR_DIM,    COLOUR_TITLE,  COLOUR_KEY,    COLOUR_MODEL0, COLOUR_MODEL1,
	COLOUR_MODEL2,	COLOUR_MODEL3, COLOUR_MODEL4, COLOUR_MODEL5, COLOUR_MODEL6, COLOUR_MODEL7,
	COLOUR_CPU,	COLOUR_IO,     COLOUR_FP,     COLOUR_MEM,    COLOUR_WRITE,  COLOUR_OTHER,
	COLOUR_GOOD,	COLOUR_WARN,   COLOUR_BAD};

#define N(array) (sizeof(array) / sizeof((array)[0]))

static void every_text_can_be_read_on_its_ground(void **state)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++)
		for (size_t j = 0; j < N(texts); j++)
			for (enum way way = 0; way < WAYS; way++)
				assert_contrast(theme, way, texts[j], COLOUR_GROUND, COLOURS_TEXT);
}

/* The help, the selected row and the sentence are on a panel. */
static void every_text_can_be_read_on_a_panel(void **state)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++)
		for (size_t j = 0; j < N(texts); j++)
			for (enum way way = 0; way < WAYS; way++)
				assert_contrast(theme, way, texts[j], COLOUR_PANEL, COLOURS_TEXT);
}

static void every_area_stands_out_from_the_ground(void **state)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++)
		for (int c = 0; c < COLOURS; c++)
			for (enum way way = 0; way < WAYS; way++)
				if (c != COLOUR_GROUND && c != COLOUR_PANEL &&
				    c != COLOUR_READY_BED && c != COLOUR_THROTTLED_BED)
					assert_contrast(theme, way, c, COLOUR_GROUND, COLOURS_AREA);
}

static uint32_t mix(uint32_t a, uint32_t b, double share)
{
	uint32_t rgb = 0;

	for (int shift = 0; shift <= 16; shift += 8)
		rgb |= (uint32_t)((1 - share) * (a >> shift & 0xff) + share * (b >> shift & 0xff))
		       << shift;
	return rgb;
}

static void assert_work_stands_out(const struct theme *theme, int work, uint32_t waits)
{
	const struct theme_colour *colour = theme->colour;

	if (colours_contrast(waits, colour[work].rgb) < 1.5 ||
	    colours_contrast(colour[COLOUR_READY_BED].rgb, colour[work].rgb) < 2 ||
	    colours_contrast(colour[COLOUR_THROTTLED_BED].rgb, colour[work].rgb) < 2)
		fail_msg("%s: colour %d does not stand out from waiting", theme->name, work);
}

/*
 * From the back of a room, a light shade looks like one colour. It must differ from the background
 * and from work.
 */
static void waiting_does_not_look_like_nothing_or_work(void **state)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++) {
		const struct theme_colour *colour = theme->colour;
		uint32_t ground = colour[COLOUR_GROUND].rgb;
		uint32_t waits = mix(colour[COLOUR_READY_BED].rgb, colour[COLOUR_READY].rgb, 0.25);

		assert_true(colours_contrast(waits, ground) >= 2.5);
		for (int c = COLOUR_CPU; c <= COLOUR_WRITE; c++)
			assert_work_stands_out(theme, c, waits);
		/* On white, tasks that are not created yet are drawn lighter than all others. */
		assert_true(colours_contrast(colour[COLOUR_READY_BED].rgb, ground) >=
			    (i == 1 ? 1.7 : COLOURS_AREA));
		assert_true(colours_contrast(colour[COLOUR_THROTTLED_BED].rgb, ground) >= 1.7);
		assert_true(colours_contrast(colour[COLOUR_THROTTLED_BED].rgb,
					     colour[COLOUR_THROTTLED].rgb) >= 3);
	}
}

static void assert_near(uint32_t a, uint32_t b)
{
	for (int shift = 0; shift <= 16; shift += 8)
		assert_in_range((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff) + 48, 0, 96);
}

static void indexed_colours_are_close_to_the_true_ones(void **state)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++)
		for (int c = 0; c < COLOURS; c++) {
			const struct theme_colour *colour = &theme->colour[c];

			assert_in_range(colour->ansi, 0, 15);
			assert_in_range(colour->xterm, 16, 255);
			assert_near(colours_seen(theme, c, WAY_256), colour->rgb);
		}
}

/*
 * Linear RGB as people with each kind of colour blindness see it: Machado, Oliveira and Fernandes
 * 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency", severity 1.
 */
static const struct vision {
	const char *name;
	double of[3][3];
} visions[] = {
	{"all cones", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	{"protanopia",
	 {{0.152286, 1.052583, -0.204868},
	  {0.114503, 0.786281, 0.099216},
	  {-0.003882, -0.048116, 1.051998}}},
	{"deuteranopia",
	 {{0.367322, 0.860646, -0.227968},
	  {0.280085, 0.672501, 0.047413},
	  {-0.011820, 0.042940, 0.968881}}},
	{"tritanopia",
	 {{1.255528, -0.076749, -0.178779},
	  {-0.078411, 0.930809, 0.147602},
	  {0.004733, 0.691367, 0.303900}}},
};

static void multiply(const double matrix[3][3], const double in[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = matrix[i][0] * in[0] + matrix[i][1] * in[1] + matrix[i][2] * in[2];
}

static double lab_part(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* Converts an sRGB colour, as seen with that vision, to CIELAB (D65). */
static void lab_of(uint32_t rgb, const struct vision *vision, double lab[3])
{
	static const double to_xyz[3][3] = {
		{0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047},
		{0.2126729, 0.7151522, 0.0721750},
		{0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883}};
	double linear[3], is_seen[3], xyz[3];

	for (int i = 0; i < 3; i++)
		linear[i] = colours_channel(rgb >> (16 - 8 * i) & 0xff);
	multiply(vision->of, linear, is_seen);
	for (int i = 0; i < 3; i++)
		is_seen[i] = fmax(0, fmin(1, is_seen[i]));
	multiply(to_xyz, is_seen, xyz);
	lab[0] = 116 * lab_part(xyz[1]) - 16;
	lab[1] = 500 * (lab_part(xyz[0]) - lab_part(xyz[1]));
	lab[2] = 200 * (lab_part(xyz[1]) - lab_part(xyz[2]));
}

static double distance(uint32_t a, uint32_t b, const struct vision *vision)
{
	double of_a[3], of_b[3];

	lab_of(a, vision, of_a);
	lab_of(b, vision, of_b);
	return hypot(hypot(of_a[0] - of_b[0], of_a[1] - of_b[1]), of_a[2] - of_b[2]);
}

/*
 * Checks the distance itself: Lindbloom's value for sRGB's red, and red and green with
 * deuteranopia.
 */
static void the_distance_is_that_of_cielab(void **state)
{
	double lab[3];

	lab_of(0xff0000, &visions[0], lab);
	assert_true(fabs(lab[0] - 53.24) < 0.1 && fabs(lab[1] - 80.09) < 0.1 &&
		    fabs(lab[2] - 67.20) < 0.1);
	assert_true(distance(0xffffff, 0x000000, &visions[0]) > 99);
	assert_true(distance(0xa07000, 0x708000, &visions[2]) <
		    distance(0xa07000, 0x708000, &visions[0]) / 3);
}

static void assert_far(const struct theme *theme, enum way way, int a, int b,
		       const double least[N(visions)])
{
	for (size_t v = 0; v < N(visions); v++) {
		double found = distance(colours_seen(theme, a, way), colours_seen(theme, b, way),
					&visions[v]);

		if (found < least[v])
			fail_msg("%s, way %d: colours %d and %d are %.1f apart in %s", theme->name,
				 way, a, b, found, visions[v].name);
	}
}

static void assert_apart(const struct theme *theme, enum way way, int a, int b)
{
	static const double least[] = {CASE_DISTANCE, CASE_DISTANCE, CASE_DISTANCE, CASE_DISTANCE};

	assert_far(theme, way, a, b, least);
}

static void eight_cases_stay_apart_for_the_colour_blind(void **state)
{
	for (size_t i = 0; i < 2; i++)
		for (int a = COLOUR_MODEL0; a < COLOUR_MODEL7; a++)
			for (int b = a + 1; b <= COLOUR_MODEL7; b++)
				for (enum way way = WAY_TRUE; way <= WAY_256; way++)
					assert_apart(theme_at(i), way, a, b);
}

static void kinds_of_work_stay_apart_for_the_colour_blind(void **state)
{
	for (size_t i = 0; i < 2; i++)
		for (int a = COLOUR_CPU; a < COLOUR_WRITE; a++)
			for (int b = a + 1; b <= COLOUR_WRITE; b++)
				for (enum way way = WAY_TRUE; way <= WAY_256; way++)
					assert_apart(theme_at(i), way, a, b);
}

/* A band of a tree shows all of them, one on the other. */
static void states_of_a_tree_s_tasks_stay_apart_for_the_colour_blind(void **state)
{
	static const int states[] = {COLOUR_CPU, COLOUR_QUEUED, COLOUR_WAITING, COLOUR_READY_BED};

	for (size_t i = 0; i < 2; i++)
		for (size_t a = 0; a < N(states); a++)
			for (size_t b = a + 1; b < N(states); b++)
				for (enum way way = WAY_TRUE; way <= WAY_256; way++)
					assert_apart(theme_at(i), way, states[a], states[b]);
	/* Without colours, they are levels of grey. */
	for (size_t a = 0; a < N(states); a++)
		for (size_t b = a + 1; b < N(states); b++)
			assert_true(distance(theme_at(2)->colour[states[a]].rgb,
					     theme_at(2)->colour[states[b]].rgb, &visions[0]) > 14);
}

static void eight_workers_stay_apart_for_the_colour_blind(void **state)
{
	for (size_t i = 0; i < 2; i++)
		for (int a = COLOUR_WORKER0; a < COLOUR_WORKER7; a++)
			for (int b = a + 1; b <= COLOUR_WORKER7; b++)
				for (enum way way = WAY_TRUE; way <= WAY_256; way++)
					assert_apart(theme_at(i), way, a, b);
}

static void eight_workers_stay_apart_with_16_colours(void **state)
{
	for (size_t i = 0; i < 2; i++)
		for (int a = COLOUR_WORKER0; a < COLOUR_WORKER7; a++)
			for (int b = a + 1; b <= COLOUR_WORKER7; b++)
				assert_int_not_equal(theme_at(i)->colour[a].ansi,
						     theme_at(i)->colour[b].ansi);
}

/*
 * Nearly all sessions compare the first three models, whose bars and names are beside the lanes. A
 * worker in a model's colour would seem to belong to that model. On a white ground with 16 colours,
 * only eight can be seen, so workers need them all.
 */
static void no_worker_has_a_colour_of_the_first_three_models(void **state)
{
	/* With all cones, and with any kind of colour blindness. */
	static const double least[] = {25, 9, 9, 9};

	for (size_t i = 0; i < 2; i++)
		for (int model = COLOUR_MODEL0; model <= COLOUR_MODEL2; model++)
			for (int worker = COLOUR_WORKER0; worker <= COLOUR_WORKER7; worker++) {
				for (enum way way = WAY_TRUE; way <= WAY_256; way++)
					assert_far(theme_at(i), way, model, worker, least);
				assert_true(i == 1 || theme_at(i)->colour[model].ansi !=
							      theme_at(i)->colour[worker].ansi);
			}
}

/* Most sessions have no more than four cases. */
static void four_cases_stay_apart_with_16_colours(void **state)
{
	for (size_t i = 0; i < 2; i++)
		for (int a = COLOUR_MODEL0; a < COLOUR_MODEL3; a++)
			for (int b = a + 1; b <= COLOUR_MODEL3; b++)
				assert_int_not_equal(theme_at(i)->colour[a].ansi,
						     theme_at(i)->colour[b].ansi);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_theme_is_found_by_its_name),
		cmocka_unit_test(names_of_earlier_releases_are_known),
		cmocka_unit_test(every_text_can_be_read_on_its_ground),
		cmocka_unit_test(every_text_can_be_read_on_a_panel),
		cmocka_unit_test(every_area_stands_out_from_the_ground),
		cmocka_unit_test(waiting_does_not_look_like_nothing_or_work),
		cmocka_unit_test(indexed_colours_are_close_to_the_true_ones),
		cmocka_unit_test(the_distance_is_that_of_cielab),
		cmocka_unit_test(eight_cases_stay_apart_for_the_colour_blind),
		cmocka_unit_test(kinds_of_work_stay_apart_for_the_colour_blind),
		cmocka_unit_test(states_of_a_tree_s_tasks_stay_apart_for_the_colour_blind),
		cmocka_unit_test(eight_workers_stay_apart_for_the_colour_blind),
		cmocka_unit_test(eight_workers_stay_apart_with_16_colours),
		cmocka_unit_test(no_worker_has_a_colour_of_the_first_three_models),
		cmocka_unit_test(four_cases_stay_apart_with_16_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
