/* OpenSSL's names for the functions of <cipherloom/des.h>: for programs that include
 * <openssl/des.h> and shall compile unchanged. */
#ifndef CIPHERLOOM_COMPAT_OPENSSL_DES_H
#define CIPHERLOOM_COMPAT_OPENSSL_DES_H

/* OpenSSL's own header, should another one ask for it, has nothing to add. */
#ifdef OPENSSL_DES_H
#error "OpenSSL's <openssl/des.h> was included before Cipherloom's"
#endif
#define OPENSSL_DES_H
#define HEADER_DES_H

#include "../../des.h"

#define DES_LONG cl_DES_LONG
#define DES_cblock cl_DES_cblock
#define const_DES_cblock cl_const_DES_cblock
#define DES_ks cl_DES_ks
#define DES_key_schedule cl_DES_key_schedule

#define DES_KEY_SZ (sizeof(DES_cblock))
#define DES_SCHEDULE_SZ (sizeof(DES_key_schedule))

#define DES_ENCRYPT 1
#define DES_DECRYPT 0
#define DES_CBC_MODE 0
#define DES_PCBC_MODE 1

#define DES_key_sched cl_DES_key_sched
#define DES_set_key cl_DES_set_key
#define DES_set_key_checked cl_DES_set_key_checked
#define DES_set_key_unchecked cl_DES_set_key_unchecked
#define DES_is_weak_key cl_DES_is_weak_key
#define DES_check_key_parity cl_DES_check_key_parity
#define DES_set_odd_parity cl_DES_set_odd_parity
#define DES_random_key cl_DES_random_key
#define DES_string_to_key cl_DES_string_to_key
#define DES_string_to_2keys cl_DES_string_to_2keys
#define DES_encrypt1 cl_DES_encrypt1
#define DES_encrypt2 cl_DES_encrypt2
#define DES_encrypt3 cl_DES_encrypt3
#define DES_decrypt3 cl_DES_decrypt3
#define DES_ecb_encrypt cl_DES_ecb_encrypt
#define DES_ecb3_encrypt cl_DES_ecb3_encrypt
#define DES_cbc_encrypt cl_DES_cbc_encrypt
#define DES_ncbc_encrypt cl_DES_ncbc_encrypt
#define DES_xcbc_encrypt cl_DES_xcbc_encrypt
#define DES_ede3_cbc_encrypt cl_DES_ede3_cbc_encrypt
#define DES_pcbc_encrypt cl_DES_pcbc_encrypt
#define DES_cfb64_encrypt cl_DES_cfb64_encrypt
#define DES_ofb64_encrypt cl_DES_ofb64_encrypt
#define DES_ede3_cfb64_encrypt cl_DES_ede3_cfb64_encrypt
#define DES_ede3_ofb64_encrypt cl_DES_ede3_ofb64_encrypt
#define DES_cfb_encrypt cl_DES_cfb_encrypt
#define DES_ofb_encrypt cl_DES_ofb_encrypt
#define DES_ede3_cfb_encrypt cl_DES_ede3_cfb_encrypt
#define DES_cbc_cksum cl_DES_cbc_cksum
#define DES_quad_cksum cl_DES_quad_cksum
#define DES_fcrypt cl_DES_fcrypt
#define DES_crypt cl_DES_crypt
#define DES_options cl_DES_options

#define DES_fixup_key_parity DES_set_odd_parity

/* Two keys are three of which the first is the third. */
#define DES_ecb2_encrypt(input, output, ks1, ks2, enc) \
    DES_ecb3_encrypt((input), (output), (ks1), (ks2), (ks1), (enc))
#define DES_ede2_cbc_encrypt(input, output, length, ks1, ks2, ivec, enc) \
    DES_ede3_cbc_encrypt((input), (output), (length), (ks1), (ks2), (ks1), (ivec), (enc))
#define DES_ede2_cfb64_encrypt(in, out, length, ks1, ks2, ivec, num, enc) \
    DES_ede3_cfb64_encrypt((in), (out), (length), (ks1), (ks2), (ks1), (ivec), (num), (enc))
#define DES_ede2_ofb64_encrypt(in, out, length, ks1, ks2, ivec, num) \
    DES_ede3_ofb64_encrypt((in), (out), (length), (ks1), (ks2), (ks1), (ivec), (num))

#endif
