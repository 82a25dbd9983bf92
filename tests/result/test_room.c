/* SPDX-License-Identifier: MIT */
#include "result/room.h"

#include <stdio.h>
#include <string.h>

#include "stage/check.h"
#include "stage/synthetic.h"

/* Recordings that nobody made, as a room of machines. */

static const int64_t now_s = 2000000000;

/* A recording of a machine with that label; it has not been written as a file. */
static struct room_recording *add(struct room *room, const char *label, struct synthetic *session)
{
	char path[128];
	struct model model;

	synthetic_model(session, &model);
	snprintf(model.session.machine.label, MACHINE_TEXT, "%s", label);
	snprintf(model.session.machine.id, MACHINE_ID, "%.15s", label);
	snprintf(path, sizeof(path), "/nowhere/drop-%s.csv", label);
	assert_int_equal(room_add(room, path, now_s, &model, ""), 0);
	model_free(&model);
	return &room->list[room->n - 1];
}

static struct room three_machines(void)
{
	static const char *const labels[] = {"anna", "ben", "carl"};
	struct room room = {.now_s = now_s};
	struct synthetic session;

	for (size_t i = 0; i < 3; i++) {
		synthetic_mixed(&session, 6);
		add(&room, labels[i], &session);
	}
	return room;
}

static void expect(struct room *room, const char *text)
{
	FILE *names = fmemopen((void *)text, strlen(text), "r");

	assert_non_null(names);
	assert_int_equal(room_expect(room, names), 0);
	fclose(names);
}

static void assert_trouble(const struct room *room, enum room_trouble kind, const char *expected)
{
	char line[1024];

	assert_int_equal(room_trouble(room, kind, line, sizeof(line)), expected != NULL);
	if (expected)
		assert_string_equal(line, expected);
}

static void who_is_expected_and_has_not_reported_is_named(void **state)
{
	struct room room = three_machines();
	struct synthetic session;

	assert_trouble(&room, ROOM_MISSING, NULL);
	expect(&room, "# the class\nanna\ndrop-ben\r\n\ndora: no route to host\nemil  # late\n");
	assert_trouble(&room, ROOM_MISSING,
		       "2 of 4 have not reported: dora (no route to host), emil.");
	synthetic_mixed(&session, 6);
	add(&room, "dora", &session);
	assert_trouble(&room, ROOM_MISSING, "1 of 4 has not reported: emil.");
	/* The list grew, and nobody is named twice. */
	expect(&room, "anna\nemil\nemil: exit status 3\nfrida\n");
	assert_trouble(&room, ROOM_MISSING,
		       "2 of 3 have not reported: emil (exit status 3), frida.");
	expect(&room, "anna\n");
	assert_trouble(&room, ROOM_MISSING, NULL);
	room_free(&room);
}

static void of_many_who_are_missing_the_first_are_named(void **state)
{
	struct room room = three_machines();

	expect(&room, "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nanna\n");
	assert_trouble(&room, ROOM_MISSING,
		       "10 of 11 have not reported: a, b, c, d, e, f, g, h and 2 more.");
	room_free(&room);
}

static void a_recording_without_an_end_says_whether_it_grows(void **state)
{
	struct room room = three_machines();
	struct synthetic session;
	struct room_recording *dora;

	assert_trouble(&room, ROOM_UNFINISHED, NULL);
	synthetic_mixed(&session, 6);
	session.stop_ns = 20000000000;
	dora = add(&room, "dora", &session);
	dora->written_s = now_s - 2;
	assert_trouble(&room, ROOM_UNFINISHED, "1 has no end yet: dora.");
	dora->written_s = now_s - 184;
	assert_trouble(&room, ROOM_UNFINISHED,
		       "1 has no end yet: dora (nothing new for 3:04 min).");
	room_free(&room);
}

static void failed_runs_are_counted_and_their_reason_is_given(void **state)
{
	struct room room = three_machines();
	struct synthetic session;

	assert_trouble(&room, ROOM_FAILED, NULL);
	synthetic_mixed(&session, 6);
	session.broken_run = 5;
	session.broken = SAMPLE_CRASHED;
	add(&room, "dora", &session);
	/* Its user stopped this one. */
	session.broken = SAMPLE_INTERRUPTED;
	add(&room, "emil", &session);
	assert_int_equal(room.list[3].failed, 1);
	assert_int_equal(room.list[4].failed, 0);
	snprintf(room.list[3].failure, sizeof(room.list[3].failure), "exit status 3");
	room.list[3].runs = 12;
	assert_trouble(&room, ROOM_FAILED, "1 has failed runs: dora (1 of 12: exit status 3).");
	room_free(&room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_expected_and_has_not_reported_is_named),
		cmocka_unit_test(of_many_who_are_missing_the_first_are_named),
		cmocka_unit_test(a_recording_without_an_end_says_whether_it_grows),
		cmocka_unit_test(failed_runs_are_counted_and_their_reason_is_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
