/* SPDX-License-Identifier: MIT */
#include "lecture_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { INDENT = 2, INDENT_MOST = 8, CODE_INDENT = 4 };

/* The text of one block while it is written. */
struct text {
	FILE *to;
	int depth;  /* of lists */
	bool begun; /* a line of it stands already */
	bool item;  /* the mark of an item stands, and its text follows */
};

/* Text of a file is data: a tab or newline within a line is a blank, other controls are '?'. */
static void put(const struct text *text, const char *from, size_t n)
{
	char *copy = strndup(from, n);

	for (char *c = copy; copy && *c; c++)
		if (*c == '\t' || *c == '\n' || *c == '\r')
			*c = ' ';
	if (copy) {
		utf8_mask(copy);
		fputs(copy, text->to);
	}
	free(copy);
}

static int indent(const struct text *text)
{
	int depth = text->depth < INDENT_MOST ? text->depth : INDENT_MOST;

	return depth > 0 ? (depth - 1) * INDENT : 0;
}

/* Items follow one another, other paragraphs have an empty line before them. */
static void begin_line(struct text *text)
{
	if (text->item) {
		text->item = false;
		return;
	}
	if (text->begun)
		fputs(text->depth ? "\n" : "\n\n", text->to);
	fprintf(text->to, "%*s", text->depth ? indent(text) + INDENT : 0, "");
	text->begun = true;
}

/* The list's number is that of the next item: nobody else reads it. */
static void begin_item(struct text *text, cmark_node *item)
{
	cmark_node *list = cmark_node_parent(item);
	int number = cmark_node_get_list_start(list);

	fprintf(text->to, "%s%*s", text->begun ? "\n" : "", indent(text), "");
	if (cmark_node_get_list_type(list) == CMARK_ORDERED_LIST)
		fprintf(text->to, "%d. ", number);
	else
		fputs("- ", text->to);
	cmark_node_set_list_start(list, number + 1);
	text->begun = text->item = true;
}

static void put_code(struct text *text, const char *code)
{
	const char *separator = "";

	begin_line(text);
	while (*code) {
		size_t n = strcspn(code, "\n");

		fprintf(text->to, "%s%*s", separator, indent(text) + CODE_INDENT, "");
		put(text, code, n);
		code += n + (code[n] == '\n');
		separator = "\n";
	}
}

static void enter(struct text *text, cmark_node *node)
{
	const char *literal = cmark_node_get_literal(node);

	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_LIST:
		text->depth++;
		break;
	case CMARK_NODE_ITEM:
		begin_item(text, node);
		break;
	case CMARK_NODE_PARAGRAPH:
	case CMARK_NODE_HEADING:
		begin_line(text);
		break;
	case CMARK_NODE_CODE_BLOCK:
		put_code(text, literal);
		break;
	case CMARK_NODE_TEXT:
	case CMARK_NODE_CODE:
		put(text, literal, strlen(literal));
		break;
	case CMARK_NODE_SOFTBREAK:
	case CMARK_NODE_LINEBREAK:
		fputs(" ", text->to);
		break;
	default: /* HTML is for a browser */
		break;
	}
}

void lecture_text_write(FILE *to, cmark_node *block)
{
	struct text text = {.to = to};
	cmark_iter *iter = cmark_iter_new(block);
	cmark_event_type event;

	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);

		if (event == CMARK_EVENT_ENTER)
			enter(&text, node);
		else if (cmark_node_get_type(node) == CMARK_NODE_LIST)
			text.depth--;
	}
	cmark_iter_free(iter);
}
