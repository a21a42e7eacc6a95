/* Every function of fast_mem.h, checked byte by byte. Prints the chosen variants. */
#include <fast_mem.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 100000

static unsigned char dst[SIZE + 64], src[SIZE + 64];

static void check(int holds, const char *what, size_t n)
{
    if (!holds) {
        fprintf(stderr, "%s: wrong for n = %zu\n", what, n);
        exit(1);
    }
}

static int all(size_t n, int byte)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (dst[i] != byte)
            return 0;
    return dst[n] == 0xEE;
}

static void bytes(size_t n)
{
    size_t i;
    for (i = 0; i < SIZE + 64; i++) {
        src[i] = (unsigned char)(i * 7 + i / 251);
        dst[i] = 0xEE;
    }
    check(fm_set(dst, 0x1234, n) == dst && all(n, 0x34), "fm_set", n);
    check(fm_zero(dst, n) == dst && all(n, 0), "fm_zero", n);
    fm_set(dst, 1, n);
    fm_zero_explicit(dst, n);
    check(all(n, 0), "fm_zero_explicit", n);
    check(fm_copy(dst, src, n) == dst, "fm_copy", n);
    for (i = 0; i < n; i++)
        check(dst[i] == src[i], "fm_copy", n);
    check(fm_move(dst + 5, dst, n) == dst + 5, "fm_move", n);
    for (i = 0; i < n; i++)
        check(dst[i + 5] == src[i], "fm_move", n);
}

static void numbers(size_t n)
{
    uint16_t *small = (uint16_t *)dst;
    uint32_t *middle = (uint32_t *)dst;
    uint64_t *large = (uint64_t *)dst;
    size_t i;
    check(fm_fill16(small, 0x0102, n) == small, "fm_fill16", n);
    for (i = 0; i < n; i++)
        check(small[i] == 0x0102, "fm_fill16", n);
    check(fm_fill32(middle, 0x01020304, n) == middle, "fm_fill32", n);
    for (i = 0; i < n; i++)
        check(middle[i] == 0x01020304, "fm_fill32", n);
    check(fm_fill64(large, 0x0102030405060708, n) == large, "fm_fill64", n);
    for (i = 0; i < n; i++)
        check(large[i] == 0x0102030405060708, "fm_fill64", n);
}

int main(void)
{
    size_t n;
    int status = fm_init();
    for (n = 0; n < 300; n++)
        bytes(n);
    bytes(SIZE);
    for (n = 0; n < 300; n++)
        numbers(n);
    numbers(SIZE / 8);
    fm_set(NULL, 1, 0);
    fm_copy(NULL, NULL, 0);
    fm_fill32(NULL, 1, 0);
    printf("%d %s %s\n", status, fm_selection_set(), fm_selection_copy());
    return 0;
}
