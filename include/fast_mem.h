/*
 * fast_mem: set, copy, move and zero memory with the best routine for this CPU, chosen once at the first call.
 *
 * Every function may be called from any thread, from a signal handler and before main; none allocates or locks.
 * A length of 0 touches nothing. Link with `pkg-config --cflags --libs fast_mem`.
 */
#ifndef FAST_MEM_H
#define FAST_MEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Chooses now rather than at the first call. Returns 0, or -1 if FAST_MEM_VARIANT or FAST_MEM_TUNABLES asks for
 * something impossible: then a line on standard error has said so, and the automatic choice is in force. */
int fm_init(void);

/* Sets n bytes from dst to the low byte of `byte`. Returns dst. */
void *fm_set(void *dst, int byte, size_t n);

/* Zeroes n bytes from dst. Returns dst. */
void *fm_zero(void *dst, size_t n);

/* Zeroes n bytes from dst, even where nobody reads them again: for keys and passwords. */
void fm_zero_explicit(void *dst, size_t n);

/* Copies n bytes from src to dst. An overlap is copied as by fm_move. Returns dst. */
void *fm_copy(void *dst, const void *src, size_t n);

/* Copies n bytes from src to dst, which may overlap in any way. Returns dst. */
void *fm_move(void *dst, const void *src, size_t n);

/* Set n numbers from dst, which is aligned for them, to `value`. Return dst. */
uint16_t *fm_fill16(uint16_t *dst, uint16_t value, size_t n);
uint32_t *fm_fill32(uint32_t *dst, uint32_t value, size_t n);
uint64_t *fm_fill64(uint64_t *dst, uint64_t value, size_t n);

/* The names of the variants that set and copy, such as "avx2"; chosen now if no call has yet.
 * The string stays valid and unchanged for as long as the program runs. */
const char *fm_selection_set(void);
const char *fm_selection_copy(void);

#ifdef __cplusplus
}
#endif

#endif
