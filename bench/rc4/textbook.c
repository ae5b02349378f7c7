/* RC4 as textbooks write it. Compiled several times, each time with other options and under another
   name: -DNAME=... */

#include "textbook.h"

#define JOIN(a, b) a##b
#define NAMED(name, what) JOIN(name, what)

void NAMED(NAME, _key)(struct textbook *state, const unsigned char *key, int length)
{
    unsigned i, j = 0;
    for (i = 0; i < 256; i++)
        state->s[i] = i;
    for (i = 0; i < 256; i++) {
        unsigned char swap = state->s[i];
        j = (j + swap + key[i % length]) % 256;
        state->s[i] = state->s[j];
        state->s[j] = swap;
    }
    state->i = state->j = 0;
}

void NAMED(NAME, _crypt)(struct textbook *state, unsigned char *data, int length)
{
    unsigned i = state->i, j = state->j;
    int n;
    for (n = 0; n < length; n++) {
        unsigned char swap;
        i = (i + 1) % 256;
        j = (j + state->s[i]) % 256;
        swap = state->s[i];
        state->s[i] = state->s[j];
        state->s[j] = swap;
        data[n] ^= state->s[(state->s[i] + state->s[j]) % 256];
    }
    state->i = i;
    state->j = j;
}
