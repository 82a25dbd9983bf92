/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * Keys as screen_key() returns them. A character is its own code point. The numbers of other keys
 * begin here.
 */
enum key {
	KEY_UP_ARROW = 0x110000,
	KEY_DOWN_ARROW,
	KEY_LEFT_ARROW,
	KEY_RIGHT_ARROW,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME_KEY,
	KEY_END_KEY,
	KEY_ENTER_KEY,
	KEY_ESCAPE,
	KEY_BACKSPACE_KEY,
	KEY_TAB,
	KEY_BACK_TAB,
	KEY_F1,
	KEY_F10 = KEY_F1 + 9,
	KEY_CTRL_L,
	KEY_BACKGROUND,	 /* The terminal has reported its background colour. */
	KEY_MOUSE_PRESS, /* The position of a mouse key is returned separately. */
	KEY_WHEEL_UP,
	KEY_WHEEL_DOWN,
};
