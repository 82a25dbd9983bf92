/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* Shortest request and reply, bytes. Both begin with an HTTP header. */
#define SERVING_REQUEST_LEAST 32
#define SERVING_REPLY_LEAST   64

/* The work of a server for each request, and the load from its clients. */
struct serving {
	uint32_t clients; /* Number of connections open at once. */
	/* Number of requests on each connection, after which the server closes the connection. */
	uint32_t kept;
	/*
	 * Requests per second of all clients together; 0: each client waits for a reply before its
	 * next request
	 */
	uint32_t rate;
	uint64_t request, reply; /* bytes */
	uint64_t work;		 /* work of a request: number of terms of a series to add */
	uint64_t wait_ns;	 /* wait between work and reply */
	/*
	 * bytes that the server reads before each reply, from a file that all workers share; 0:
	 * none
	 */
	uint64_t file;
	uint32_t idle; /* idle connections, besides the clients' connections */
};

/* Largest number of requests of a run whose times are recorded. */
#define SERVING_MARKS 64

/* Times of one request. Only the worker that serves the request writes them. */
struct serving_mark {
	uint64_t read_ns;	     /* when the whole request was read */
	_Atomic uint64_t replied_ns; /* when the whole reply was written; 0: not yet */
	uint32_t slot;		     /* the worker's number on the scoreboard */
};

/* Times of some requests of a server, spread evenly over the run. */
struct serving_marks {
	_Atomic uint32_t next; /* requests read so far */
	/*
	 * Interval between recorded requests, at least 1. With 10, requests 0, 10, 20 and so on are
	 * recorded.
	 */
	uint32_t every;
	struct serving_mark mark[SERVING_MARKS];
};
