/* loom's RC4 kernels behind functions for any length. */

#include "rc4.h"

/* What is no whole group goes byte by byte, as the cipher is defined. Groups begin where i is a multiple of 8: so the
   kernel for entries of four bytes wants it. */
#define RC4_OF(entries)                                                                            \
    static void bytes_##entries(struct rc4_##entries *state, uint8_t *data, size_t length)         \
    {                                                                                              \
        for (size_t n = 0; n < length; n++) {                                                      \
            uint32_t i = state->i = (state->i + 1) & 255;                                          \
            uint32_t at_i = state->s[i];                                                           \
            uint32_t j = state->j = (state->j + at_i) & 255;                                       \
            uint32_t at_j = state->s[j];                                                           \
            state->s[i] = at_j;                                                                    \
            state->s[j] = at_i;                                                                    \
            data[n] ^= state->s[(at_i + at_j) & 255];                                              \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    void rc4_##entries##_key(struct rc4_##entries *state, const uint8_t *key, size_t length)       \
    {                                                                                              \
        uint8_t repeated[256];                                                                     \
        for (size_t n = 0; n < sizeof repeated; n++)                                               \
            repeated[n] = key[n % length];                                                         \
        loom_rc4_setup_##entries(state, repeated);                                                 \
    }                                                                                              \
                                                                                                   \
    void rc4_##entries(struct rc4_##entries *state, uint8_t *data, size_t length)                  \
    {                                                                                              \
        size_t first = (8 - state->i % 8) % 8;                                                     \
        if (first > length)                                                                        \
            first = length;                                                                        \
        size_t groups = (length - first) / 8;                                                      \
        bytes_##entries(state, data, first);                                                       \
        if (groups > 0)                                                                            \
            loom_rc4_apply_##entries(state, data + first, groups);                                 \
        size_t done = first + 8 * groups;                                                          \
        bytes_##entries(state, data + done, length - done);                                        \
    }

RC4_OF(s8)
RC4_OF(s32)
