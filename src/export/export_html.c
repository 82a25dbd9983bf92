/* SPDX-License-Identifier: MIT */
#include "export/export.h"
#include "report/report.h"

#include <time.h>

#include "html.h"

/* The date is in UTC: the page may be made in another zone than the session. */
static char *write_date(char *buf, size_t size, int64_t wall_s)
{
	time_t seconds = (time_t)wall_s;
	struct tm tm;

	if (wall_s <= 0 || !gmtime_r(&seconds, &tm) ||
	    strftime(buf, size, "%Y-%m-%d %H:%M UTC", &tm) == 0)
		snprintf(buf, size, "?");
	return buf;
}

/* The page fetches and runs nothing, and tells the browser so. */
void html_begin(struct html *html, const char *title)
{
	html_put(html,
		 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src 'unsafe-inline'\">\n"
		 "<meta name=\"generator\" content=\"tuibench %s\">\n",
		 TUIBENCH_VERSION);
	html_mixed(html, "<title>", title, " – tuibench</title>\n", NULL);
}

void html_main(struct html *html)
{
	html_put(html, "</head>\n<body>\n<main>\n");
}

static void write_kicker(struct html *html, const struct sample_session *session)
{
	char date[32], machine[512];

	html_mixed(html, "<p class=\"kicker\">", session->experiment, " · ",
		   write_date(date, sizeof(date), session->wall_s), " · ",
		   report_machine(machine, sizeof(machine), &session->machine), "</p>", NULL);
}

static void write_title(struct html *html)
{
	const struct model *model = html->model;
	const struct sample_session *session = &model->session;

	html_put(html, "<header>");
	if (model->n_origins == 0)
		write_kicker(html, session);
	for (uint32_t i = 0; i < model->n_origins; i++)
		write_kicker(html, &model->origins[i].session);
	html_heading(html, 1, session->title);
	html_models(html);
	html_put(html, "</header>\n");
}

int html_session(struct html *html)
{
	int (*const parts[])(struct html *) = {html_verdict, html_latency,   html_sweep,
					       html_results, html_timelines, html_memory,
					       html_cores};
	int err = 0;

	write_title(html);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !err; i++)
		err = parts[i](html);
	html_messages(html);
	return err;
}

int html_end(struct html *html, int err)
{
	html_put(html, "</main>\n</body>\n</html>\n");
	return err ? err : report_finish(html->out);
}

static int write_session(struct html *html)
{
	int err = html_session(html);

	html_section(html, "Machine and options");
	html_about(html);
	html_method(html);
	html_put(html, "</section>\n");
	return err;
}

int export_html(const struct model *model, FILE *out)
{
	struct html html = {.out = out, .model = model};
	int err = 0;

	html_begin(&html, model->session.title);
	html_style(&html);
	html_main(&html);
	if (model->has_session)
		err = write_session(&html);
	else
		html_put(&html, "<p>Nothing has been recorded.</p>\n");
	return html_end(&html, err);
}
