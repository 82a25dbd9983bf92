/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* Bytes of the shortest request and reply: both begin with a header of HTTP. */
#define SERVING_REQUEST_LEAST 32
#define SERVING_REPLY_LEAST   64

/* The work of a server for each request, and the load that its clients put on it. */
struct serving {
	uint32_t clients; /* connections at once */
	uint32_t kept;	  /* requests on each connection; the server closes it then */
	uint32_t rate;	  /* requests/s that the clients begin; 0: each client waits for its reply
			     first */
	uint64_t request, reply; /* bytes */
	uint64_t work;		 /* steps: terms of a series */
	uint64_t wait_ns;	 /* between work and reply */
	uint64_t file;		 /* bytes read before each reply, of a file that all read */
	uint32_t idle;		 /* connections that are open and silent beside the clients */
};
