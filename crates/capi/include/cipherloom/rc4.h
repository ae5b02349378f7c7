/* The functions of OpenSSL's <openssl/rc4.h>, under names with the prefix cl_: see
 * <cipherloom/des.h>, of which all is true here, too. */
#ifndef CIPHERLOOM_RC4_H
#define CIPHERLOOM_RC4_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A state of OpenSSL's size: i, j, and S with a word for each entry. It may be copied; it is not
 * exchanged with libcrypto's, whose content depends on the processor. */
typedef struct cl_rc4_key_st {
    unsigned int x, y;
    unsigned int data[256];
} cl_RC4_KEY;

/* Of a key of more than 256 bytes the first 256 are used; one of no bytes, or of fewer, ends the
 * program. The key must not overlap the state. */
void cl_RC4_set_key(cl_RC4_KEY *key, int len, const unsigned char *data);

/* XORs the next bytes of the keystream into `indata` on the way to `outdata`, which may be the
 * same. */
void cl_RC4(cl_RC4_KEY *key, size_t len, const unsigned char *indata, unsigned char *outdata);

const char *cl_RC4_options(void);

#ifdef __cplusplus
}
#endif

#endif
