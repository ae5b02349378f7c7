/* The functions that libdes had in assembly, as `loom emit` prints them. */
#ifndef LIBDES_H
#define LIBDES_H

#include <stdint.h>

typedef uint32_t DES_LONG;

/* Sixteen pairs of words: `DES_key_schedule` of OpenSSL. */
struct schedule {
    DES_LONG words[16][2];
};

/* Encrypts a block if `enc` is not 0, else decrypts it: with IP and its inverse, or without. */
typedef void encrypt(DES_LONG *data, struct schedule *ks, int enc);
typedef void encrypt3(DES_LONG *data, struct schedule *ks1, struct schedule *ks2,
                      struct schedule *ks3);

encrypt loom_des_encrypt1, loom_des_encrypt2;
encrypt3 loom_des_encrypt3, loom_des_decrypt3;

/* The same for processors with GFNI. */
encrypt gfni_des_encrypt1, gfni_des_encrypt2;
encrypt3 gfni_des_encrypt3, gfni_des_decrypt3;

#endif
