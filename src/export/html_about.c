/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <inttypes.h>

#include "report/report.h"
#include "base/units.h"

static void write_fact(struct html *html, const char *what, const char *text)
{
	html_element(html, "dt", what);
	html_element(html, "dd", *text ? text : "?");
}

static void write_kib(struct html *html, const char *what, int64_t kib, const char *otherwise)
{
	write_fact(html, what, kib < 0 ? otherwise : UNITS_KIB(kib));
}

static void write_cores(struct html *html, const struct machine *machine)
{
	char text[128 + MACHINE_TEXT];

	snprintf(text, sizeof(text), "%d online, %d may be used%s%s", machine->cores_online,
		 machine->cores_allowed, *machine->cpus_allowed ? ": " : "", machine->cpus_allowed);
	write_fact(html, "cores", text);
	if (machine->performance_cores < 0 && machine->efficiency_cores < 0)
		return;
	snprintf(text, sizeof(text), "%d performance, %d efficiency", machine->performance_cores,
		 machine->efficiency_cores);
	write_fact(html, "of them", text);
}

static void write_frequency(struct html *html, const struct machine *machine)
{
	char text[64 + MACHINE_TEXT] = "";

	if (machine->mhz >= 0)
		snprintf(text, sizeof(text), "%" PRId64 " MHz%s%s", machine->mhz,
			 *machine->governor ? ", governor " : "", machine->governor);
	write_fact(html, "frequency", text);
}

static void write_machine(struct html *html, const struct machine *machine)
{
	char text[4 * MACHINE_TEXT];

	html_put(html, "<dl>\n");
	write_fact(html, "host", machine->host);
	write_fact(html, "processor", machine->cpu);
	write_cores(html, machine);
	write_frequency(html, machine);
	if (machine->cpu_quota >= 0)
		write_fact(html, "cores' quota", UNITS_DECIMAL(machine->cpu_quota, 2));
	write_kib(html, "memory", machine->memory_kb, "");
	write_kib(html, "memory's limit", machine->memory_limit_kb, "none");
	write_fact(html, "huge pages", machine->hugepages);
	write_fact(html, "virtualization", machine->virtualization);
	snprintf(text, sizeof(text), "Linux %s %s, %s", machine->kernel, machine->arch,
		 machine->libc);
	write_fact(html, "system", text);
	write_fact(html, "distribution", machine->distribution);
	write_fact(html, "files on", machine->filesystem);
	write_fact(html, "caches", machine->caches);
	write_fact(html, "SMT", machine->smt);
	write_fact(html, "CPU flaws", machine->mitigations);
	html_put(html, "</dl>\n");
}

static void write_options(struct html *html, const struct sample_session *session)
{
	html_heading(html, 3, "Command");
	html_put(html, "<p>");
	html_element(html, "code", session->options);
	html_put(html,
		 "</p><p class=\"note\">%u counted trial%s of each, %u warm-up%s; sampled every %u "
		 "ms; recorded by tuibench ",
		 session->trials, session->trials == 1 ? "" : "s", session->warmup,
		 session->warmup == 1 ? "" : "s", session->interval_ms);
	html_mixed(html, "", session->version, *session->compiler ? ", built by " : "",
		   session->compiler, *session->commit ? " at commit " : "", session->commit,
		   ".</p>\n", NULL);
}

/* What the names of programs are short for. */
static void write_commands(struct html *html)
{
	const char *name, *command;

	for (uint32_t i = 0; i < html->model->n_cases; i++) {
		if ((command = report_command(html->model, i, &name)) == NULL)
			continue;
		html_mixed(html, "<p>", name, ": ", NULL);
		html_element(html, "code", command);
		html_put(html, "</p>\n");
	}
}

static void write_session(struct html *html, const struct sample_session *session)
{
	write_machine(html, &session->machine);
	write_options(html, session);
}

static void write_recordings(struct html *html)
{
	const struct model *model = html->model;
	char text[1024];

	if (report_differences(model, text, sizeof(text)))
		html_mixed(html, "<p>", text, ".</p>\n", NULL);
	for (uint32_t i = 0; i < model->n_origins; i++) {
		html_heading_begin(html, 3);
		html_mixed(html, "@", model->origins[i].name, NULL);
		html_heading_end(html, 3);
		write_session(html, &model->origins[i].session);
	}
}

void html_method(struct html *html)
{
	html_heading(html, 3, "How to read it");
	html_put(html, "<p class=\"note\">All models execute the same "
		       "compiled function on the same input. They run side by side, and who goes "
		       "first is drawn, so that two of one trial are a pair that had the same "
		       "conditions. The "
		       "ratio is the Hodges–Lehmann estimate of the pairs' ratios, its interval "
		       "that of the exact Wilcoxon signed-rank test; the medians' are those of the "
		       "sign test. A difference is called real where the interval leaves 1 out: "
		       "real on this machine, which says nothing of another. All comparisons of a "
		       "metric share an error of 5 %% (Holm), and each spends its share over the "
		       "looks at it, at the planned end and after every trial added: a session "
		       "names a false winner in at most 5 %%. ? is what could not be known.</p>\n");
}

void html_messages(struct html *html)
{
	static const char *const marks[] = {"·", "!", "✗"}, *const styles[] = {"", "warning",
									       "error"};
	const struct model *model = html->model;

	if (model->n_messages == 0 || model->messages[0].time_ns > model->now_ns)
		return;
	html_section(html, "Messages");
	html_put(html, "<ul>\n");
	for (size_t i = 0; i < model->n_messages; i++) {
		const struct model_message *message = &model->messages[i];

		if (message->time_ns > model->now_ns || message->severity > SAMPLE_ERROR)
			continue;
		html_put(html, "<li><span class=\"%s\">%s</span> <span class=\"dim\">%s</span> ",
			 styles[message->severity], marks[message->severity],
			 UNITS_TIME(message->time_ns, false));
		html_mixed(html, "", message->text, "</li>\n", NULL);
	}
	html_put(html, "</ul></section>\n");
}

void html_about(struct html *html)
{
	if (html->model->n_origins == 0)
		write_session(html, &html->model->session);
	else
		write_recordings(html);
	write_commands(html);
}
