/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/options.h"
#include "base/patience.h"
#include "view/race.h"
#include "view/view.h"
#include "model/model.h"
#include "draw/draw.h"
#include "log/log.h"
#include "source/source.h"
#include "write/export.h"
#include "lecture/lecture.h"
#include "view/menu.h"

enum { APP_STOP_MS = 30000 }; /* for a run to end after SOURCE_STOP; a frozen one does not end */

enum { NEXT_WORDS = 128 };

struct next {
	int argc;
	char *argv[NEXT_WORDS + 1]; /* argc of them and NULL; none: nothing follows */
	int err;		    /* of the first word that could not be added */
};

void next_free(struct next *next);
/* One word more. 0, -E2BIG or -ENOMEM: then no word is added any more, and all calls fail. */
__attribute__((format(printf, 2, 3))) int next_add(struct next *next, const char *format, ...);
/* What the user has asked of the screen and of recordings now, but for the theme. 0 or -errno. */
int next_add_now(struct next *next, const struct options *now);
/*
 * Whether it can run, as if it were typed: 0, or a negative errno with a line in error. Of files
 * that are to be played it is asked whether they may be read.
 */
int next_check(struct next *next, char *error, size_t size);
int next_add_line(struct next *next, const char *line);

struct again {
	const char *recorded; /* the command line of what ran */
	const char *more;     /* "-s ballast=0,64M", instead of what it had; NULL: the same */
	int64_t seed;	      /* of its order; -1: another may be drawn */
	/*
	 * What it starts or opens outside tuibench is kept: the user has typed it, or is asked.
	 * Else it is left out, since it is a file that says so.
	 */
	bool keeps;
	char **outside; /* a line for each of these options; see options_rule_tell() */
};

/*
 * The session after this one, with the screen as it is now. Nothing is looked at or started:
 * next_check() does. 0, or a negative errno with a line in error, which begins with by and a colon,
 * and nothing in next.
 */
int again_make(struct next *next, const struct again *again, const struct options *now,
	       const char *by, char *error, size_t size);

struct lecturer;
struct notes_reader;
struct machines_app;
struct screen;

enum { CONSOLE_KEPT = 1024 };

/*
 * What outlasts a session on the screen: the terminal, keys, signals, looks, and what is to be said
 * when the screen is gone. Sessions follow one another on it without giving the terminal back.
 */
struct console {
	struct screen *screen; /* NULL: not taken yet, or given back */
	int tty_in;	       /* keys come from it: standard input unless that is a recording */
	int signal_fd;	       /* of the signals that end a session and those of the terminal */
	int signal;	       /* that ended it all; 0 */
	size_t theme;	       /* its number */
	bool themed;	       /* by who started it, by a key, or by the terminal's answer */
	enum glyphs glyphs;    /* that the terminal has */
	char notice[320];      /* what is not as the user may think of the terminal; "" */
	enum view_captions captions;
	struct next next;	   /* the session that is to follow the one that runs */
	struct next now;	   /* the words of the one that runs; none: the program's own */
	struct lecturer *lecturer; /* the lecture whose scene is shown; NULL: none */
	struct lecturer *behind; /* the lecture that shows machines, whose keys are its own; NULL */
	struct notes_reader *notes;    /* the notes are all that is shown; NULL */
	struct machines_app *machines; /* several machines are shown; NULL */
	struct patience patience;      /* with standard error */
	struct patience log;	       /* with a log that is no file */
	bool unread;		       /* nobody reads that: the patience has run out */
	char *lines;		       /* for standard error, that wait for the screen to go */
	size_t n_lines;		       /* bytes */
	char kept[CONSOLE_KEPT]; /* and those for which there was no memory, as far as they fit */
	size_t n_kept;
};

void console_init(struct console *console);
/*
 * Takes the terminal for a session, or keeps it. The theme that the options name is taken. 0, or
 * -errno: a line was printed, or a signal has come while it waited in the background.
 */
int console_open(struct console *console, const struct options *options);
/* A signal has ended the session: from here on nothing waits for a reader that does not read. */
void console_hurry(struct console *console);
/* Gives the terminal back and prints what was said meanwhile; close() frees everything as well. */
void console_leave(struct console *console);
void console_close(struct console *console);
/* Of the terminal that standard error is; 0: it is none. */
int console_columns(void);
/* A text as lines that break between words, as wide as the terminal; in a pipe it is one. */
void console_say_text(struct console *console, const char *text);
/* A line on standard error, at once or when the screen is gone. Without one: at once. */
__attribute__((format(printf, 2, 3))) void console_say(struct console *console, const char *format,
						       ...);
/*
 * The theme that goes with the terminal's background, 0xrrggbb, unless one was chosen; no other
 * answer counts.
 */
void console_suggest_theme(struct console *console, uint32_t rgb);
/*
 * Does what a signal asks of the terminal: other sizes, stopping, going on. False when one has
 * come that ends the session, which console->signal has.
 */
bool console_heed(struct console *console, int number);
/* Whether the terminal is kept for what follows: a session, or a lecture's next scene. */
bool console_stays(const struct console *console);
/*
 * Makes the options of the session that follows; they point into the console. False: none does. A
 * line that cannot be parsed is reported, and *status is what it would end with.
 */
bool console_advance(struct console *console, struct options *options, int *status);

/*
 * Stops this program as the blocked SIGTSTP would have, and returns when it is continued: SIGSTOP
 * would also stop a program that no shell can continue. True: it took a blocked SIGCONT.
 */
bool suspend_here(void);

/*
 * A non-blocking signalfd of the n signals but those that are ignored (nohup), which would come all
 * the same if they were blocked. Blocks SIGPIPE as well, so that write() returns it. -errno.
 */
int signals_open(const int *numbers, size_t n);
int signals_take(int fd);

/*
 * The clock of what is shown: it moves the model's cursor. Live it follows the newest sample until
 * somebody asks to watch again; a recording plays. It reads no clock itself.
 */
struct player {
	bool grows;	     /* more samples come: at the end of what is known it follows again */
	bool follow;	     /* shows the newest sample as it comes */
	bool paused;	     /* of what is played, not of the workers */
	int speed;	     /* its place in the table of speeds */
	int64_t position_ns; /* on the session's clock */
	double rest_ns;	     /* of slow speeds: what was not yet a whole nanosecond */
	uint64_t clock_ns;   /* of the last advance; 0: none yet */
	struct race_clock race;
};

/*
 * grows: a live session or a stream, which is followed; else a recording, which plays from its
 * begin. speed: 1 is real time; the nearest of the table (1/1000 … 1000) is taken.
 */
void player_init(struct player *player, bool grows, double speed);
double player_speed(const struct player *player);
/* Whether the position moves by itself, so that frames are due without new samples. */
bool player_moves(const struct player *player, const struct model *model);
void player_advance(struct player *player, struct model *model, uint64_t clock_ns);
/* Follows the newest sample again; false where no more of them come. */
bool player_follow(struct player *player, struct model *model);
void player_seek(struct player *player, struct model *model, double place);
void player_move(struct player *player, struct model *model, int64_t by);
/* Stops the clock, or starts it: at the end of what is recorded, from the start. */
void player_pause(struct player *player, struct model *model);
/* Slower (-1) or faster (1); false where it cannot. */
bool player_change_speed(struct player *player, int by);
void player_jump(struct player *player, struct model *model, bool forward);
void player_step(struct player *player, struct model *model, int direction);

/* The place of a session's log: a file that the user names, the state directory, standard output.
 */
struct recording {
	struct log_writer *log; /* NULL: nothing is recorded */
	char path[PATH_MAX];	/* "" where it has none */
	const char *name;	/* of the file without its directory, NULL where it has none */
	bool in_state_folder;	/* at its default place */
	char notice[512];	/* one line about a default place that could not be used, "" */
};

/*
 * A file that is read must be none that is written: 0, or -EINVAL with one line in error. A shell
 * has emptied what follows its > before this program began.
 */
int recordings_check_input(const struct options *options, const char *path, char *error,
			   size_t size);
/* The path of the newest one. 0, or -errno with one line in error (-ENOENT: there is none). */
int recordings_newest(char path[PATH_MAX], char *error, size_t size);
/*
 * Each with its date, machine, experiment, models, name and result in 80 columns, the newest last;
 * one that cannot be read with the reason. 0, or -errno with one line in error (-ENOENT: none).
 */
/* --prune: removes recordings of the state directory, after asking. 0 or -errno with a line in
 * error.
 */
int prune_run(const struct options *options, char *error, size_t size);
/* Whether the state directory or its disk is so full that recordings should go, with a line that
 * says it. */
bool prune_is_due(char *line, size_t size);

int recordings_list(FILE *out, char *error, size_t size);
/*
 * Reads the whole of one into the model, which is initialised here and freed by the caller in every
 * case. 0, or -errno with one line in error.
 */
int recordings_load(const char *path, struct model *model, char *error, size_t size);
/* The same of two, side by side. */
int recordings_open_two(char *const paths[2], struct model *model, char *error, size_t size);

/* Of all, the newest first; how many, or -errno with one line in error. */
int recordings_paths(char ***paths, char *error, size_t size);
void recordings_paths_free(char **paths, int n);

/* One that is read in parts, which is no pipe. The path and the model are the caller's. */
struct recordings_reading {
	const char *path;
	struct source *source;
	struct model *model;
	unsigned long long left_out; /* samples that contradict earlier ones */
	bool session_alone;	     /* reading stops after the session, before its runs */
};

/* Writes a sample that the model has taken. Returns as log_write(). */
int recordings_write(struct log_writer *log, struct model *model, const struct sample *sample);
/*
 * Whether the end of a session needs a message first: that slices are left out of its recording.
 * log may be NULL.
 */
bool recordings_tell_limit(const struct log_writer *log, const struct options *options,
			   const struct sample *done, struct sample *message);

int recordings_begin(struct recordings_reading *reading, const char *path, struct model *model);
/* A part of some milliseconds: 1, 0 when the model has all of it, or -errno. */
int recordings_go_on(struct recordings_reading *reading);
void recordings_end(struct recordings_reading *reading);

/* What a list shows of one: "2026-11-20 15:30", "?"; and "threads, processes". Both return buf. */
const char *recordings_date(int64_t wall_s, char buf[32]);
const char *recordings_models(const struct model *model, char *buf, size_t size);

/*
 * The state directory: $XDG_STATE_HOME/tuibench (by the XDG Base Directory Specification only if
 * that is absolute) or ~/.local/state/tuibench. state_folder() makes it if it is not there. 0, or
 * -errno and path is what to call it in a message.
 */
int state_folder_name(char path[PATH_MAX]);
int state_folder(char path[PATH_MAX]);

/* The recording of a lecture, opened: its scenes, and their sessions one by one. */
struct scenes {
	int fd;
	const char *path; /* the caller's */
	struct log_scenes log;
};

/* Makes standard input a file: a pipe cannot be read at any place. 0 or -errno. */
int scenes_take_input(void);
/*
 * 1: the recording of a lecture; 0: something else, or unreadable, which its opening will say;
 * -errno with one line in error. To be closed in every case.
 */
int scenes_open(struct scenes *scenes, const char *path, char *error, size_t size);
void scenes_close(struct scenes *scenes);
bool scenes_ran(const struct scenes *scenes, size_t i);
const char *scenes_count(const struct scenes *scenes, char *buf, size_t size);
struct source *scenes_source(const struct scenes *scenes, size_t i, char *error, size_t size);
int scenes_load(const struct scenes *scenes, size_t i, struct model *model, char *error,
		size_t size);
/* The place of the scene that --scene chose; -EINVAL with one line in error: none that ran. */
int scenes_chosen(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size);
/* The whole lecture as --export or --format has it. 0, or -errno with one line in error. */
int scenes_export(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size);

struct result {
	const struct model *model;
	const struct export_format *format;
	const char *recording;		      /* of a bundle */
	struct screencast_wish wish;	      /* of a screencast */
	const struct machines *machines;      /* instead of a model, in a format that has it */
	const struct export_lecture *lecture; /* instead of a model, in a format that has it */
};

/*
 * To the file at path, which is replaced when all of it is written: an export that fails leaves
 * what was there, and nothing else. NULL: to standard output. 0, or -errno with one line in error.
 */
int result_save(const struct result *result, const char *path, char *error, size_t size);

/*
 * Saves the canvas as tuibench-DATE-N.txt and .svg, with the least N that both are free of: in the
 * current directory, or in the state directory where that cannot be written to. What they are, or
 * why not, is one line in said[size]. A slide of that name (else NULL) is tuibench-DATE-NAME-N.svg
 * alone. 0 or -errno with neither file left behind.
 */
int snapshot_save(const struct canvas *canvas, const struct theme *theme, const char *slide,
		  char *said, size_t size);

/*
 * The speaker's notes on a second terminal: a lecture keeps the scene that is shown in a file below
 * $XDG_RUNTIME_DIR, which it locks. Terminals watch the file, and see by the lock that it is held.
 */

enum { NOTES_BYTES = 64 * 1024, NOTES_LINE = PATH_MAX + 160 };

struct notes {
	bool tried;	       /* to open it */
	char line[NOTES_LINE]; /* for the speaker: how they are shown, or why they are not */
	char path[PATH_MAX];   /* "": there is none */
	int fd;
	uint64_t begin_ns;
	size_t written; /* the scene, from 1; 0: none yet */
};

void notes_open(struct notes *notes);
/* Writes the scene unless it is the one that was written last. */
void notes_write(struct notes *notes, const struct view_lecture *scene);
/* Removes the file; safe in a signal handler. */
void notes_unlink(const struct notes *notes);
void notes_close(struct notes *notes);

struct notes_reader {
	struct source source;
	char path[PATH_MAX];
	int fd; /* tells of changes; -1: the lecture has ended */
	bool received;
	uint64_t begin_ns;
	struct view_lecture scene; /* its texts are in the buffer */
	char buffer[NOTES_BYTES + 16 * 1024];
};

int notes_connect(struct notes_reader *reader, char *error, size_t size);
void notes_disconnect(struct notes_reader *reader);
void notes_show(const struct notes_reader *reader, struct view_lecture *shown);

struct lecturer_scene {
	struct next words;	 /* of its command; none: it shows what the scene before shows */
	bool same;		 /* they look again at the session of the scene before */
	struct view_looks looks; /* what they ask of the view */
	char *reason;		 /* why it cannot run or play; NULL: as far as is known it can */
	struct model kept; /* what has been shown, as it was left; without a session: nothing */
	bool seen, recorded;
};

/*
 * A lecture on the screen: the scene that is shown, and what was shown. Scenes without a command
 * share the session of the one before them, those whose command is --replay alone as well; those
 * before the first command have none, and are slides.
 */
struct lecturer {
	struct lecture lecture;
	const struct options *options; /* the lecture's own: looks, recording */
	char path[PATH_MAX];	       /* its file; "" of a recorded one */
	bool installed;		       /* the file came with tuibench */
	struct lecturer_scene *scenes; /* as many as the lecture has */
	const char **headings;	       /* the same */
	bool records;		       /* it is held, and not replayed */
	struct recording recording;    /* then; the caller closes it */
	size_t at;
	size_t from;  /* before the last step */
	bool stepped; /* the session has ended for another scene's */
	bool shown;   /* the session came to the screen */
	bool again;   /* what is on the screen was left there before */
	bool slide;   /* what is on the screen is none */
	char notice[SAMPLE_TEXT];
	struct notes notes;
};

/*
 * Reads the file, or an installed lecture of that name, and nothing else: a line for each option of
 * its commands that starts or opens something outside tuibench goes to outside, see
 * options_rule_tell(). 0, or a negative errno with a line in error.
 */
int lecturer_read(struct lecturer *lecturer, const struct options *options, char **outside,
		  char *error, size_t size);
/*
 * Writes what each scene will do and how long it takes, and all faults of the file, without running
 * anything. Returns whether there is a fault.
 */
int lecture_check(const struct options *options, FILE *out);
/*
 * Makes sessions of all its commands, which loads the objects that they name. 0, or a negative
 * errno with a line in error, and the lecture is closed.
 */
int lecturer_open(struct lecturer *lecturer, char *error, size_t size);
int lecturer_open_recorded(struct lecturer *lecturer, const struct options *options,
			   const struct scenes *scenes, char *error, size_t size);
/*
 * A session of the console's lecture begins, or one that a key has started besides: the recording
 * that it goes to, whose log is NULL where it is not recorded; not to be closed.
 */
struct recording lecturer_record_session(const struct console *console,
					 const struct options *options);
/* Writes the scenes that were seen since the last session began, but for that one. */
void lecturer_record_seen(struct lecturer *lecturer, size_t but);
/* The scene, from 0, whose session is shown or is about to be; SIZE_MAX: there is none. */
size_t lecturer_session(const struct lecturer *lecturer);
/* The heading of the scene whose session has just ended; NULL if that was a slide. */
const char *lecturer_ended_heading(const struct lecturer *lecturer);
void lecturer_close(struct lecturer *lecturer);

/* Runs or plays one command line on the console's screen; returns its exit status. */
typedef int lecturer_play(struct options *options, struct console *console);
/* From the first scene until the speaker leaves. Returns the exit status. */
int lecturer_run(struct lecturer *lecturer, struct console *console, lecturer_play *play);

void lecturer_excuse(struct lecturer *lecturer, const char *line);
const char *lecturer_show(struct lecturer *lecturer, struct view_state *state);
void lecturer_keep(struct lecturer *lecturer, struct model *model);
/* A line about the scene that was stepped to or the one after it; NULL: none. */
const char *lecturer_ahead(struct lecturer *lecturer);

/*
 * Steps to the next scene (1) or the previous one (-1), and sets stepped if it is of another
 * session; false with a notice: there is none.
 */
bool lecturer_step(struct lecturer *lecturer, int by);

/*
 * The words of a scene's command (none: it has none), with the speaker's options for the screen,
 * checked as if typed. Recordings lie beside the lecture's file. 0, or a negative errno with a line
 * in error that names file and line.
 */
int lecturer_words_make(struct lecturer_scene *made, const struct lecture_scene *scene,
			const char *path, const struct options *now, char *error, size_t size);

/*
 * The file NAME itself, or where there is none NAME.md of the lectures that come with the program.
 * True: it is such a one, and no link to another file.
 */
bool lectures_find(const char *name, char path[PATH_MAX]);
int lectures_list(FILE *out, char *error, size_t size);

struct chooser;

bool chooser_has_tour(void);
/*
 * Puts the cursor on the experiment; NULL: on the first row. Leaves out the recording of that name,
 * which is being written; NULL: none. NULL without memory.
 */
struct chooser *chooser_open(const char *experiment, const char *left_out);
void chooser_close(struct chooser *chooser);
struct menu *chooser_menu(struct chooser *chooser);
void chooser_seal(struct chooser *chooser);
/* Updates the selected row's command line, its time and memory, and why it cannot run. */
void chooser_refresh(struct chooser *chooser);
/*
 * Reads recordings for some milliseconds, the selected one first; little: that one alone and for
 * less, while runs are measured. False: nothing is left to read.
 */
bool chooser_read(struct chooser *chooser, bool little);
/* 0: the selected recording can be played; -EMEDIUMTYPE: a lecture's; else -errno, and its sentence
 * says why. */
int chooser_try(struct chooser *chooser);
/* The experiment after that one, around the end; the first where it is none. */
const char *chooser_after(const char *experiment);

/*
 * The loop with a screen: samples into log and model, views onto the screen, keys. Where source is
 * NULL, it takes the contents of the model, or there is no session: a slide, the menu alone. log,
 * model and log_name may be NULL. The caller closes source and log; the run has been stopped.
 * Returns the session's exit status. If a key chose a session to follow, console->next has it and
 * the console keeps the terminal; else it was given back. The signals that end a session, and
 * SIGPIPE, stay blocked, so that a second one does not keep the caller from closing its files.
 */
int app_run(struct console *console, const struct options *options, struct source *source,
	    struct log_writer *log, struct model *model, const char *log_name);
/*
 * A question on a screen of its own, before anything runs; its text is freed. 0: yes, and the
 * terminal is kept for what follows; 1: no, or there is no screen; 128 and more: a signal.
 */
int app_ask(struct console *console, const struct options *options,
	    const struct view_question *question);

struct app {
	const struct options *options;
	struct source *source;
	struct log_writer *log; /* NULL: none, or it has failed */
	struct console *console;
	struct model model;
	struct player player;
	struct view view;
	struct canvas canvas;
	struct chooser *chooser;       /* of the menu that is open; NULL */
	struct view_question question; /* its text is NULL: none is open */
	bool agreed;		       /* to the last one, which ends the session */
	bool alone;		       /* the menu or a question is all there is */
	bool dirty;		       /* something has changed since the last frame */
	bool urgent;		       /* it was asked for: no waiting for the next frame's time */
	bool stalled;		       /* the terminal has not taken the last frame, or all of it */
	bool unready;		       /* it has not read enough of it for more to be drawn */
	uint64_t due_ns;	       /* no frame before, unless one is urgent */
	bool paused;		       /* as the source was asked */
	bool done;		       /* nothing more is planned */
	bool broken;		       /* the source gives no more samples */
	bool failed;
	uint64_t lost; /* samples that the model could not take */
	bool quit;
	const char *select;    /* the worker's name of --select, until it is known; NULL */
	bool ahead;	       /* a lecture's next scene is to be checked */
	enum keys_act asked;   /* whose question is shown: the same key or click is a yes; 0 */
	enum keys_act answers; /* the same before the key that is pressed now */
	uint32_t settled_runs; /* that had ended when bars began to move, */
	uint64_t settled_ns;   /* and when that was */
	uint64_t revealed_ns;  /* since when a vote's bars run out; 0: they do not */
	char notice[SAMPLE_TEXT];
};

void app_notify(struct app *app, const char *text);
void app_fail(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The session is over: no more samples come by themselves. */
bool app_is_over(const struct app *app);
/* Nothing moves the session's clock: neither the player nor new samples. */
bool app_stands(const struct app *app);
/* A run is measured, which a choice would end. */
bool app_measures(const struct app *app);
/* The frame as of the model's clock; false without memory for it. */
bool app_compose(struct app *app);
/* A closed terminal ends the session as SIGHUP does, which may be ignored (nohup). */
void app_hang_up(struct app *app);

void press_keys(struct app *app);
void press_pause(struct app *app);
void press_open_menu(struct app *app);
/* Puts a lecture's scene into the view's state; its next one is to be checked. */
void press_scene(struct app *app);

/*
 * The run without a screen: progress on standard error, the result on standard output, or on
 * standard error where the log takes standard output. If the log goes to a pipe, only messages that
 * it cannot hold are printed, and the pipe's end ends the session, as by SIGPIPE. log may be NULL.
 * Returns the exit status of the program, with messages already given. SIGINT, SIGTERM and SIGHUP
 * end the run cleanly, and stay blocked as in app_run().
 */
int batch_run(const struct options *options, struct source *source, struct log_writer *log);

/*
 * The self-test: progress on standard error, the table or its JSON on standard output. Returns the
 * exit status: 0 all is as expected, 1 something is not, or failed. Signals as in batch_run().
 */
int self_test_run(const struct options *options);

/* --replay and --export of a directory, or of more than two recordings, pooled. */

bool machines_is_meant(const struct options *options);
/* Pools and shows them, on the screen while a directory is watched. Returns the exit status. */
int machines_run(const struct options *options, struct console *console);
/* What app_run() shows in the place of views. False: no memory. */
bool machines_draw(struct machines_app *app, struct canvas *canvas, const char *notice);
void machines_press(struct machines_app *app, int key);
