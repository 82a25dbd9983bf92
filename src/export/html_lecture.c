/* SPDX-License-Identifier: MIT */
#include "export/export.h"

#include <string.h>

#include "html.h"

/* The page of a lecture: under each scene's heading and caption the page of its session. */

static const char rules[] =
	"<style>\n"
	".scene{margin-top:3.5rem;padding-top:.8rem;border-top:.35rem solid var(--ink)}\n"
	".scene>h2{font-size:1.7rem;line-height:1.2;border:0;margin:0 0 .4rem;padding:0;"
	"overflow-wrap:anywhere}\n"
	".caption{font-size:1.2rem;line-height:1.4;margin:.2rem 0;overflow-wrap:anywhere}\n"
	".scene h3{font-size:1.2rem;margin:.1rem 0 .4rem;overflow-wrap:anywhere}\n"
	".scene header{margin-top:1.4rem}\n"
	".scene h4{font-size:1.1rem;margin:2rem 0 .3rem;padding-top:.4rem;"
	"border-top:2px solid var(--line)}\n"
	".scene h5{font-size:1rem;margin:1.2rem 0 .2rem}h5 .dim{font-weight:400}\n"
	"details{margin:.6rem 0}summary{cursor:pointer;color:var(--dim)}\n"
	"details p{overflow-wrap:anywhere}\n"
	"@media print{.scene{break-before:page;margin-top:0}h4,h5{break-after:avoid}}\n"
	"</style>\n";

/* A paragraph for each line of the text. */
static void write_lines(struct html *html, const char *begin, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		if (n > 0) {
			html_put(html, "%s", begin);
			html_text_of(html, text, n);
			html_put(html, "</p>\n");
		}
		text += n + (text[n] != '\0');
	}
}

static void write_notes(struct html *html, const char *notes)
{
	if (!*notes)
		return;
	html_put(html, "<details><summary>Speaker's notes</summary>\n");
	write_lines(html, "<p>", notes);
	html_put(html, "</details>\n");
}

static int write_session(struct html *html)
{
	int err;

	html->below = 2;
	err = html_session(html);
	html_put(html, "<details><summary>Machine and options</summary>\n");
	html_about(html);
	html_put(html, "</details>\n");
	html->below = 0;
	return err;
}

static int write_scene(struct html *html, const struct export_scene *scene, size_t number)
{
	int err = 0;

	html_put(html, "<section class=\"scene\"><h2>%zu. ", number);
	html_text(html, scene->heading);
	html_put(html, "</h2>\n");
	write_lines(html, "<p class=\"caption\">", scene->caption);
	write_notes(html, scene->notes);
	html->model = scene->model;
	if (scene->model && scene->model->has_session)
		err = write_session(html);
	html_put(html, "</section>\n");
	return err;
}

static int write_scenes(struct html *html, const struct export_lecture *lecture)
{
	struct export_scene scene;
	int err = 0;

	for (size_t i = 0; i < lecture->n && !err; i++) {
		err = lecture->scene(lecture->arg, i, &scene);
		if (!err)
			err = write_scene(html, &scene, i + 1);
	}
	return err;
}

int export_lecture_html(const struct export_lecture *lecture, FILE *out)
{
	struct html html = {.out = out};
	int err;

	html_begin(&html, lecture->title);
	html_style(&html);
	html_put(&html, "%s", rules);
	html_main(&html);
	html_mixed(&html, "<header><p class=\"kicker\">lecture</p><h1>", lecture->title,
		   "</h1></header>\n", NULL);
	err = write_scenes(&html, lecture);
	html_put(&html, "<section class=\"scene\">\n");
	html_method(&html);
	html_put(&html, "</section>\n");
	return html_end(&html, err);
}
