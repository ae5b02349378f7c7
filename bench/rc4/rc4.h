/* RC4 for C programs: a state, its key set-up and the cipher. */
#ifndef RC4_H
#define RC4_H

#include <stddef.h>
#include <stdint.h>

/* What loom's kernels take: S in entries of one byte or of four, then i and j. */
struct rc4_s8 {
    uint8_t s[256];
    uint32_t i, j;
};
struct rc4_s32 {
    uint32_t s[256];
    uint32_t i, j;
};

/* loom's kernels: `loom emit` prints them. A key is repeated to 256 bytes; data comes in groups of
   eight bytes and is XORed in place; with entries of four bytes i is a multiple of 8 before it. */
void loom_rc4_setup_s8(struct rc4_s8 *state, const uint8_t key[256]);
void loom_rc4_apply_s8(struct rc4_s8 *state, uint8_t *data, size_t groups);
void loom_rc4_setup_s32(struct rc4_s32 *state, const uint8_t key[256]);
void loom_rc4_apply_s32(struct rc4_s32 *state, uint8_t *data, size_t groups);

/* The same for any key of 1 to 256 bytes and data of any length, in pieces of any length. */
void rc4_s8_key(struct rc4_s8 *state, const uint8_t *key, size_t length);
void rc4_s8(struct rc4_s8 *state, uint8_t *data, size_t length);
void rc4_s32_key(struct rc4_s32 *state, const uint8_t *key, size_t length);
void rc4_s32(struct rc4_s32 *state, uint8_t *data, size_t length);

#endif
