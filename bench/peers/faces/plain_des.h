/* DES by eight tables of 64 entries in which S-box and P are merged: what a C programmer writes who
 * knows that much and no more. The tables are made from those of FIPS 46-3. */
#ifndef PLAIN_DES_H
#define PLAIN_DES_H

#include <stddef.h>
#include <stdint.h>

/* Subkeys in groups of six bits, one group for each S-box. */
struct des {
    uint8_t k[16][8];
};

static const uint8_t PC1[56] = {
    57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18, 10, 2,  59, 51, 43,
    35, 27, 19, 11, 3,  60, 52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7,  62, 54,
    46, 38, 30, 22, 14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4,
};

static const uint8_t PC2[48] = {
    14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,  26, 8,  16, 7,  27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
};

static const uint8_t SHIFTS[16] = { 1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1 };

static const uint8_t P[32] = {
    16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
    2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25,
};

static const uint8_t S[8][64] = {
    { 14, 4,  13, 1,  2,  15, 11, 8,  3,  10, 6,  12, 5,  9,  0,  7,  0,  15, 7,  4,  14, 2,
      13, 1,  10, 6,  12, 11, 9,  5,  3,  8,  4,  1,  14, 8,  13, 6,  2,  11, 15, 12, 9,  7,
      3,  10, 5,  0,  15, 12, 8,  2,  4,  9,  1,  7,  5,  11, 3,  14, 10, 0,  6,  13 },
    { 15, 1,  8,  14, 6,  11, 3,  4,  9,  7,  2,  13, 12, 0,  5,  10, 3,  13, 4,  7,  15, 2,
      8,  14, 12, 0,  1,  10, 6,  9,  11, 5,  0,  14, 7,  11, 10, 4,  13, 1,  5,  8,  12, 6,
      9,  3,  2,  15, 13, 8,  10, 1,  3,  15, 4,  2,  11, 6,  7,  12, 0,  5,  14, 9 },
    { 10, 0,  9,  14, 6,  3,  15, 5,  1,  13, 12, 7,  11, 4,  2,  8,  13, 7,  0,  9,  3,  4,
      6,  10, 2,  8,  5,  14, 12, 11, 15, 1,  13, 6,  4,  9,  8,  15, 3,  0,  11, 1,  2,  12,
      5,  10, 14, 7,  1,  10, 13, 0,  6,  9,  8,  7,  4,  15, 14, 3,  11, 5,  2,  12 },
    { 7,  13, 14, 3,  0,  6,  9,  10, 1,  2,  8,  5,  11, 12, 4,  15, 13, 8,  11, 5,  6,  15,
      0,  3,  4,  7,  2,  12, 1,  10, 14, 9,  10, 6,  9,  0,  12, 11, 7,  13, 15, 1,  3,  14,
      5,  2,  8,  4,  3,  15, 0,  6,  10, 1,  13, 8,  9,  4,  5,  11, 12, 7,  2,  14 },
    { 2,  12, 4,  1,  7,  10, 11, 6,  8,  5,  3,  15, 13, 0,  14, 9,  14, 11, 2,  12, 4,  7,
      13, 1,  5,  0,  15, 10, 3,  9,  8,  6,  4,  2,  1,  11, 10, 13, 7,  8,  15, 9,  12, 5,
      6,  3,  0,  14, 11, 8,  12, 7,  1,  14, 2,  13, 6,  15, 0,  9,  10, 4,  5,  3 },
    { 12, 1,  10, 15, 9,  2,  6,  8,  0,  13, 3,  4,  14, 7,  5,  11, 10, 15, 4,  2,  7,  12,
      9,  5,  6,  1,  13, 14, 0,  11, 3,  8,  9,  14, 15, 5,  2,  8,  12, 3,  7,  0,  4,  10,
      1,  13, 11, 6,  4,  3,  2,  12, 9,  5,  15, 10, 11, 14, 1,  7,  6,  0,  8,  13 },
    { 4,  11, 2,  14, 15, 0,  8,  13, 3,  12, 9,  7,  5,  10, 6,  1,  13, 0,  11, 7,  4,  9,
      1,  10, 14, 3,  5,  12, 2,  15, 8,  6,  1,  4,  11, 13, 12, 3,  7,  14, 10, 15, 6,  8,
      0,  5,  9,  2,  6,  11, 13, 8,  1,  4,  10, 7,  9,  5,  0,  15, 14, 2,  3,  12 },
    { 13, 2,  8,  4,  6,  15, 11, 1,  10, 9,  3,  14, 5,  0,  12, 7,  1,  15, 13, 8,  10, 3,
      7,  4,  12, 5,  6,  11, 0,  14, 9,  2,  7,  11, 4,  1,  9,  12, 14, 2,  0,  6,  10, 13,
      15, 3,  5,  8,  2,  1,  14, 7,  4,  10, 8,  13, 15, 12, 9,  0,  3,  5,  6,  11 },
};

/* SP[n][x]: what six bits x of E(R) ^ K add to f through S-box n + 1. */
static uint32_t SP[8][64];

static void des_make_tables(void)
{
    for (unsigned n = 0; n < 8; n++)
        for (unsigned x = 0; x < 64; x++) {
            unsigned row = (x >> 4 & 2) | (x & 1), column = x >> 1 & 15;
            uint32_t out = (uint32_t)S[n][16 * row + column] << (28 - 4 * n), f = 0;
            for (unsigned bit = 0; bit < 32; bit++)
                f |= (out >> (32 - P[bit]) & 1) << (31 - bit);
            SP[n][x] = f;
        }
}

static void des_set_key(struct des *des, const uint8_t *key)
{
    uint8_t cd[56];
    for (unsigned n = 0; n < 56; n++)
        cd[n] = key[(PC1[n] - 1) / 8] >> (7 - (PC1[n] - 1) % 8) & 1;
    unsigned shift = 0;
    for (unsigned round = 0; round < 16; round++) {
        shift += SHIFTS[round];
        for (unsigned group = 0; group < 8; group++) {
            unsigned k = 0;
            for (unsigned bit = 0; bit < 6; bit++) {
                unsigned at = PC2[6 * group + bit] - 1u, half = at / 28 * 28;
                k = k << 1 | cd[half + (at - half + shift) % 28];
            }
            des->k[round][group] = (uint8_t)k;
        }
    }
}

static uint32_t des_load(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void des_store(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

/* Exchanges the bits of *b under the mask with those n places higher in *a. */
static void des_exchange(uint32_t *a, uint32_t *b, unsigned n, uint32_t mask)
{
    uint32_t t = (*a >> n ^ *b) & mask;
    *b ^= t;
    *a ^= t << n;
}

static void des_ip(uint32_t *l, uint32_t *r)
{
    des_exchange(l, r, 4, 0x0f0f0f0f);
    des_exchange(l, r, 16, 0x0000ffff);
    des_exchange(r, l, 2, 0x33333333);
    des_exchange(r, l, 8, 0x00ff00ff);
    des_exchange(l, r, 1, 0x55555555);
}

static void des_ip_inv(uint32_t *l, uint32_t *r)
{
    des_exchange(l, r, 1, 0x55555555);
    des_exchange(r, l, 8, 0x00ff00ff);
    des_exchange(r, l, 2, 0x33333333);
    des_exchange(l, r, 16, 0x0000ffff);
    des_exchange(l, r, 4, 0x0f0f0f0f);
}

/* E's groups of six overlap by two bits: turned by one place, each lies in one piece. */
static uint32_t des_f(uint32_t r, const uint8_t *k)
{
    uint32_t e = r >> 1 | r << 31, last = r << 1 | r >> 31;
    return SP[0][(e >> 26 ^ k[0]) & 63] ^ SP[1][(e >> 22 ^ k[1]) & 63]
           ^ SP[2][(e >> 18 ^ k[2]) & 63] ^ SP[3][(e >> 14 ^ k[3]) & 63]
           ^ SP[4][(e >> 10 ^ k[4]) & 63] ^ SP[5][(e >> 6 ^ k[5]) & 63]
           ^ SP[6][(e >> 2 ^ k[6]) & 63] ^ SP[7][(last ^ k[7]) & 63];
}

/* Sixteen rounds between IP and IP⁻¹; the halves change places at the end. */
static void des_pass(const struct des *des, int encrypts, uint32_t *l, uint32_t *r)
{
    for (int round = 0; round < 16; round += 2) {
        *l ^= des_f(*r, des->k[encrypts ? round : 15 - round]);
        *r ^= des_f(*l, des->k[encrypts ? round + 1 : 14 - round]);
    }
    uint32_t t = *l;
    *l = *r;
    *r = t;
}

/* DES by one key, or EDE by three. */
static void des_block(const struct des *des, int keys, int encrypts, uint8_t *block)
{
    uint32_t l = des_load(block), r = des_load(block + 4);
    des_ip(&l, &r);
    for (int n = 0; n < keys; n++)
        des_pass(&des[encrypts ? n : keys - 1 - n], encrypts ^ (n & 1), &l, &r);
    des_ip_inv(&l, &r);
    des_store(block, l);
    des_store(block + 4, r);
}

#endif
