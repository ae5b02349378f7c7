/* libdes' four functions: loom's kernels beside those of OpenSSL's libcrypto, compared, then timed in
   turns: libdes LIBCRYPTO [SAMPLES]. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libdes.h"

/* libcrypto's way to fill a schedule. */
typedef void set_key(unsigned char (*key)[8], struct schedule *schedule);

struct functions {
    const char *doc;
    encrypt *encrypt1, *encrypt2;
    encrypt3 *encrypt3, *decrypt3;
};

/* Whose functions. Those for processors with GFNI come last, and only run on such. */
enum { THEIRS, OURS, WITH_GFNI, MOST_WAYS };
static struct functions ways[MOST_WAYS] = {
    {"OpenSSL", 0, 0, 0, 0},
    {"loom", loom_des_encrypt1, loom_des_encrypt2, loom_des_encrypt3, loom_des_decrypt3},
    {"with GFNI", gfni_des_encrypt1, gfni_des_encrypt2, gfni_des_encrypt3, gfni_des_decrypt3},
};
static struct schedule schedules[3];

/* The kinds of work. */
enum { ENCRYPT1, DECRYPT1, ENCRYPT2, DECRYPT2, ENCRYPT3, DECRYPT3, KINDS };
static const char *const kinds[KINDS] = {
    "des_encrypt1, encryption", "des_encrypt1, decryption", "des_encrypt2, encryption",
    "des_encrypt2, decryption", "des_encrypt3",             "des_decrypt3",
};

/* One block after the other; with a step of 0 one block over and over, so that each call waits for the
   result of the one before. */
static void work(const struct functions *of, int kind, DES_LONG *data, int step, int times)
{
    struct schedule *s = schedules;
    int n;
    for (n = 0; n < times; n++, data += step)
        switch (kind) {
        case ENCRYPT1: of->encrypt1(data, s, 1); break;
        case DECRYPT1: of->encrypt1(data, s, 0); break;
        case ENCRYPT2: of->encrypt2(data, s, 1); break;
        case DECRYPT2: of->encrypt2(data, s, 0); break;
        case ENCRYPT3: of->encrypt3(data, s, s + 1, s + 2); break;
        case DECRYPT3: of->decrypt3(data, s, s + 1, s + 2); break;
        }
}

/* POSIX gives functions as data pointers, which C does not turn into functions. */
static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "libcrypto has no %s\n", name);
        exit(1);
    }
    memcpy(function, &found, sizeof found);
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

enum { BLOCKS = 500, MOST_SAMPLES = 2001 };
static double samples[MOST_WAYS][MOST_SAMPLES];
static DES_LONG blocks[BLOCKS * 2];

int main(int count, char **words)
{
    int taken = count > 2 ? atoi(words[2]) : 401, kind, step, n;
    unsigned char key[8] = {0x13, 0x57, 0x9b, 0xdf, 0x02, 0x46, 0x8a, 0xce};
    set_key *set_key;
    int has_gfni = __builtin_cpu_supports("gfni") && __builtin_cpu_supports("ssse3") &&
                   __builtin_cpu_supports("bmi2");
    int count_ways = has_gfni ? MOST_WAYS : WITH_GFNI, way;
    struct functions *theirs = &ways[THEIRS];
    void *library = count > 1 ? dlopen(words[1], RTLD_NOW) : 0;
    if (!library || taken < 1 || taken > MOST_SAMPLES) {
        fprintf(stderr, "usage: libdes LIBCRYPTO [SAMPLES (1 to %d)]%s%s\n", MOST_SAMPLES,
                count > 1 && !library ? ": " : "", count > 1 && !library ? dlerror() : "");
        return 2;
    }
    find(library, "DES_set_key_unchecked", &set_key);
    find(library, "DES_encrypt1", &theirs->encrypt1);
    find(library, "DES_encrypt2", &theirs->encrypt2);
    find(library, "DES_encrypt3", &theirs->encrypt3);
    find(library, "DES_decrypt3", &theirs->decrypt3);

    for (n = 0; n < 1000; n++) {
        DES_LONG block[2], mine[2], other[2];
        int schedule;
        for (schedule = 0; schedule < 3; schedule++) {
            set_key(&key, &schedules[schedule]);
            /* The next key is this one encrypted: any chain of keys will do. */
            memcpy(block, key, 8);
            theirs->encrypt1(block, schedules, 1);
            memcpy(key, block, 8);
        }
        for (kind = 0; kind < KINDS; kind++) {
            memcpy(other, block, 8);
            work(theirs, kind, other, 0, 3);
            for (way = OURS; way < count_ways; way++) {
                memcpy(mine, block, 8);
                work(&ways[way], kind, mine, 0, 3);
                if (memcmp(mine, other, 8) != 0) {
                    fprintf(stderr, "WRONG: %s, %s\n", kinds[kind], ways[way].doc);
                    return 1;
                }
            }
        }
    }
    printf("libdes' functions, %d bits: all right (1,000 keys, libcrypto's results)\n\n",
           (int)(8 * sizeof(void *)));
    for (step = 0; step <= 2; step += 2) {
        printf("%-28s", step ? "ns a block, block by block" : "ns a block, in a chain");
        for (way = 0; way < count_ways; way++)
            printf(way ? " %10s %8s" : " %10s", ways[way].doc, "times");
        printf("\n");
        for (kind = 0; kind < KINDS; kind++) {
            double median[MOST_WAYS];
            for (n = 0; n < taken; n++)
                for (way = 0; way < count_ways; way++) {
                    double start = seconds();
                    work(&ways[way], kind, blocks, step, BLOCKS);
                    samples[way][n] = seconds() - start;
                }
            printf("%-28s", kinds[kind]);
            for (way = 0; way < count_ways; way++) {
                qsort(samples[way], taken, sizeof(double), ascending);
                median[way] = samples[way][taken / 2] / BLOCKS * 1e9;
                printf(" %10.1f", median[way]);
                if (way)
                    printf(" %8.2f", median[THEIRS] / median[way]);
            }
            printf("\n");
        }
        printf("\n");
    }
    printf("Medians of %d samples of %d blocks, in turns.\n", taken, BLOCKS);
    if (!has_gfni)
        printf("This processor has no GFNI: the functions for it were not run.\n");
    return 0;
}
