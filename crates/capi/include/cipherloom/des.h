/* The functions of OpenSSL's <openssl/des.h>, under names with the prefix cl_.
 *
 * They do what OpenSSL 3.0's do, byte for byte (docs/C-API.md has the table). A program that uses
 * the old names compiles unchanged with -I.../include/cipherloom/compat, whose <openssl/des.h>
 * maps them, and can be linked beside libcrypto.
 *
 * New programs: take <cipherloom.h>, whose functions check what they are given. Those here have no
 * way to report an error: a null pointer where memory is needed ends the program with a line on
 * standard error. A length below 0 is taken for 0, and with a length of 0 data may be null.
 *
 * Overlaps: input and output may overlap in any way; the result is that of an input that was copied
 * before. IVs, `num`, keys and whitening are read first, and those that are updated are written last.
 * A schedule must not overlap what is written.
 *
 * Threads: schedules may be shared by any number of threads; an IV and a `num` belong to one.
 */
#ifndef CIPHERLOOM_DES_H
#define CIPHERLOOM_DES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned int cl_DES_LONG;
typedef unsigned char cl_DES_cblock[8];
typedef unsigned char cl_const_DES_cblock[8];

/* Sixteen subkeys of two words each, laid out as in OpenSSL: may be copied, stored, and passed
 * between programs that use either library. */
typedef struct cl_DES_ks {
    union {
        cl_DES_cblock cblock;
        cl_DES_LONG deslong[2];
    } ks[16];
} cl_DES_key_schedule;

/* ---- Keys ---- */

/* 0; -1 if a byte has even parity, -2 if the key is weak or semi-weak. The first two make the
 * schedule nevertheless, the third does not. */
int cl_DES_set_key(cl_const_DES_cblock *key, cl_DES_key_schedule *schedule);
int cl_DES_key_sched(cl_const_DES_cblock *key, cl_DES_key_schedule *schedule);
int cl_DES_set_key_checked(cl_const_DES_cblock *key, cl_DES_key_schedule *schedule);
void cl_DES_set_key_unchecked(cl_const_DES_cblock *key, cl_DES_key_schedule *schedule);

/* 1 if it is so, else 0. */
int cl_DES_is_weak_key(cl_const_DES_cblock *key);
int cl_DES_check_key_parity(cl_const_DES_cblock *key);

void cl_DES_set_odd_parity(cl_DES_cblock *key);

/* A key of the system's random bytes, with odd parity and not weak: 1; 0 if there are none. */
int cl_DES_random_key(cl_DES_cblock *ret);

/* Keys from a password, as Kerberos 4 made them. */
void cl_DES_string_to_key(const char *str, cl_DES_cblock *key);
void cl_DES_string_to_2keys(const char *str, cl_DES_cblock *key1, cl_DES_cblock *key2);

/* ---- Blocks ---- */

/* On two words in little-endian reading; 2 leaves out IP and its inverse. enc: 0 decrypts. */
void cl_DES_encrypt1(cl_DES_LONG *data, cl_DES_key_schedule *ks, int enc);
void cl_DES_encrypt2(cl_DES_LONG *data, cl_DES_key_schedule *ks, int enc);
void cl_DES_encrypt3(cl_DES_LONG *data, cl_DES_key_schedule *ks1, cl_DES_key_schedule *ks2,
                     cl_DES_key_schedule *ks3);
void cl_DES_decrypt3(cl_DES_LONG *data, cl_DES_key_schedule *ks1, cl_DES_key_schedule *ks2,
                     cl_DES_key_schedule *ks3);

void cl_DES_ecb_encrypt(cl_const_DES_cblock *input, cl_DES_cblock *output, cl_DES_key_schedule *ks,
                        int enc);
void cl_DES_ecb3_encrypt(cl_const_DES_cblock *input, cl_DES_cblock *output,
                         cl_DES_key_schedule *ks1, cl_DES_key_schedule *ks2,
                         cl_DES_key_schedule *ks3, int enc);

/* ---- CBC and PCBC. Encryption fills a last, short block up with zeros and writes 8 bytes of it;
 * decryption reads 8 bytes of it and writes what the length says. Input and output may be the
 * same. ---- */

/* Does not update the IV. */
void cl_DES_cbc_encrypt(const unsigned char *input, unsigned char *output, long length,
                        cl_DES_key_schedule *schedule, cl_DES_cblock *ivec, int enc);
void cl_DES_ncbc_encrypt(const unsigned char *input, unsigned char *output, long length,
                         cl_DES_key_schedule *schedule, cl_DES_cblock *ivec, int enc);
void cl_DES_xcbc_encrypt(const unsigned char *input, unsigned char *output, long length,
                         cl_DES_key_schedule *schedule, cl_DES_cblock *ivec,
                         cl_const_DES_cblock *inw, cl_const_DES_cblock *outw, int enc);
void cl_DES_ede3_cbc_encrypt(const unsigned char *input, unsigned char *output, long length,
                             cl_DES_key_schedule *ks1, cl_DES_key_schedule *ks2,
                             cl_DES_key_schedule *ks3, cl_DES_cblock *ivec, int enc);
/* Does not update the IV. */
void cl_DES_pcbc_encrypt(const unsigned char *input, unsigned char *output, long length,
                         cl_DES_key_schedule *schedule, cl_DES_cblock *ivec, int enc);

/* ---- CFB and OFB ---- */

/* Of 64 bits, from byte to byte: `num` is how many bytes of a block are used, at first 0. */
void cl_DES_cfb64_encrypt(const unsigned char *in, unsigned char *out, long length,
                          cl_DES_key_schedule *schedule, cl_DES_cblock *ivec, int *num, int enc);
void cl_DES_ofb64_encrypt(const unsigned char *in, unsigned char *out, long length,
                          cl_DES_key_schedule *schedule, cl_DES_cblock *ivec, int *num);
void cl_DES_ede3_cfb64_encrypt(const unsigned char *in, unsigned char *out, long length,
                               cl_DES_key_schedule *ks1, cl_DES_key_schedule *ks2,
                               cl_DES_key_schedule *ks3, cl_DES_cblock *ivec, int *num, int enc);
void cl_DES_ede3_ofb64_encrypt(const unsigned char *in, unsigned char *out, long length,
                               cl_DES_key_schedule *ks1, cl_DES_key_schedule *ks2,
                               cl_DES_key_schedule *ks3, cl_DES_cblock *ivec, int *num);

/* Of `numbits` bits, 1 to 64, each segment in as many whole bytes as hold them. In CFB the length
 * is in bytes, in OFB in segments, and OFB counts bits from the lowest one of a byte on. */
void cl_DES_cfb_encrypt(const unsigned char *in, unsigned char *out, int numbits, long length,
                        cl_DES_key_schedule *schedule, cl_DES_cblock *ivec, int enc);
void cl_DES_ofb_encrypt(const unsigned char *in, unsigned char *out, int numbits, long length,
                        cl_DES_key_schedule *schedule, cl_DES_cblock *ivec);
void cl_DES_ede3_cfb_encrypt(const unsigned char *in, unsigned char *out, int numbits, long length,
                             cl_DES_key_schedule *ks1, cl_DES_key_schedule *ks2,
                             cl_DES_key_schedule *ks3, cl_DES_cblock *ivec, int enc);

/* ---- Checksums ---- */

/* The last block of a CBC encryption, into `output` unless it is NULL; its last four bytes are
 * the result, as a big-endian number. */
cl_DES_LONG cl_DES_cbc_cksum(const unsigned char *input, cl_DES_cblock *output, long length,
                             cl_DES_key_schedule *schedule, cl_const_DES_cblock *ivec);

/* Kerberos 4's quadratic checksum: `out_count` (1 to 4) passes, a block of `output` for each
 * unless it is NULL. */
cl_DES_LONG cl_DES_quad_cksum(const unsigned char *input, cl_DES_cblock output[], long length,
                              int out_count, cl_DES_cblock *seed);

/* ---- Unix passwords ---- */

/* crypt(3) by DES, into 14 bytes at `ret`, or into memory of the thread that its next call uses
 * again. NULL if the salt is not two characters of ./0-9A-Za-z. */
char *cl_DES_fcrypt(const char *buf, const char *salt, char *ret);
char *cl_DES_crypt(const char *buf, const char *salt);

/* What is at work: a text that names this library. */
const char *cl_DES_options(void);

#ifdef __cplusplus
}
#endif

#endif
