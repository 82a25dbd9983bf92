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

enum {
	APP_STOP_MS = 30000
}; /* Time for a run to end after SOURCE_STOP. A frozen run does not end. */

enum { NEXT_WORDS = 128 };

struct next {
	int argc;
	char *argv[NEXT_WORDS + 1]; /* argc words and NULL. No words: nothing follows. */
	int err;		    /* Error for the first word that could not be added, or 0. */
};

void next_free(struct next *next);
/*
 * Adds a word. Returns 0, -E2BIG or -ENOMEM. After an error no more words are added, and all calls
 * fail.
 */
__attribute__((format(printf, 2, 3))) int next_add(struct next *next, const char *format, ...);
/*
 * Adds the user's current choices for the screen and for recordings, except the theme. Returns 0 or
 * -errno.
 */
int next_add_now(struct next *next, const struct options *now);
/*
 * Checks whether the command line can run, as if it were typed; for files to be played, whether
 * they can be read. Returns 0, or a negative errno with a line in `error`.
 */
int next_check(struct next *next, char *error, size_t size);
int next_add_line(struct next *next, const char *line);

struct again {
	const char *recorded; /* The command line that was run. */
	/* Options that replace the same ones there, such as "-s ballast=0,64M"; NULL: no change. */
	const char *more;
	int64_t seed; /* Seed of the order; -1: draw another one. */
	/*
	 * Keep options that start or open things outside tuibench, because the user has typed them
	 * or will be asked. False: leave them out, because they come from a file.
	 */
	bool keeps;
	char **outside; /* Receives a line for each of these options; see options_rule_tell(). */
};

/*
 * Makes the command line of a session that follows this one, with the screen as it is now. Checks
 * and starts nothing: next_check() does. Returns 0, or a negative errno with a line in `error` that
 * begins with `by` and a colon; `next` is then empty.
 */
int again_make(struct next *next, const struct again *again, const struct options *now,
	       const char *by, char *error, size_t size);

struct lecturer;
struct notes_reader;
struct machines_app;
struct screen;

enum { CONSOLE_KEPT = 1024 };

/*
 * State that survives from one session to the next: the terminal, keys, signals, colours, and lines
 * to print when the screen is gone. One session follows another without giving the terminal back.
 */
struct console {
	struct screen *screen; /* NULL: the terminal was not taken yet, or was given back. */
	int tty_in;    /* Keys are read from it: standard input unless that is a recording. */
	int signal_fd; /* Receives the signals that end a session and those of the terminal. */
	int signal;    /* The signal that ended the program; 0: none. */
	size_t theme;  /* Number of the theme. */
	bool themed;   /* The theme was set: by an option, by a key, or by the terminal's answer. */
	enum glyphs glyphs; /* The glyphs that the terminal has. */
	char notice[320];   /* What is unusual about the terminal; "" if nothing. */
	enum view_captions captions;
	struct next next; /* The session that follows the running one. */
	/*
	 * The command line of the running session. Empty: the one with which the program was
	 * started.
	 */
	struct next now;
	struct lecturer *lecturer; /* The lecture whose scene is shown; NULL: none. */
	/* The lecture that is showing several machines, while their own keys apply; NULL: none. */
	struct lecturer *behind;
	struct notes_reader *notes;    /* Not NULL: only the notes of a lecture are shown. */
	struct machines_app *machines; /* Not NULL: several machines are shown. */
	struct patience patience;      /* for writing to standard error */
	struct patience log;	       /* for writing to a log that is not a regular file */
	bool unread;		       /* Nobody reads standard error: a write has timed out. */
	char *lines;	/* Lines for standard error that wait until the screen is gone. */
	size_t n_lines; /* bytes */
	/* Further lines, for which memory was short, as far as they fit. */
	char kept[CONSOLE_KEPT];
	size_t n_kept;
};

void console_init(struct console *console);
/*
 * Takes the terminal for a session, or keeps it, and sets the theme of the options. Returns 0, or
 * -errno: a line was printed, or a signal came while the program waited in the background.
 */
int console_open(struct console *console, const struct options *options);
/*
 * Call it when a signal has ended the session. From now on no write waits for a reader that does
 * not read.
 */
void console_hurry(struct console *console);
/*
 * console_leave() gives the terminal back and prints the lines that have waited. console_close()
 * also frees everything.
 */
void console_leave(struct console *console);
void console_close(struct console *console);
/* Width of the terminal that is standard error; 0: it is not a terminal. */
int console_columns(void);
/* Prints a text, wrapped between words to the terminal's width. In a pipe it is one line. */
void console_say_text(struct console *console, const char *text);
/* Prints a line on standard error: at once, or when the screen is gone. */
__attribute__((format(printf, 2, 3))) void console_say(struct console *console, const char *format,
						       ...);
/*
 * Sets the theme that suits the terminal's background, 0xrrggbb, unless a theme was chosen. Ignores
 * further answers.
 */
void console_suggest_theme(struct console *console, uint32_t rgb);
/*
 * Acts on a signal that concerns the terminal: a new size, stop, continue. Returns false for a
 * signal that ends the session; it is then in console->signal.
 */
bool console_heed(struct console *console, int number);
/* Whether the terminal is kept for a following session or a lecture's next scene. */
bool console_stays(const struct console *console);
/*
 * Makes the options of the session that follows; they point into the console. Returns false if none
 * follows. A line that cannot be parsed is reported, and *status is then its exit status.
 */
bool console_advance(struct console *console, struct options *options, int *status);

/*
 * Stops this program as the blocked SIGTSTP would have, and returns when it is continued. It does
 * not use SIGSTOP, which would also stop a program that no shell can continue. Returns true if it
 * took a blocked SIGCONT.
 */
bool suspend_here(void);

/*
 * Opens a non-blocking signalfd for n signals. Leaves out ignored ones (nohup), because a blocked
 * signal arrives even if it is ignored. Blocks SIGPIPE too, so that write() returns an error.
 * Returns -errno on error.
 */
int signals_open(const int *numbers, size_t n);
int signals_take(int fd);

/*
 * The clock of the display, which moves the model's cursor. In a live session it follows the newest
 * sample until the user asks to watch again; a recording is played. The caller tells it the time.
 */
struct player {
	/* More samples will come. At the end of the known time it follows them again. */
	bool grows;
	bool follow;	     /* It shows the newest sample as it arrives. */
	bool paused;	     /* Playing is paused; workers are not. */
	int speed;	     /* Index in the table of speeds. */
	int64_t position_ns; /* On the session's clock. */
	/* At slow speeds, the fraction of a nanosecond that was not advanced yet. */
	double rest_ns;
	uint64_t clock_ns; /* Time of the last player_advance(); 0: none yet. */
	struct race_clock race;
};

/*
 * grows: a live session or a stream, which the player follows. Otherwise it plays a recording from
 * its beginning. speed: 1 is real time; the nearest speed of the table (1/1000 … 1000) is used.
 */
void player_init(struct player *player, bool grows, double speed);
double player_speed(const struct player *player);
/* Whether the position is moving, so that frames must be drawn without new samples. */
bool player_moves(const struct player *player, const struct model *model);
void player_advance(struct player *player, struct model *model, uint64_t clock_ns);
/* Follows the newest sample again. Returns false if no more samples will come. */
bool player_follow(struct player *player, struct model *model);
void player_seek(struct player *player, struct model *model, double place);
void player_move(struct player *player, struct model *model, int64_t by);
/* Stops the clock or starts it. At the end of the recording, it starts from the beginning. */
void player_pause(struct player *player, struct model *model);
/* Makes it slower (-1) or faster (1). Returns false at the end of the table. */
bool player_change_speed(struct player *player, int by);
void player_jump(struct player *player, struct model *model, bool forward);
void player_step(struct player *player, struct model *model, int direction);

/*
 * Where a session is recorded: a file that the user names, a file in the state directory, or
 * standard output.
 */
struct recording {
	struct log_writer *log; /* NULL: nothing is recorded. */
	char path[PATH_MAX];	/* "" if there is no file. */
	const char *name; /* Name of the file without its directory; NULL if there is no file. */
	bool in_state_folder; /* The file is at its default place. */
	/* A line that says why the default place could not be used; "" if it could. */
	char notice[512];
};

/*
 * Refuses to read a file that is also written. Returns 0, or -EINVAL with a line in `error`. (A
 * shell empties the file after ">" before this program begins.)
 */
int recordings_check_input(const struct options *options, const char *path, char *error,
			   size_t size);
/*
 * The path of the newest recording. Returns 0, or -errno with a line in `error` (-ENOENT: there is
 * none).
 */
int recordings_newest(char path[PATH_MAX], char *error, size_t size);
/*
 * Lists the recordings in 80 columns, the newest last: date, machine, experiment, models, name and
 * result, or the reason why it cannot be read. Returns 0, or -errno with a line in `error`
 * (-ENOENT: there are none).
 */
/*
 * --prune: removes recordings from the state directory after asking. Returns 0, or -errno with a
 * line in `error`.
 */
int prune_run(const struct options *options, char *error, size_t size);
/*
 * Whether the state directory or its disk is so full that recordings should be removed; then `line`
 * says so.
 */
bool prune_is_due(char *line, size_t size);

int recordings_list(FILE *out, char *error, size_t size);
/*
 * Reads a whole recording into the model. It initialises the model; the caller frees it in every
 * case. Returns 0, or -errno with a line in `error`.
 */
int recordings_load(const char *path, struct model *model, char *error, size_t size);
/* Reads two recordings side by side into one model. */
int recordings_open_two(char *const paths[2], struct model *model, char *error, size_t size);

/*
 * The paths of all recordings, the newest first. Returns their number, or -errno with a line in
 * `error`.
 */
int recordings_paths(char ***paths, char *error, size_t size);
void recordings_paths_free(char **paths, int n);

/* A recording that is read in parts; not a pipe. The caller owns path and model. */
struct recordings_reading {
	const char *path;
	struct source *source;
	struct model *model;
	unsigned long long left_out; /* Number of samples that contradict earlier ones. */
	bool session_alone; /* Stop after the description of the session, before its runs. */
};

/* Writes a sample that the model has already taken. Returns as log_write(). */
int recordings_write(struct log_writer *log, struct model *model, const struct sample *sample);
/*
 * Before the end of a session, writes slices that were left out of its recording, as far as there
 * is room. Returns whether a message must say that some are missing. log may be NULL.
 */
bool recordings_tell_limit(struct log_writer *log, struct model *model,
			   const struct options *options, const struct sample *done,
			   struct sample *message);

int recordings_begin(struct recordings_reading *reading, const char *path, struct model *model);
/*
 * Reads for some milliseconds. Returns 1 if there is more, 0 when the model has everything, or
 * -errno.
 */
int recordings_go_on(struct recordings_reading *reading);
void recordings_end(struct recordings_reading *reading);

/*
 * Columns of a list: a date such as "2026-11-20 15:30" ("?" if unknown), and models such as
 * "threads, processes". Both return buf.
 */
const char *recordings_date(int64_t wall_s, char buf[32]);
const char *recordings_models(const struct model *model, char *buf, size_t size);

/*
 * The state directory: $XDG_STATE_HOME/tuibench, or ~/.local/state/tuibench. By the XDG Base
 * Directory Specification, the variable counts only if it is absolute. state_folder() also creates
 * the directory. Returns 0, or -errno with a name for messages in path.
 */
int state_folder_name(char path[PATH_MAX]);
int state_folder(char path[PATH_MAX]);

/* The recording of a lecture: its scenes, and access to each scene's session. */
struct scenes {
	int fd;
	const char *path; /* Owned by the caller. */
	struct log_scenes log;
};

/* Copies standard input to a file, because a pipe is not seekable. Returns 0 or -errno. */
int scenes_take_input(void);
/*
 * Returns 1 for the recording of a lecture; 0 for anything else, also for an unreadable file, whose
 * opening will report the error; -errno with a line in `error`. Call scenes_close() in every case.
 */
int scenes_open(struct scenes *scenes, const char *path, char *error, size_t size);
void scenes_close(struct scenes *scenes);
bool scenes_ran(const struct scenes *scenes, size_t i);
const char *scenes_count(const struct scenes *scenes, char *buf, size_t size);
struct source *scenes_source(const struct scenes *scenes, size_t i, char *error, size_t size);
int scenes_load(const struct scenes *scenes, size_t i, struct model *model, char *error,
		size_t size);
/*
 * The index of the scene that --scene chose. Returns -EINVAL with a line in `error` if that scene
 * has no session.
 */
int scenes_chosen(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size);
/*
 * Writes the whole lecture as --export or --format asks. Returns 0, or -errno with a line in
 * `error`.
 */
int scenes_export(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size);

struct result {
	const struct model *model;
	const struct export_format *format;
	const char *recording;	     /* Path of the recording, for a bundle. */
	struct screencast_wish wish; /* For a screencast. */
	const struct machines
		*machines; /* Several machines instead of a model, for a format that supports it. */
	const struct export_lecture
		*lecture; /* A lecture instead of a model, for a format that supports it. */
};

/*
 * Writes the result to the file at path, or with NULL to standard output. The file is replaced only
 * after everything was written, so a failed export leaves the old file and nothing else. Returns 0,
 * or -errno with a line in `error`.
 */
int result_save(const struct result *result, const char *path, char *error, size_t size);

/*
 * Saves the canvas as tuibench-DATE-N.txt and .svg, with the lowest N for which neither exists. It
 * uses the current directory, or the state directory if the current one is not writable. A slide
 * (its name is not NULL) is saved only as tuibench-DATE-NAME-N.svg. said[size] gets a line with the
 * names, or the reason for a failure. Returns 0, or -errno with neither file left behind.
 */
int snapshot_save(const struct canvas *canvas, const struct theme *theme, const char *slide,
		  char *said, size_t size);

/*
 * The speaker's notes on a second terminal. A lecture writes the current scene to a file below
 * $XDG_RUNTIME_DIR and keeps the file locked. The other terminals watch the file. The lock shows
 * them that the lecture is still being given.
 */

enum { NOTES_BYTES = 64 * 1024, NOTES_LINE = PATH_MAX + 160 };

struct notes {
	bool tried; /* The program has tried to open the file. */
	/* A line for the speaker: how to show the notes, or why they cannot be shown. */
	char line[NOTES_LINE];
	char path[PATH_MAX]; /* "": there is no file. */
	int fd;
	uint64_t begin_ns;
	size_t written; /* Number of the scene that was written last, from 1; 0: none yet. */
};

void notes_open(struct notes *notes);
/* Writes the scene unless it was written last. */
void notes_write(struct notes *notes, const struct view_lecture *scene);
/* Removes the file. Safe in a signal handler. */
void notes_unlink(const struct notes *notes);
void notes_close(struct notes *notes);

struct notes_reader {
	struct source source;
	char path[PATH_MAX];
	int fd; /* Readable when the file changes; -1: the lecture has ended. */
	bool received;
	uint64_t begin_ns;
	struct view_lecture scene; /* Its texts are in buffer. */
	char buffer[NOTES_BYTES + 16 * 1024];
};

int notes_connect(struct notes_reader *reader, char *error, size_t size);
void notes_disconnect(struct notes_reader *reader);
void notes_show(const struct notes_reader *reader, struct view_lecture *shown);

struct lecturer_scene {
	struct next
		words; /* The words of its command. None: it shows what the scene before shows. */
	bool same;     /* It shows the session of the previous scene again. */
	struct view_looks looks; /* What its command asks of the view. */
	char *reason;		 /* Why it cannot run or play; NULL: as far as known, it can. */
	/* The model that was shown, as it was left. Without a session, nothing was shown. */
	struct model kept;
	bool seen, recorded;
};

/*
 * A lecture on the screen: the current scene, and the models that were shown. A scene without a
 * command, or whose command is --replay alone, shares the session of the scene before it. Scenes
 * before the first command have no session and are slides.
 */
struct lecturer {
	struct lecture lecture;
	const struct options *options; /* Options of the lecture itself: screen, recording. */
	char path[PATH_MAX];	       /* Path of its file; "" if it is played from a recording. */
	bool installed;		       /* The file was installed with tuibench. */
	struct lecturer_scene *scenes; /* One for each scene of the lecture. */
	const char **headings;	       /* One for each scene. */
	bool records;		       /* The lecture is given, not played from a recording. */
	struct recording recording;    /* Valid if `records`. The caller closes it. */
	size_t at;
	size_t from; /* Scene before the last step. */
	/* The session ended because the user stepped to a scene with another session. */
	bool stepped;
	bool shown; /* The session has been on the screen. */
	bool again; /* The screen shows a session that was left before. */
	bool slide; /* The screen shows a slide. */
	char notice[SAMPLE_TEXT];
	struct notes notes;
};

/*
 * Reads the file, or the installed lecture of that name, and runs nothing. For each option of its
 * commands that starts or opens something outside tuibench, adds a line to *outside, see
 * options_rule_tell(). Returns 0, or a negative errno with a line in `error`.
 */
int lecturer_read(struct lecturer *lecturer, const struct options *options, char **outside,
		  char *error, size_t size);
/*
 * Writes what each scene will do and how long it takes, and all faults of the file, without running
 * anything. Returns whether there is a fault.
 */
int lecture_check(const struct options *options, FILE *out);
/*
 * Prepares the sessions of all commands. This loads the shared objects that they name. Returns 0,
 * or a negative errno with a line in `error`, and closes the lecture.
 */
int lecturer_open(struct lecturer *lecturer, char *error, size_t size);
int lecturer_open_recorded(struct lecturer *lecturer, const struct options *options,
			   const struct scenes *scenes, char *error, size_t size);
/*
 * Call it when a session of the console's lecture begins, or one that a key has started in between.
 * Returns the recording for it; log is NULL if it is not recorded. The caller must not close it.
 */
struct recording lecturer_record_session(const struct console *console,
					 const struct options *options);
/* Records the scenes that were shown since the last session began, except scene `but`. */
void lecturer_record_seen(struct lecturer *lecturer, size_t but);
/* The scene, from 0, whose session is shown or will be shown next; SIZE_MAX: none. */
size_t lecturer_session(const struct lecturer *lecturer);
/* The heading of the scene whose session has just ended; NULL if it was a slide. */
const char *lecturer_ended_heading(const struct lecturer *lecturer);
void lecturer_close(struct lecturer *lecturer);

/* Runs or plays a command line on the console's screen. Returns its exit status. */
typedef int lecturer_play(struct options *options, struct console *console);
/* Gives the lecture, from the first scene until the speaker leaves. Returns the exit status. */
int lecturer_run(struct lecturer *lecturer, struct console *console, lecturer_play *play);

void lecturer_excuse(struct lecturer *lecturer, const char *line);
const char *lecturer_show(struct lecturer *lecturer, struct view_state *state);
void lecturer_keep(struct lecturer *lecturer, struct model *model);
/* A line about a problem with the current scene or the next one; NULL: none. */
const char *lecturer_ahead(struct lecturer *lecturer);

/*
 * Steps to the next scene (1) or the previous one (-1). Sets `stepped` if that has another session.
 * Returns false with a notice if there is no such scene.
 */
bool lecturer_step(struct lecturer *lecturer, int by);

/*
 * Makes the words of a scene's command (none if it has no command), with the speaker's options for
 * the screen, and checks them as if typed. Recordings are looked for beside the lecture's file.
 * Returns 0, or a negative errno with a line in `error` that names file and line.
 */
int lecturer_words_make(struct lecturer_scene *made, const struct lecture_scene *scene,
			const char *path, const struct options *now, char *error, size_t size);

/*
 * Finds a lecture: the file NAME itself or, if there is none, NAME.md among the installed lectures.
 * Returns true for an installed one that is not a link to another file.
 */
bool lectures_find(const char *name, char path[PATH_MAX]);
int lectures_list(FILE *out, char *error, size_t size);

struct chooser;

bool chooser_has_tour(void);
/*
 * Opens the menu's data with the cursor on that experiment (NULL: on the first row). left_out is
 * the name of the recording that is being written, which is not listed; NULL: none. Returns NULL if
 * memory is short.
 */
struct chooser *chooser_open(const char *experiment, const char *left_out);
void chooser_close(struct chooser *chooser);
struct menu *chooser_menu(struct chooser *chooser);
void chooser_seal(struct chooser *chooser);
/*
 * Updates the selected row: its command line, its time and memory, and the reason why it cannot
 * run.
 */
void chooser_refresh(struct chooser *chooser);
/*
 * Reads recordings for some milliseconds, the selected one first. little: reads only the selected
 * one, and for a shorter time, because runs are being measured. Returns false when nothing is left
 * to read.
 */
bool chooser_read(struct chooser *chooser, bool little);
/*
 * Whether the selected recording can be played. 0: yes; -EMEDIUMTYPE: it is a lecture's; otherwise
 * -errno, and its sentence gives the reason.
 */
int chooser_try(struct chooser *chooser);
/* The next experiment in the list; after the last one, and for an unknown name, the first. */
const char *chooser_after(const char *experiment);

/*
 * The loop with a screen: passes samples to the log and the model, draws views, and handles keys.
 * Without a source, it takes over the contents of the model, or shows no session: a slide, or the
 * menu alone. log, model and log_name may be NULL. The caller closes source and log; the run has
 * then been stopped. Returns the session's exit status. If a key chose a session to follow,
 * console->next has it and the console keeps the terminal; otherwise the terminal was given back.
 * SIGPIPE and the signals that end a session stay blocked, so that a second signal does not keep
 * the caller from closing its files.
 */
int app_run(struct console *console, const struct options *options, struct source *source,
	    struct log_writer *log, struct model *model, const char *log_name);
/*
 * Asks a question on a screen of its own, before anything runs, and frees its text. Returns 0 for
 * yes, and keeps the terminal; 1 for no, or if there is no screen; 128 or more for a signal.
 */
int app_ask(struct console *console, const struct options *options,
	    const struct view_question *question);

struct app {
	const struct options *options;
	struct source *source;
	struct log_writer *log; /* NULL: there is none, or it has failed. */
	struct console *console;
	struct model model;
	struct player player;
	struct view view;
	struct canvas canvas;
	struct chooser *chooser;       /* Data of the open menu; NULL: the menu is closed. */
	struct view_question question; /* Its text is NULL if no question is open. */
	bool agreed;	 /* The user agreed to the last question, which ends the session. */
	bool alone;	 /* There is no session, only the menu or a question. */
	bool dirty;	 /* Something has changed since the last frame. */
	bool urgent;	 /* The user asked for it, so it does not wait for the next frame's time. */
	bool stalled;	 /* The terminal has not accepted the whole last frame. */
	bool unready;	 /* The terminal has not read enough of it to draw more. */
	uint64_t due_ns; /* Earliest time of the next frame, unless it is urgent. */
	bool paused;	 /* The source was asked to pause. */
	bool done;	 /* Nothing more is planned. */
	bool broken;	 /* The source gives no more samples. */
	bool failed;
	uint64_t lost; /* Number of samples that the model could not take. */
	bool quit;
	/* Name of the worker to select (--select) while it is not known yet; otherwise NULL. */
	const char *select;
	bool ahead; /* A lecture's next scene must be checked. */
	/* The act for which a question is open; the same key or click means yes. 0: none. */
	enum keys_act asked;
	enum keys_act answers; /* The value of `asked` before the current key. */
	uint32_t settled_runs; /* Number of runs that had ended when bars began to move. */
	uint64_t settled_ns;   /* Time at which they began to move. */
	/* Time at which a vote's bars began to be uncovered; 0: they are not. */
	uint64_t revealed_ns;
	char notice[SAMPLE_TEXT];
};

void app_notify(struct app *app, const char *text);
void app_fail(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The session is over: it gives no more samples. */
bool app_is_over(const struct app *app);
/* The session's clock does not move: neither the player nor new samples move it. */
bool app_stands(const struct app *app);
/* A run is being measured, and choosing another session would end it. */
bool app_measures(const struct app *app);
/* Draws the frame as of the model's cursor. Returns false if memory is short. */
bool app_compose(struct app *app);
/* Handles a closed terminal: ends the session as SIGHUP would, unless SIGHUP is ignored (nohup). */
void app_hang_up(struct app *app);

void press_keys(struct app *app);
void press_pause(struct app *app);
void press_open_menu(struct app *app);
/*
 * Puts the lecture's current scene into the view's state, and asks for the next one to be checked.
 */
void press_scene(struct app *app);

/*
 * Runs without a screen. Progress goes to standard error. The result goes to standard output or, if
 * the log uses that, to standard error. If the log goes to a pipe, only messages that it cannot
 * hold are printed, and the pipe's end ends the session as SIGPIPE would. log may be NULL. Returns
 * the program's exit status; messages have been printed. SIGINT, SIGTERM and SIGHUP end the run
 * cleanly, and stay blocked as in app_run().
 */
int batch_run(const struct options *options, struct source *source, struct log_writer *log);

/*
 * The self-test. Progress goes to standard error, the table or its JSON to standard output. Returns
 * the exit status: 0 if everything is as expected, 1 if not or on an error. Signals are handled as
 * in batch_run().
 */
int self_test_run(const struct options *options);

/*
 * Whether several machines are pooled: --replay or --export of a directory, or of more than two
 * recordings.
 */

bool machines_is_meant(const struct options *options);
/*
 * Pools the recordings and shows the answer; on a screen while a directory is watched. Returns the
 * exit status.
 */
int machines_run(const struct options *options, struct console *console);
/* Draws what app_run() shows instead of views. Returns false if memory is short. */
bool machines_draw(struct machines_app *app, struct canvas *canvas, const char *notice);
void machines_press(struct machines_app *app, int key);
