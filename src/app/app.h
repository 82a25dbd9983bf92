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
#include "draw/theme.h"
#include "log/log.h"
#include "source/source.h"
#include "result/machines.h"
#include "write/export.h"
#include "lecture/lecture.h"
#include "view/menu.h"

enum {
	APP_STOP_MS = 30000
}; /* Longest wait, ms, for a run to end after SOURCE_STOP. A frozen run never ends. */

enum { NEXT_WORDS = 128 };

struct next {
	int argc;
	char *argv[NEXT_WORDS + 1]; /* argc words and NULL. No words: no session follows. */
	int err;		    /* 0, or the error of the first word that could not be added. */
};

void next_free(struct next *next);
/*
 * Adds a word. Returns 0, -E2BIG or -ENOMEM. After an error, all further calls return the error and
 * add nothing.
 */
__attribute__((format(printf, 2, 3))) int next_add(struct next *next, const char *format, ...);
/*
 * Adds the user's current choices for the screen and for recordings, except the theme. Returns 0 or
 * -errno.
 */
int next_add_now(struct next *next, const struct options *now);
/*
 * Checks whether the command line could run if it were typed. The recordings that it plays must be
 * readable. Returns 0, or a negative errno with a line in `error`.
 */
int next_check(struct next *next, char *error, size_t size);
int next_add_line(struct next *next, const char *line);

struct again {
	const char *recorded; /* The command line of the recorded session. */
	/*
	 * An option that replaces the same setting of `recorded`, such as "--set ballast=0,64M".
	 * NULL: no such option.
	 */
	const char *more;
	int64_t seed; /* Seed of the order. -1: draw another seed. */
	/*
	 * True: keep options that start or open things outside tuibench, because the user has typed
	 * them or will be asked about them. False: leave them out, because they come from a file.
	 * If the session's work depends on such an option, again_make() then fails with -EPERM.
	 */
	bool keeps;
	/*
	 * Receives a line for each option that starts or opens something outside; see
	 * options_rule_tell().
	 */
	char **outside;
};

/*
 * Makes the command line of a session that follows this session, with the current screen. To check
 * the line, call next_check(). Returns 0, or a negative errno with a line in `error` that begins
 * with `by` and a colon; `next` is then empty.
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
 * to print when the screen is gone. The terminal stays taken between two sessions.
 */
struct console {
	struct screen *screen; /* NULL: the terminal is not in use. */
	/*
	 * Keys are read from this descriptor: standard input, or the terminal if standard input is
	 * a recording.
	 */
	int tty_in;
	int signal_fd; /* Receives the signals that end a session, and the terminal's signals. */
	int signal;    /* The signal that ended the program; 0: none. */
	size_t theme;  /* Index of the theme. */
	/* The theme is settled: by an option, by a key, or by the terminal's answer. */
	bool themed;
	enum glyphs glyphs; /* The glyphs that the terminal has. */
	char notice[320];   /* A message for the user about the terminal. "": no message. */
	enum view_captions captions;
	struct next next; /* The session that follows the running one. */
	/*
	 * The command line of the running session. If it is empty, it is the command line with
	 * which the program was started.
	 */
	struct next now;
	/* The lecture whose scene is shown. NULL: no lecture is shown. */
	struct lecturer *lecturer;
	/*
	 * While several machines are shown: the lecture whose scene shows them. NULL: no lecture.
	 */
	struct lecturer *behind;
	struct notes_reader *notes;    /* Not NULL: only the notes of a lecture are shown. */
	struct machines_app *machines; /* Not NULL: several machines are shown. */
	struct patience patience;      /* for writing to standard error */
	struct patience log;	       /* for writing to a log that is not a regular file */
	/* Writing to standard error timed out, or a signal ended it, so nothing more is written. */
	bool unread;
	char *lines;	/* Lines for standard error that wait until the screen is gone. */
	size_t n_lines; /* Number of bytes in `lines`. */
	/* If there was no memory for `lines`: the lines that follow, as far as they fit. */
	char kept[CONSOLE_KEPT];
	size_t n_kept;
};

void console_init(struct console *console);
/*
 * Takes the terminal for a session, or keeps it, and sets the theme of the options. Returns 0 or
 * -errno. An error means that the terminal could not be taken, and a line was printed, or that a
 * signal that ends the program arrived while the program waited in the background.
 */
int console_open(struct console *console, const struct options *options);
/*
 * From now on, a write waits at most PATIENCE_LAST_MS for its reader. Call it when a signal has
 * ended the session.
 */
void console_hurry(struct console *console);
/*
 * console_leave() gives the terminal back and prints the lines that waited for it. console_close()
 * also frees everything.
 */
void console_leave(struct console *console);
void console_close(struct console *console);
/* Width of the terminal on standard error. 0: standard error is not a terminal. */
int console_columns(void);
/*
 * Prints a text, wrapped between words to the terminal's width. If standard error is not a
 * terminal, prints one line.
 */
void console_say_text(struct console *console, const char *text);
/* Prints a line on standard error: at once, or after the screen is gone. */
__attribute__((format(printf, 2, 3))) void console_say(struct console *console, const char *format,
						       ...);
/*
 * Sets the theme that suits the terminal's background, 0xrrggbb, unless a theme was chosen. Only
 * the first call has an effect.
 */
void console_suggest_theme(struct console *console, uint32_t rgb);
/*
 * Handles a signal about the terminal: a new size, stop, continue. Returns false for a signal that
 * ends the session, after storing it in console->signal.
 */
bool console_heed(struct console *console, int number);
/* Whether the terminal stays in use, for a following session or a lecture's next scene. */
bool console_stays(const struct console *console);
/*
 * Parses the options of the session that follows; they point into the console. Returns false if no
 * session follows. If its command line cannot be parsed, prints the error and sets *status to the
 * exit status.
 */
bool console_advance(struct console *console, struct options *options, int *status);

/*
 * Stops this program by SIGTSTP, which is otherwise blocked, and returns when the program is
 * continued. SIGTSTP, unlike SIGSTOP, does not stop a program that no shell could continue. Returns
 * true if a pending SIGCONT, which was blocked, was taken.
 */
bool suspend_here(void);

/*
 * Opens a non-blocking signalfd for n signals. Leaves out signals that are ignored (nohup), because
 * a signalfd receives a blocked signal even if it is ignored. Blocks SIGPIPE too, so that write()
 * returns an error. Returns the descriptor or -errno.
 */
int signals_open(const int *numbers, size_t n);
int signals_take(int fd);

/*
 * The clock that moves the model's cursor. In a live session, the cursor is at the newest sample
 * until the user asks for a replay; a recording is played. The caller passes the time.
 */
struct player {
	/*
	 * More samples may arrive. When the player reaches the newest sample, it follows further
	 * samples.
	 */
	bool grows;
	bool follow;	     /* The player shows the newest sample as it arrives. */
	bool paused;	     /* The player is paused. The workers may still run. */
	bool moved;	     /* The user went to another time. */
	int speed;	     /* Index in the table of speeds. */
	int64_t position_ns; /* Position on the session's clock, ns. */
	/* Fraction of a nanosecond to add to position_ns, which matters at slow speeds. */
	double rest_ns;
	uint64_t clock_ns; /* Time of the last player_advance(). 0: it has not been called yet. */
	struct race_clock race;
};

/*
 * grows: the player follows a live session or a stream. Otherwise it plays a recording from its
 * beginning. speed: 1 is real time; the nearest speed of the table (1/1000 … 1000) is used.
 */
void player_init(struct player *player, bool grows, double speed);
double player_speed(const struct player *player);
/*
 * Whether runs are shown as trials of the race, each played after its end. False if the user
 * paused, moved to another time, or slowed a recording down.
 */
bool player_shows_race(const struct player *player);
/* Whether the position is moving, so that frames must be drawn without new samples. */
bool player_moves(const struct player *player, const struct model *model);
void player_advance(struct player *player, struct model *model, uint64_t clock_ns);
/* Follows the newest sample again. Returns false if no more samples will come. */
bool player_follow(struct player *player, struct model *model);
void player_seek(struct player *player, struct model *model, double place);
void player_move(struct player *player, struct model *model, int64_t by);
/* Stops the clock or starts it. At the end of the recording, starts it from the beginning. */
void player_pause(struct player *player, struct model *model);
/* Makes the player slower (-1) or faster (1). Returns false at the end of the table. */
bool player_change_speed(struct player *player, int by);
void player_jump(struct player *player, struct model *model, bool forward);
void player_step(struct player *player, struct model *model, int direction);

/*
 * The recording of a session: in a file that the user names, in a file in the state directory, or
 * on standard output.
 */
struct recording {
	struct log_writer *log; /* NULL: nothing is recorded. */
	char path[PATH_MAX];	/* "" if there is no file. */
	const char *name; /* Name of the file without its directory; NULL if there is no file. */
	bool in_state_folder; /* The file is in the state directory, under the default name. */
	/* A line that says why the state directory could not be used. "": it could be used. */
	char notice[512];
};

/*
 * Refuses to read a file that this command line also writes. Returns 0, or -EINVAL with a line in
 * `error`. (For "> FILE", the shell has already emptied the file.)
 */
int recordings_check_input(const struct options *options, const char *path, char *error,
			   size_t size);
/*
 * The path of the newest recording. Returns 0, or -errno with a line in `error`. -ENOENT: there is
 * no recording.
 */
int recordings_newest(char path[PATH_MAX], char *error, size_t size);
/*
 * --prune: removes recordings from the state directory after asking. Returns 0, or -errno with a
 * line in `error`.
 */
int prune_run(const struct options *options, char *error, size_t size);
/*
 * Whether the state directory or its disk is so full that the user should remove recordings. If so,
 * `line` says this.
 */
bool prune_is_due(char *line, size_t size);

/*
 * Lists the recordings in 80 columns, with the newest last: date, machine, experiment, models, name
 * and result, or the reason why a recording cannot be read. Returns 0, or -errno with a line in
 * `error`. -ENOENT: there are no recordings.
 */
int recordings_list(FILE *out, char *error, size_t size);
/*
 * Reads a whole recording into the model. Initialises the model. The caller frees it, also after an
 * error. Returns 0, or -errno with a line in `error`.
 */
int recordings_load(const char *path, struct model *model, char *error, size_t size);
/* Reads two recordings side by side into one model. */
int recordings_open_two(char *const paths[2], struct model *model, char *error, size_t size);

/*
 * Makes free() keep memory for the next recording, for programs that read many recordings and end
 * soon. Otherwise the heap would shrink and grow for each recording, which takes most of the time
 * of reading a thousand recordings.
 */
void recordings_keep_memory(void);
/*
 * The paths of all recordings, with the newest first. Returns the number of paths, or -errno with a
 * line in `error`.
 */
int recordings_paths(char ***paths, char *error, size_t size);
void recordings_paths_free(char **paths, int n);
/*
 * Sums the sizes of the directory's recordings without opening them. Returns the number of
 * recordings or -errno.
 */
int recordings_sum(const char *folder, int64_t *bytes);

/* A recording in a regular file, which is read in parts. The caller owns path and model. */
struct recordings_reading {
	const char *path;
	struct source *source;
	struct model *model;
	unsigned long long left_out; /* Number of samples that contradict earlier ones. */
	bool session_alone;	     /* Stop after the first sample, SAMPLE_SESSION. */
	bool to_join;		     /* The model will be joined with another model. */
};

/*
 * Writes a sample, which the model must have taken already. Adds values of the slices that were
 * left out to the sample of a run's end, and the answer to the sample of a session's end. Returns
 * what log_write() returns.
 */
int recordings_write(struct log_writer *log, struct model *model, const struct sample *sample);
/*
 * At the end of a session, writes slices that were left out of its recording, as far as there is
 * room. Returns whether some slices are still missing or merged. If so, *message has a warning. log
 * may be NULL.
 */
bool recordings_tell_limit(struct log_writer *log, struct model *model,
			   const struct options *options, const struct sample *done,
			   struct sample *message);

int recordings_begin(struct recordings_reading *reading, const char *path, struct model *model);
/*
 * Reads for some milliseconds. Returns 1 if there is more to read, 0 when the model has everything,
 * or -errno.
 */
int recordings_go_on(struct recordings_reading *reading);
void recordings_end(struct recordings_reading *reading);

/*
 * Texts for the columns of a list: a date such as "2026-11-20 15:30", in local time ("?" if
 * unknown), and models such as "threads, processes". Both return buf.
 */
const char *recordings_date(int64_t wall_s, char buf[32]);
const char *recordings_models(const struct model *model, char *buf, size_t size);

/*
 * The state directory: $XDG_STATE_HOME/tuibench, or ~/.local/state/tuibench. By the XDG Base
 * Directory Specification, the variable counts only if it is an absolute path. state_folder() also
 * creates the directory. Returns 0 or -errno. After an error, path has a text for the message: the
 * directory, or the reason why there is no directory.
 */
int state_folder_name(char path[PATH_MAX]);
int state_folder(char path[PATH_MAX]);

/* The recording of a lecture: its scenes, and access to each scene's session. */
struct scenes {
	int fd;
	const char *path; /* Owned by the caller. */
	struct log_scenes log;
	char changed[256]; /* Names of the parts of a bundle that were changed since it was made. */
};

/*
 * If standard input is not a regular file, replaces it with a file of the same contents, because
 * scenes need a seekable file. Returns 0 or -errno.
 */
int scenes_take_input(void);
/*
 * Opens the recording of a lecture. Returns 1 if the file is one. Returns 0 for any other file,
 * even an unreadable one, because opening it as a recording will report the error. Returns -errno
 * with a line in `error` after other errors. Call scenes_close() in every case.
 */
int scenes_open(struct scenes *scenes, const char *path, char *error, size_t size);
/*
 * Joins the recordings of the options to the recording of a lecture, in memory, with a scene for
 * each. Returns 0, or -errno with a line in `error`. Call scenes_close() in every case.
 */
int scenes_of_recordings(struct scenes *scenes, const struct options *options, char *error,
			 size_t size);
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
 * Open the rows of a recording or of a scene's session for a bundle: a file that any program can
 * read, compressed or not. Both return a descriptor or -errno.
 */
int recordings_rows(const char *path);
int scenes_rows(const struct scenes *scenes, size_t i);
/*
 * Writes the whole lecture as --export or --format asks. lecturer: the same lecture, opened, for
 * the list of its last scene; NULL: write no list. Returns 0, or -errno with a line in `error`.
 */
int scenes_export(const struct scenes *scenes, const struct lecturer *lecturer,
		  const struct options *options, char *error, size_t size);

struct result {
	const struct model *model;
	const struct export_format *format;
	int rows; /* For a bundle: descriptor of a file with the session's rows, not compressed. */
	struct screencast_wish wish; /* For a screencast. */
	/* Not NULL: the machines are written instead of `model`. */
	const struct machines *machines;
	const struct export_lecture
		*lecture; /* Not NULL: written instead of `model`, scene by scene. */
};

/*
 * Writes the result to the file at path, or to standard output if path is NULL. A file is replaced
 * only after everything was written, so a failed export changes no file. Returns 0, or -errno with
 * a line in `error`.
 */
int result_save(const struct result *result, const char *path, char *error, size_t size);

/*
 * Saves the canvas as tuibench-DATE-N.txt and tuibench-DATE-N.svg, with the lowest N for which
 * neither file exists. Writes to the current directory, or to the state directory if the current
 * directory is not writable. If slide, the name of a slide, is not NULL, saves only
 * tuibench-DATE-NAME-N.svg. `said` gets a line with the names of the files, or with the reason of a
 * failure. Returns 0, or -errno after removing both files.
 */
int snapshot_save(const struct canvas *canvas, const struct theme *theme, const char *slide,
		  char *said, size_t size);

/*
 * The speaker's notes on a second terminal. A lecture writes the current scene to a file below
 * $XDG_RUNTIME_DIR, and keeps the file locked as long as the lecture lasts. Other terminals watch
 * the file.
 */

enum { NOTES_BYTES = 64 * 1024, NOTES_LINE = PATH_MAX + 160 };

struct notes {
	bool tried; /* The program has tried to open the file. */
	/* A line for the speaker: how to show the notes, or why they cannot be shown. */
	char line[NOTES_LINE];
	char path[PATH_MAX]; /* "": there is no file. */
	int fd;
	uint64_t begin_ns;
	/* Number of the scene in the file, counted from 1. 0: no scene has been written yet. */
	size_t written;
};

void notes_open(struct notes *notes);
/* Writes the scene, unless it is already in the file. */
void notes_write(struct notes *notes, const struct view_lecture *scene);
/* Removes the file. Safe in a signal handler. */
void notes_unlink(const struct notes *notes);
void notes_close(struct notes *notes);

struct notes_reader {
	struct source source;
	char path[PATH_MAX];
	/* An inotify descriptor, readable when the file changes; -1: the lecture has ended. */
	int fd;
	bool received;
	uint64_t begin_ns;
	struct view_lecture scene; /* Its texts are in buffer. */
	char buffer[NOTES_BYTES + 16 * 1024];
};

/* Returns 0 if a lecture can write notes, or -errno with a line in `error`. */
int notes_check(char *error, size_t size);
int notes_connect(struct notes_reader *reader, char *error, size_t size);
void notes_disconnect(struct notes_reader *reader);
void notes_show(const struct notes_reader *reader, struct view_lecture *shown);

struct lecturer_scene {
	/*
	 * The words of the scene's command. If there are no words, the scene shows the same as the
	 * previous scene.
	 */
	struct next words;
	bool same;		 /* The scene shows the previous scene's session again. */
	struct view_looks looks; /* View options of the scene's command. */
	/* Why the scene cannot run or play. NULL: it can, as far as is known. */
	char *reason;
	/*
	 * The model of the scene's session, kept after the user has left the scene. has_session is
	 * false before that.
	 */
	struct model kept;
	/* The result of the scene's session at the time when the user left the scene. */
	struct view_result result;
	bool seen, recorded;
	bool printed; /* The answer of the scene's session was printed. */
};

/*
 * A lecture on the screen: the current scene, and the models that were shown. A scene shares the
 * session of the previous scene if it has no command, or if its command is only --replay. Scenes
 * before the first command have no session; they are slides.
 */
struct lecturer {
	struct lecture lecture;
	const struct options *options; /* Options of the lecture itself: screen, recording. */
	/* Path of the lecture's file; "" if it is played from a recording. */
	char path[PATH_MAX];
	bool installed;		       /* The file was installed with tuibench. */
	struct lecturer_scene *scenes; /* An item for each scene of the lecture. */
	const char **headings;	       /* An item for each scene. */
	/* The list of the last scene. n_items 0: the last scene does not sum the lecture up. */
	struct lecture_item items[LECTURE_ITEMS];
	struct view_lecture_item shown_items[LECTURE_ITEMS];
	size_t item_scenes[LECTURE_ITEMS]; /* The scene of each item; SIZE_MAX: it has none. */
	size_t n_items;
	bool records;		    /* The lecture is given, not played from a recording. */
	struct recording recording; /* Valid if `records`. The caller closes it. */
	size_t at;
	size_t from; /* The scene that was shown before the last step. */
	/* The session ended because the user stepped to a scene with another session. */
	bool stepped;
	bool shown;	 /* The current session has been on the screen. */
	bool again;	 /* The screen shows a session again that the user left before. */
	bool slide;	 /* The screen shows a slide. */
	bool told_notes; /* The speaker was told that the notes cannot be shown. */
	char notice[SAMPLE_TEXT];
	struct notes notes;
	char *faults; /* For --check: a line for each fault of the file. NULL: no faults. */
};

/*
 * Reads the file, or the installed lecture, that the options name. Runs nothing. Adds a line to
 * *outside for each option of its commands that starts or opens something outside tuibench, see
 * options_rule_tell(). Returns 0, or a negative errno with a line in `error`.
 */
int lecturer_read(struct lecturer *lecturer, const struct options *options, char **outside,
		  char *error, size_t size);
/*
 * Writes what each scene will do and how long it takes, and all errors in the file, without running
 * anything. Returns whether there is an error.
 */
int lecture_check(const struct options *options, FILE *out);
/*
 * Prepares the sessions of all commands, and loads the shared objects that these commands name.
 * Returns 0. After an error, closes the lecture and returns a negative errno with a line in
 * `error`.
 */
int lecturer_open(struct lecturer *lecturer, char *error, size_t size);
/*
 * Adds the command of the session on the screen to `next`. A session must be on the screen. Returns
 * 0 or a negative errno.
 */
int lecturer_words(const struct lecturer *lecturer, struct next *next);
/*
 * Begins an open lecture at a scene, counted from 1. 0: at the first scene. Returns 0 or -EINVAL.
 */
int lecturer_begin(struct lecturer *lecturer, uint32_t scene, char *error, size_t size);
int lecturer_open_recorded(struct lecturer *lecturer, const struct options *options,
			   const struct scenes *scenes, char *error, size_t size);
/*
 * Call this when a session of the console's lecture begins, or a session that a key started during
 * the lecture. Records the scenes that were shown so far, and returns the recording for the
 * session's samples. Its log is NULL if the session is not recorded. The caller must not close the
 * recording.
 */
struct recording lecturer_record_session(const struct console *console,
					 const struct options *options);
/* Records the scenes that were shown and are not recorded yet, except scene `but`. */
void lecturer_record_seen(struct lecturer *lecturer, size_t but);
/*
 * The index of the scene whose session the current scene shows. SIZE_MAX: the current scene is a
 * slide.
 */
size_t lecturer_session(const struct lecturer *lecturer);
/*
 * Heading of the scene whose session has just ended. NULL: no session has ended, because a slide
 * was shown.
 */
const char *lecturer_ended_heading(const struct lecturer *lecturer);
/*
 * Whether the session that has just ended prints its answer. A session that is shown again has
 * already printed it, unless a vote covered the answer.
 */
bool lecturer_prints(struct lecturer *lecturer);
void lecturer_close(struct lecturer *lecturer);

/* A function that runs or plays a command line on the console's screen. Returns the exit status. */
typedef int lecturer_play(struct options *options, struct console *console);
/* Gives the lecture, from the first scene until the speaker leaves. Returns the exit status. */
int lecturer_run(struct lecturer *lecturer, struct console *console, lecturer_play *play);

void lecturer_excuse(struct lecturer *lecturer, const char *line);
const char *lecturer_show(struct lecturer *lecturer, struct view_state *state);
void lecturer_keep(struct lecturer *lecturer, struct model *model);
/* A line about a problem with the current scene or the next scene. NULL: no problem. */
const char *lecturer_ahead(struct lecturer *lecturer);

/*
 * A line if the notes of the speaker's own lecture cannot be shown. NULL: they can, there are none,
 * or the line has been returned before.
 */
const char *lecturer_without_notes(struct lecturer *lecturer);

/*
 * Keeps the result of the session on the screen for the slide that sums the lecture up. Call this
 * unless a key chose another session.
 */
void lecturer_sum_up(struct lecturer *lecturer, const struct model *model);

/* Whether a step by +1 or -1 leaves the session on the screen. */
bool lecturer_leaves(const struct lecturer *lecturer, int by);

/*
 * Steps to the next scene (1) or the previous scene (-1). Sets `stepped` if the new scene has
 * another session. Returns false with a notice if there is no such scene.
 */
bool lecturer_step(struct lecturer *lecturer, int by);

/*
 * Makes the words of a scene's command (none if it has no command), with the speaker's options for
 * the screen, and checks them as if typed. Paths of recordings are relative to the lecture's file.
 * Returns 0, or a negative errno with a line in `error` that names file and line.
 */
int lecturer_words_make(struct lecturer_scene *made, const struct lecture_scene *scene,
			const char *path, const struct options *now, char *error, size_t size);

/*
 * Finds a lecture: the file NAME itself or, if there is no such file, NAME.md among the installed
 * lectures. Returns true if the lecture is an installed one, and not a link to another file.
 */
bool lectures_find(const char *name, char path[PATH_MAX]);
int lectures_list(FILE *out, char *error, size_t size);

struct chooser;

bool chooser_has_tour(void);
/*
 * Opens the menu's data with the cursor on this experiment; NULL: on the first row. left_out: name
 * of a recording that the menu does not list, because the recording is being written; NULL: list
 * all recordings. Returns NULL if memory is short.
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
 * Reads recordings for some milliseconds, the selected recording first. With `little`, which is for
 * times when runs are measured, reads only the selected recording, and for a shorter time. Returns
 * false if nothing is left to read.
 */
bool chooser_read(struct chooser *chooser, bool little);
/*
 * Whether the selected recording can be played. 0: it can. -EMEDIUMTYPE: it is the recording of a
 * lecture. Any other -errno: it cannot, and its sentence in the menu gives the reason.
 */
int chooser_try(struct chooser *chooser);
/*
 * The next experiment in the list. After the last experiment, and for an unknown name, the first
 * one.
 */
const char *chooser_after(const char *experiment);

/*
 * Runs the loop with a screen: passes samples to the log and the model, draws views, and handles
 * keys. Without a source, takes over the contents of the model. Without a model, shows only a slide
 * or the menu. log, model and log_name may be NULL. The caller closes source and log; when
 * app_run() returns, the run has been stopped. Returns the session's exit status. If a key chose a
 * session to follow, console->next has that session and the console keeps the terminal. Otherwise,
 * the terminal was given back. SIGPIPE and the signals that end a session stay blocked, so a second
 * signal cannot keep the caller from closing its files.
 */
int app_run(struct console *console, const struct options *options, struct source *source,
	    struct log_writer *log, struct model *model, const char *log_name);
/*
 * Asks a question on a screen of its own, before anything runs, and frees the question's text.
 * Returns 0 for yes, and keeps the terminal; 1 for no, or if there is no screen; 128 or more for a
 * signal.
 */
int app_ask(struct console *console, const struct options *options,
	    const struct view_question *question);

/* When the next frame is drawn, and how much of the last frame the terminal has accepted. */
struct app_frame {
	bool dirty; /* Something has changed since the last frame. */
	/*
	 * A frame must be drawn now, without waiting until due_ns, because the user did something.
	 */
	bool urgent;
	bool stalled; /* The terminal has not accepted the whole last frame. */
	/* The terminal must read more of the last frame before anything else is written. */
	bool unready;
	uint64_t due_ns; /* Earliest time of the next frame, unless it is urgent. */
	bool moves;	 /* The picture changes with time, even if no sample arrives. */
	bool sampled;	 /* The source was readable in this round of the loop. */
	/* Number of ended runs when the bars of medians last began to move. */
	uint32_t settled_runs;
	uint64_t settled_ns; /* Time at which the bars last began to move. */
	bool settled_race;   /* A trial was being replayed at settled_ns. */
	/* Time at which a vote's bars began to be uncovered. 0: the bars are covered. */
	uint64_t revealed_ns;
};

struct app {
	const struct options *options;
	struct source *source;
	struct log_writer *log; /* NULL: nothing is recorded, or writing failed. */
	struct console *console;
	struct model model;
	struct player player;
	struct view view;
	struct canvas canvas;
	struct app_frame frame;
	struct chooser *chooser; /* Data of the open menu; NULL: the menu is closed. */
	/* The open question. Its text is NULL if no question is open. */
	struct view_question question;
	bool agreed; /* The user agreed to the last question. The session then ends. */
	bool alone;  /* There is no session, only the menu or a question. */
	bool paused; /* The source was asked to pause. */
	bool done;   /* The source plans no further runs. */
	bool broken; /* The source gives no more samples. */
	bool failed;
	uint64_t lost; /* Number of samples that the model could not take. */
	bool quit;
	/* Name of the worker that --select chose, until the worker is found; otherwise NULL. */
	const char *select;
	bool ahead; /* The lecture's next scene must be checked, see lecturer_ahead(). */
	/*
	 * The act that the user must confirm by pressing the same key, or clicking, again. 0: no
	 * act.
	 */
	enum keys_act asked;
	enum keys_act answers; /* The value of `asked` when the current key arrived. */
	/* Number of ended runs when the slide that sums up last read its result. */
	size_t summed_runs;
	char notice[SAMPLE_TEXT], suggestion[SAMPLE_TEXT];
};

/* Asks for a frame at once. */
void app_redraw(struct app *app);
void app_notify(struct app *app, const char *text);
void app_fail(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Whether the session's errors are printed at its end. The errors of a replayed recording are not,
 * because they belong to the recorded run.
 */
bool app_tells_errors(const struct app *app);
/* Whether the session is over, so that it gives no more samples. */
bool app_is_over(const struct app *app);
/*
 * Whether the time on the screen does not move, because neither the player nor new samples move it.
 */
bool app_stands(const struct app *app);
/* Whether a run is being measured, so that choosing another session would end it. */
bool app_measures(const struct app *app);
/* Draws the frame as of the model's cursor. Returns false if memory is short. */
bool app_compose(struct app *app);
/* Handles a closed terminal: ends the session as SIGHUP does. */
void app_hang_up(struct app *app);

/*
 * Draws a frame when it is due. A slow terminal gets a frame in parts. All parts are of the same
 * frame, unless a key or a signal has changed the picture. In that case, a new frame replaces the
 * rest of the old frame.
 */
void frame_draw_due(struct app *app);
/* Milliseconds until a frame must be drawn even if nothing happens; -1: no limit. */
int frame_wait_ms(const struct app *app);
/*
 * Ends the program if a signal has waited too long for a frame. The recording can be flushed in
 * this handler, because it interrupts only drawing, and drawing does not change the recording.
 */
void frame_end_program(void *arg, int number);

void press_keys(struct app *app);
void press_pause(struct app *app);
void press_open_menu(struct app *app);
/* Shows the lecture's current scene in the views, and asks for the next scene to be checked. */
void press_scene(struct app *app);

/*
 * Runs without a screen. Progress goes to standard error. The result goes to standard output or, if
 * standard output has the log, to standard error. If the log goes to a pipe, only failures are
 * printed, because the log has the other messages. If the pipe has no reader any more, the session
 * ends as SIGPIPE would end it. log may be NULL. Returns the program's exit status, after printing
 * all messages. SIGINT, SIGTERM, SIGHUP and SIGQUIT end the run cleanly, and stay blocked as in
 * app_run().
 */
int batch_run(const struct options *options, struct source *source, struct log_writer *log);

/*
 * The self-test. Progress goes to standard error, the table or its JSON to standard output. Returns
 * the exit status: 0 if everything is as expected, 1 otherwise or after an error. Signals are
 * handled as in batch_run().
 */
int self_test_run(const struct options *options);

/*
 * Whether several machines are pooled, because --replay or --export names a directory, or more than
 * two recordings.
 */

bool machines_is_meant(const struct options *options);
/*
 * Pools the recordings and shows the answer. While a directory is watched, the answer is on a
 * screen. Returns the exit status.
 */
int machines_run(const struct options *options, struct console *console);
/*
 * A source without samples. It reads recordings and collects their results in `machines`. The
 * screen is drawn from `machines`.
 */
struct machines_app {
	struct source source;
	const struct options *options;
	const char *folder; /* The watched directory; NULL: the recordings were named one by one. */
	int timer_fd;	    /* Expires when there is something to read. */
	struct machines machines;
	char **waiting; /* Paths that are still to be read, in order. */
	size_t n_waiting, cap_waiting;
	/* The reader of waiting[0], and the model that it fills. Both are valid if `reads`. */
	struct recordings_reading reading;
	struct model model;
	bool reads;
	struct view_machines view;
	bool grouped; /* The user chose how machines are grouped. */
	int err;
};

/* Draws what app_run() shows instead of views. Returns false if memory is short. */
bool machines_draw(struct machines_app *app, struct canvas *canvas, const char *notice);
void machines_press(struct machines_app *app, int key);
