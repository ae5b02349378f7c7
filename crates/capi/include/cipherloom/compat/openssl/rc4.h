/* OpenSSL's names for the functions of <cipherloom/rc4.h>: for programs that include
 * <openssl/rc4.h> and shall compile unchanged. */
#ifndef CIPHERLOOM_COMPAT_OPENSSL_RC4_H
#define CIPHERLOOM_COMPAT_OPENSSL_RC4_H

/* OpenSSL's own header, should another one ask for it, has nothing to add. */
#ifdef OPENSSL_RC4_H
#error "OpenSSL's <openssl/rc4.h> was included before Cipherloom's"
#endif
#define OPENSSL_RC4_H
#define HEADER_RC4_H

#include "../../rc4.h"

#define RC4_INT unsigned int
#define rc4_key_st cl_rc4_key_st
#define RC4_KEY cl_RC4_KEY

#define RC4_options cl_RC4_options
#define RC4_set_key cl_RC4_set_key
#define RC4 cl_RC4

#endif
