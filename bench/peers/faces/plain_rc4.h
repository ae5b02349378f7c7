/* RC4 as textbooks print it. */
#ifndef PLAIN_RC4_H
#define PLAIN_RC4_H

#include <stddef.h>
#include <stdint.h>

struct rc4 {
    uint8_t s[256], i, j;
};

static void rc4_set_key(struct rc4 *rc4, const uint8_t *key, size_t len)
{
    for (int i = 0; i < 256; i++)
        rc4->s[i] = (uint8_t)i;
    uint8_t j = 0;
    for (int i = 0; i < 256; i++) {
        uint8_t t = rc4->s[i];
        j = (uint8_t)(j + t + key[(size_t)i % len]);
        rc4->s[i] = rc4->s[j];
        rc4->s[j] = t;
    }
    rc4->i = rc4->j = 0;
}

static void rc4_crypt(struct rc4 *rc4, uint8_t *data, size_t len)
{
    uint8_t i = rc4->i, j = rc4->j, *s = rc4->s;
    for (size_t n = 0; n < len; n++) {
        i = (uint8_t)(i + 1);
        uint8_t t = s[i];
        j = (uint8_t)(j + t);
        s[i] = s[j];
        s[j] = t;
        data[n] ^= s[(uint8_t)(s[i] + t)];
    }
    rc4->i = i;
    rc4->j = j;
}

#endif
