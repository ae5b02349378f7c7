/* Calls a kernel and changed ones on the same inputs, on an emulated processor, and compares what they do.
 *
 * It reads words of 8 bytes in the processor's order, and bytes: where the image was linked, whether it must lie
 * there, its length and itself; where the kernel begins in it; how many changed ones there are, and of each the place
 * in the image and the number and value of the bytes that differ; the bytes of memory that each input has anew, and of
 * that which some inputs share; how many inputs there are. Of each input it reads whether what is shared is new, four
 * arguments (what it leads into: nothing, 1 what is new, 2 what is shared; and the number), what is shared, if it is new, and what is not.
 *
 * It prints what differs first, or `same` and how many inputs changed something. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef unsigned long long wide;

#ifdef __hppa__
/* Kernels take and give back registers of 64 bits, of which C knows the lower halves: `caller.s`. */
void call(const void *kernel, const wide *arguments);
#else
static void call(const void *kernel, const wide *arguments) {
    ((void (*)(wide, wide, wide, wide))kernel)(arguments[0], arguments[1], arguments[2], arguments[3]);
}
#endif

static void bytes(void *to, size_t size) {
    if (size && fread(to, size, 1, stdin) != 1) exit(2);
}

static wide number(void) {
    wide word;
    bytes(&word, sizeof word);
    return word;
}

static unsigned char *memory(size_t size) {
    unsigned char *at = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!at) exit(3);
    return at;
}

enum { PAGE = 4096, MOST = 256 };

static unsigned char *map(size_t at, size_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED_NOREPLACE : 0);
    unsigned char *found = mmap((void *)at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (found == MAP_FAILED || (at && (size_t)found != at)) exit(4);
    return found;
}

static void runs(unsigned char *at, size_t size) {
    if (mprotect(at, size, PROT_READ | PROT_EXEC)) exit(5);
    __builtin___clear_cache((char *)at, (char *)at + size);
}

int main(void) {
    static unsigned char *kernels[MOST];
    static char buffer[1 << 16];
    setvbuf(stdin, buffer, _IOFBF, sizeof buffer);
    size_t base = number(), is_there = number(), length = number();
    size_t within = base % PAGE, size = (within + length + PAGE - 1) / PAGE * PAGE;
    unsigned char *image = map(is_there ? base - within : 0, size);
    bytes(image + within, length);
    size_t entry = within + number();
    unsigned copies = 1 + number();
    if (copies > MOST) return 6;
    kernels[0] = image + entry;
    for (unsigned n = 1; n < copies; n++) {
        unsigned char *copy = map(0, size);
        memcpy(copy, image, size);
        size_t at = within + number();
        bytes(copy + at, number());
        runs(copy, size);
        kernels[n] = copy + entry;
    }
    runs(image, size);
    size_t anew = number(), shared = number();
    unsigned char *given = memory(anew), *fresh = memory(anew), *after = memory(anew);
    unsigned char *of_key = memory(shared), *kept = memory(shared);
    wide count = number(), changed = 0;
    for (wide n = 0; n < count; n++) {
        wide is_new = number(), arguments[4];
        for (unsigned k = 0; k < 4; k++) {
            wide where = number();
            arguments[k] = number();
            if (where) arguments[k] += (size_t)(where == 1 ? fresh : kept);
        }
        if (is_new) {
            if (n && memcmp(of_key, kept, shared)) {
                printf("before input %llu something was written that is only read\n", n);
                return 0;
            }
            bytes(of_key, shared);
            memcpy(kept, of_key, shared);
        }
        bytes(given, anew);
        for (unsigned k = 0; k < copies; k++) {
            memcpy(fresh, given, anew);
            call(kernels[k], arguments);
            if (!k) {
                changed += memcmp(fresh, given, anew) != 0;
                memcpy(after, fresh, anew);
            } else if (memcmp(fresh, after, anew)) {
                printf("change %u differs on input %llu\n", k - 1, n);
                return 0;
            }
        }
    }
    if (memcmp(of_key, kept, shared)) {
        printf("something was written that is only read\n");
        return 0;
    }
    printf("same %llu\n", changed);
    return 0;
}
