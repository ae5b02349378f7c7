/* Tests and times RC4 in every way that `cargo xtask rc4` built: rc4-demo [SAMPLES]. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rc4.h"
#include "textbook.h"

/* One stream at a time. */
static union {
    struct textbook textbook;
    struct rc4_s8 s8;
    struct rc4_s32 s32;
} state;

struct way {
    const char *doc;
    int ours;
    void (*key)(const unsigned char *key, int length);
    void (*crypt)(unsigned char *data, int length);
};

#define WRAP(name, doc)                                                                            \
    static void name##_way_key(const unsigned char *key, int length)                               \
    {                                                                                              \
        name##_key(&state.textbook, key, length);                                                  \
    }                                                                                              \
    static void name##_way(unsigned char *data, int length)                                        \
    {                                                                                              \
        name##_crypt(&state.textbook, data, length);                                               \
    }
TEXTBOOKS(WRAP)

static void s8_key(const unsigned char *key, int length) { rc4_s8_key(&state.s8, key, length); }
static void s8(unsigned char *data, int length) { rc4_s8(&state.s8, data, length); }
static void s32_key(const unsigned char *key, int length) { rc4_s32_key(&state.s32, key, length); }
static void s32(unsigned char *data, int length) { rc4_s32(&state.s32, data, length); }

#define ROW(name, doc) {doc, 0, name##_way_key, name##_way},
static const struct way ways[] = {
    TEXTBOOKS(ROW)
    {"loom, S in bytes", 1, s8_key, s8},
    {"loom, S in words", 1, s32_key, s32},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* RFC 6229, section 2: keys 1, 2, 3, ... and the keystream's first sixteen bytes. */
static const struct {
    int key_length;
    unsigned char keystream[16];
} answers[] = {
    {5, {0xb2, 0x39, 0x63, 0x05, 0xf0, 0x3d, 0xc0, 0x27, 0xcc, 0xc3, 0x52, 0x4a, 0x0a, 0x11, 0x18,
         0xa8}},
    {16, {0x9a, 0xc7, 0xcc, 0x9a, 0x60, 0x9d, 0x1e, 0xf7, 0xb2, 0x93, 0x28, 0x99, 0xcd, 0xe4, 0x1b,
          0x97}},
    {32, {0xea, 0xa6, 0xbd, 0x25, 0x88, 0x0b, 0xf9, 0x3d, 0x3f, 0x5d, 0x1e, 0x4c, 0xa2, 0x61, 0x1d,
          0x91}},
};

static const unsigned char key[32] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                      12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                      23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

enum { BUFFER = 16384 };
static unsigned char first[BUFFER], buffer[BUFFER];

/* Known answers, then a long message in pieces of every small length, which must be what the first
   way makes of it at once. */
static int is_right(const struct way *way)
{
    size_t n;
    int at, piece;
    for (n = 0; n < sizeof answers / sizeof *answers; n++) {
        unsigned char block[16] = {0};
        way->key(key, answers[n].key_length);
        way->crypt(block, sizeof block);
        if (memcmp(block, answers[n].keystream, sizeof block) != 0)
            return 0;
    }
    memset(first, 0, sizeof first);
    ways[0].key(key, sizeof key);
    ways[0].crypt(first, sizeof first);
    memset(buffer, 0, sizeof buffer);
    way->key(key, sizeof key);
    for (at = 0, piece = 0; at < BUFFER; at += piece, piece = (piece + 1) % 40)
        way->crypt(buffer + at, piece < BUFFER - at ? piece : BUFFER - at);
    return memcmp(buffer, first, sizeof buffer) == 0;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { MOST_SAMPLES = 1001 };
static double samples[WAYS][MOST_SAMPLES];

int main(int count, char **words)
{
    int taken = count > 1 ? atoi(words[1]) : 201, way, sample;
    double rate[WAYS], best_of_c = 0, best_of_ours = 0;
    if (taken < 1 || taken > MOST_SAMPLES) {
        fprintf(stderr, "samples: 1 to %d\n", MOST_SAMPLES);
        return 2;
    }
    for (way = 0; way < WAYS; way++) {
        if (!is_right(&ways[way])) {
            fprintf(stderr, "WRONG: %s\n", ways[way].doc);
            return 1;
        }
        memset(buffer, 0, sizeof buffer);
    }
    printf("RC4, %d bits: %d ways, all right (RFC 6229; pieces of every length)\n\n",
           (int)(8 * sizeof(void *)), WAYS);
    /* The ways take turns, so that whatever else the machine does meets all of them. */
    for (sample = 0; sample < taken; sample++)
        for (way = 0; way < WAYS; way++) {
            double start;
            ways[way].key(key, 16);
            ways[way].crypt(buffer, BUFFER);
            start = seconds();
            ways[way].crypt(buffer, BUFFER);
            samples[way][sample] = seconds() - start;
        }
    for (way = 0; way < WAYS; way++) {
        double *best = ways[way].ours ? &best_of_ours : &best_of_c;
        qsort(samples[way], taken, sizeof(double), ascending);
        rate[way] = BUFFER / samples[way][taken / 2] / (1 << 20);
        if (rate[way] > *best)
            *best = rate[way];
    }
    printf("%-32s %8s  %s\n", "", "MiB/s", "times the best C");
    for (way = 0; way < WAYS; way++)
        printf("%-32s %8.1f  %5.2f\n", ways[way].doc, rate[way], rate[way] / best_of_c);
    printf("\nloom's best against the best C: %.2f (medians of %d samples of 16 KiB, in turns)\n",
           best_of_ours / best_of_c, taken);
    return 0;
}
