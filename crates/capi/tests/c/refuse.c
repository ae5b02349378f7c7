/* The functions of OpenSSL's headers with what they must refuse: each number of the command line is
 * one call that must end the program; without one, calls that must do nothing. */
#include <cipherloom/des.h>
#include <cipherloom/rc4.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_DES_key_schedule ks;
static cl_DES_cblock iv = {1, 2, 3}, key = {1};
static unsigned char data[64];
static cl_RC4_KEY rc4;

static void end(int call)
{
    int num = 0;
    switch (call) {
    case 0: cl_DES_set_key_unchecked(NULL, &ks); break;
    case 1: cl_DES_set_key_unchecked(&key, NULL); break;
    case 2: cl_DES_ecb_encrypt(NULL, &key, &ks, 1); break;
    case 3: cl_DES_ecb_encrypt(&key, NULL, &ks, 1); break;
    case 4: cl_DES_ecb3_encrypt(&key, &key, &ks, NULL, &ks, 1); break;
    case 5: cl_DES_ncbc_encrypt(NULL, data, 8, &ks, &iv, 1); break;
    case 6: cl_DES_ncbc_encrypt(data, NULL, 8, &ks, &iv, 0); break;
    case 7: cl_DES_ncbc_encrypt(data, data, 8, NULL, &iv, 0); break;
    case 8: cl_DES_ncbc_encrypt(data, data, 8, &ks, NULL, 0); break;
    case 9: cl_DES_cfb64_encrypt(data, data, 8, &ks, &iv, NULL, 0); break;
    case 10: cl_DES_ofb64_encrypt(NULL, data, 8, &ks, &iv, &num); break;
    case 11: cl_DES_encrypt1(NULL, &ks, 1); break;
    case 12: cl_DES_cbc_cksum(NULL, &key, 8, &ks, &iv); break;
    case 13: cl_DES_quad_cksum(data, NULL, 8, 1, NULL); break;
    case 14: cl_DES_string_to_key(NULL, &key); break;
    case 15: cl_DES_fcrypt("password", "ab", NULL); break;
    case 16: cl_DES_crypt(NULL, "ab"); break;
    case 17: cl_DES_xcbc_encrypt(data, data, 8, &ks, &iv, NULL, &key, 1); break;
    case 18: cl_DES_set_odd_parity(NULL); break;
    case 19: cl_RC4_set_key(&rc4, -1, data); break;
    case 20: cl_RC4_set_key(&rc4, 5, NULL); break;
    case 21: cl_RC4_set_key(NULL, 5, data); break;
    case 22: cl_RC4(NULL, 5, data, data); break;
    case 23: cl_RC4(&rc4, 5, NULL, data); break;
    case 24: cl_RC4(&rc4, (size_t)-1, data, data); break;
    case 25: cl_DES_ofb_encrypt(data, data, 64, LONG_MAX, &ks, &iv); break;
    default: puts("no such call");
    }
}

int main(int argc, char **argv)
{
    unsigned char before[64];
    cl_DES_cblock iv_before;
    int num = 3;
    cl_DES_set_key_unchecked(&key, &ks);
    cl_RC4_set_key(&rc4, 8, key);
    if (argc > 1) {
        end(atoi(argv[1]));
        return 0;
    }
    memcpy(before, data, sizeof data);
    memcpy(iv_before, iv, sizeof iv);
    for (int enc = 0; enc < 2; enc++) {
        for (long len = -20; len <= 0; len++) {
            const unsigned char *in = len % 2 ? NULL : data;
            cl_DES_cbc_encrypt(in, data, len, &ks, &iv, enc);
            cl_DES_ncbc_encrypt(in, data, len, &ks, &iv, enc);
            cl_DES_pcbc_encrypt(in, data, len, &ks, &iv, enc);
            cl_DES_ede3_cbc_encrypt(in, data, len, &ks, &ks, &ks, &iv, enc);
            cl_DES_cfb64_encrypt(in, data, len, &ks, &iv, &num, enc);
            cl_DES_ofb64_encrypt(in, data, len, &ks, &iv, &num);
            cl_DES_cfb_encrypt(in, data, 8, len, &ks, &iv, enc);
            cl_DES_ofb_encrypt(in, data, 8, len, &ks, &iv);
            cl_DES_cfb_encrypt(data, data, (int)len, 64, &ks, &iv, enc);
            cl_DES_ofb_encrypt(data, data, (int)len, 64, &ks, &iv);
            cl_DES_ede3_cfb_encrypt(data, data, 65, 64, &ks, &ks, &ks, &iv, enc);
            cl_DES_cbc_cksum(in, NULL, len, &ks, &iv);
            cl_DES_quad_cksum(in, NULL, len, 4, &iv);
        }
    }
    cl_RC4(&rc4, 0, NULL, NULL);
    if (memcmp(before, data, sizeof data) || memcmp(iv, iv_before, 8) || num != 3) return 1;
    if (cl_DES_crypt("password", "a\n") != NULL || cl_DES_crypt("password", "") != NULL) return 1;
    puts("nothing was done");
    return 0;
}
