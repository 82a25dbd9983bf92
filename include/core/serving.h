/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* Shortest request and reply, bytes. Both begin with an HTTP header. */
#define SERVING_REQUEST_LEAST 32
#define SERVING_REPLY_LEAST   64

/* The work of a server for each request, and the load from its clients. */
struct serving {
	uint32_t clients; /* Number of connections at once. */
	uint32_t kept;	  /* Requests on each connection, after which the server closes it. */
	/*
	 * Requests per second that the clients begin; 0: each client waits for a reply before its
	 * next request
	 */
	uint32_t rate;
	uint64_t request, reply; /* bytes */
	uint64_t work;		 /* steps: terms of a series */
	uint64_t wait_ns;	 /* between work and reply */
	uint64_t file;		 /* bytes read before each reply, of a file that all read */
	uint32_t idle;		 /* connections that are open and silent beside the clients */
};
