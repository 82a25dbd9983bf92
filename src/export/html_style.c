/* SPDX-License-Identifier: MIT */
#include "html.h"

#include "draw/identity.h"
#include "draw/theme.h"

/* The screen's own hues, so that a model has the same one on paper. */
static const struct {
	const char *name;
	enum colour colour;
} hues[] = {
	{"ink", COLOUR_DEFAULT},   {"dim", COLOUR_DIM},	    {"line", COLOUR_BORDER},
	{"panel", COLOUR_PANEL},   {"cpu", COLOUR_CPU},	    {"io", COLOUR_IO},
	{"fp", COLOUR_FP},	   {"mem", COLOUR_MEM},	    {"write", COLOUR_WRITE},
	{"other", COLOUR_OTHER},   {"user", COLOUR_USER},   {"system", COLOUR_SYSTEM},
	{"iowait", COLOUR_IOWAIT}, {"steal", COLOUR_STEAL}, {"created", COLOUR_CREATED},
	{"warn", COLOUR_WARN},	   {"bad", COLOUR_BAD},	    {"throttled", COLOUR_STEAL},
};

/*
 * On a narrow screen plots and tables scroll in boxes of their own, whose edges are dark where
 * there is more: at the least width of a plot its smallest label is 9 px high.
 */
static const char rules[] =
	"*{box-sizing:border-box}\n"
	"body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,"
	"\"Segoe UI\",\"DejaVu Sans\",sans-serif}\n"
	"main{max-width:56rem;margin:0 auto;padding:2rem 1.25rem 3rem}\n"
	"h1{font-size:2rem;line-height:1.15;margin:.1rem 0 .5rem;overflow-wrap:anywhere}\n"
	"h2{font-size:1.2rem;margin:2.4rem 0 .3rem;padding-top:.5rem;"
	"border-top:2px solid var(--line)}\n"
	"h3{font-size:1rem;margin:1.2rem 0 .2rem}\n"
	"p{margin:.3rem 0 .6rem;max-width:46rem}\n"
	".dim,figcaption,.note{color:var(--dim);font-size:.875rem}\n"
	".kicker{margin:0;color:var(--dim);overflow-wrap:anywhere}\n"
	".models span{display:inline-block;margin-right:1.2rem;font-weight:600;"
	"overflow-wrap:anywhere}\n"
	".verdict{margin:1.4rem 0;padding:1rem 1.25rem;background:var(--panel);"
	"border-left:.4rem solid var(--line);border-radius:.2rem}\n"
	".verdict>strong{display:inline-block;margin:0 0 .4rem;padding:.1rem .6rem;"
	"background:var(--ink);color:var(--panel);border-radius:.2rem}\n"
	".verdict p{font-size:1.25rem;line-height:1.4;font-weight:600;margin:0;"
	"overflow-wrap:anywhere}\n"
	"figure{margin:.6rem 0 1rem}\n"
	"figcaption{margin:.1rem 0 .3rem}\n"
	".wide>svg,.narrow>svg{display:block;width:100%;height:auto;overflow:visible}\n"
	".narrow{display:none}\n"
	"table{border-collapse:collapse;width:100%;margin:.5rem 0;font-size:.9rem;"
	"font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid var(--panel);"
	"vertical-align:baseline}\n"
	"thead th{color:var(--dim);font-weight:400;border-bottom:1px solid var(--line)}\n"
	"td{white-space:nowrap}\n"
	"th:first-child,.word{text-align:left}\n"
	"tbody th{font-weight:600;overflow-wrap:anywhere}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.2rem;margin:.5rem 0;"
	"font-size:.9rem}\n"
	"dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}\n"
	"code{font:.9em/1.4 ui-monospace,\"DejaVu Sans Mono\",monospace;overflow-wrap:anywhere}\n"
	"ul{padding-left:0;list-style:none;font-size:.9rem;margin:.4rem 0}\n"
	"li{margin:.15rem 0;overflow-wrap:anywhere}\n"
	".key{width:.85em;height:.85em;margin-right:.4em;vertical-align:-.06em;overflow:visible}\n"
	".swatch{display:inline-block;width:1.1em;height:.7em;margin:0 .35em 0 .6em}\n"
	".nowrap{white-space:nowrap}h3 .dim{font-weight:400}\n"
	".error{color:var(--bad)}.warning{color:var(--warn)}\n";

/* By itself, since C promises no more than 4,095 characters to a string. */
static const char plot_rules[] =
	"svg text{font-size:12px;fill:var(--ink);font-variant-numeric:tabular-nums}\n"
	"svg .tick,svg .small{font-size:10.5px;fill:var(--dim)}\n"
	"svg .strong{font-weight:600}\n"
	"svg .mid{text-anchor:middle}svg .end{text-anchor:end}\n"
	".grid{stroke:var(--line);stroke-width:.6;opacity:.55}\n"
	".base{stroke:var(--dim);stroke-width:1}\n"
	".one{stroke:var(--ink);stroke-width:1.4}\n"
	".mark{stroke:var(--paper);stroke-width:.8}\n"
	".curve{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}\n"
	".faint{stroke-width:.9;opacity:.4}\n"
	".d1{stroke-dasharray:7 4}.d2{stroke-dasharray:2 4}\n"
	".meet{stroke:var(--ink);stroke-width:2}"
	".plumb{stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3}\n"
	".halo{paint-order:stroke;stroke:var(--paper);stroke-width:4}\n"
	".cpu{fill:var(--cpu)}.io{fill:var(--io)}.fp{fill:var(--fp)}"
	".mem{fill:var(--mem)}.write{fill:var(--write)}.other{fill:var(--other)}\n"
	".wait{fill:var(--created);opacity:.55}.join{fill:var(--created);opacity:.3}\n"
	".lw{fill-opacity:.3}.lt{fill:var(--throttled);fill-opacity:.55}.lb{fill:var(--created)}."
	"lo{fill:var(--created);opacity:.3}"
	".core{fill:var(--user)}.lane{shape-rendering:crispEdges}\n"
	".user{fill:var(--user)}.system{fill:var(--system)}.iowait{fill:var(--iowait)}"
	".steal{fill:var(--steal)}\n"
	".cross{stroke:var(--bad);stroke-width:2.2;fill:none}\n"
	".ink{fill:var(--ink)}.band{fill:var(--ink);opacity:.16}\n"
	"svg .onbar{font-size:10.5px;fill:var(--paper);font-weight:600}\n"
	".a1{fill-opacity:.16}.a2{fill-opacity:.36}.a3{fill-opacity:.56}.a4{fill-opacity:.78}"
	".a5{fill-opacity:1}\n"
	"@media screen{\n"
	".wide{overflow-x:auto;overflow-y:hidden;scrollbar-width:thin;--bed:var(--paper);"
	"background:linear-gradient(90deg,var(--bed) 60%,transparent) 0/3rem 100% no-repeat local,"
	"linear-gradient(270deg,var(--bed) 60%,transparent) 100%/3rem 100% no-repeat local,"
	"linear-gradient(90deg,var(--edge),transparent) 0/1.1rem 100% no-repeat scroll,"
	"linear-gradient(270deg,var(--edge),transparent) 100%/1.1rem 100% no-repeat scroll}\n"
	".verdict .wide{--bed:var(--panel)}\n"
	".wide>svg{min-width:660px}\n"
	".wide th:first-child{position:sticky;left:0;background:var(--bed);z-index:1}\n"
	"}\n"
	"@media screen and (max-width:46rem){\n"
	".verdict .wide{display:none}.narrow{display:block}\n"
	"thead th:first-child,tbody th{min-width:8rem;overflow-wrap:break-word}\n"
	"}\n"
	"@media print,(min-width:48rem){dl{grid-template-columns:max-content 1fr max-content "
	"1fr}}\n"
	"@media print{\n"
	"@page{size:A4;margin:14mm 15mm}\n"
	"html{font-size:10pt}body{background:#fff}\n"
	"main{max-width:none;padding:0}\n"
	"h1{font-size:20pt}h2{font-size:13pt;margin-top:1.2rem}\n"
	"h2,h3,h2+p,figcaption{break-after:avoid}\n"
	"p,figure,table,.verdict,dl{break-inside:avoid}\n"
	".long{break-inside:auto}tr{break-inside:avoid}\n"
	"*{print-color-adjust:exact;-webkit-print-color-adjust:exact}\n"
	"}\n";

static void write_hues(struct html *html, const char *theme_name)
{
	const struct theme *theme = theme_find(theme_name);

	html_put(html, "--paper:#%06x;--edge:#%06x80", theme->colour[COLOUR_GROUND].rgb,
		 theme->colour[COLOUR_DIM].rgb);
	for (size_t i = 0; i < sizeof(hues) / sizeof(hues[0]); i++)
		html_put(html, ";--%s:#%06x", hues[i].name, theme->colour[hues[i].colour].rgb);
	for (uint32_t i = 0; i < IDENTITIES; i++)
		html_put(html, ";--m%u:#%06x", i, theme->colour[identity_colour(i)].rgb);
}

/* Of each case: what is filled with its hue, drawn in it, and has it at its border. */
static void write_cases(struct html *html)
{
	for (uint32_t i = 0; i < IDENTITIES; i++)
		html_put(html,
			 ".m%u{fill:var(--m%u)}.l%u{stroke:var(--m%u)}.h%u{border-color:"
			 "var(--m%u)}\n",
			 i, i, i, i, i, i);
}

/* The style on paper is always the light one. */
void html_style(struct html *html)
{
	html_put(html, "<style>\n:root{color-scheme:light dark;");
	write_hues(html, "light");
	html_put(html, "}\n@media screen and (prefers-color-scheme:dark){:root{");
	write_hues(html, "dark");
	html_put(html, "}}\n%s%s", rules, plot_rules);
	write_cases(html);
	html_put(html, "</style>\n");
}
