/* What the programs have in common: two providers side by side, random input, and an end at the first
 * difference. */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every cipher of ours; the last two take records or keys, not messages in pieces. */
static const char *const NAMES[] = {
    "DES-EDE3-CBC", "DES-EDE3-ECB", "DES-EDE3-OFB", "DES-EDE3-CFB", "DES-EDE3-CFB8", "DES-EDE3-CFB1",
    "DES-EDE-CBC",  "DES-EDE-ECB",  "DES-EDE-OFB",  "DES-EDE-CFB",  "DES-CBC",       "DES-ECB",
    "DES-OFB",      "DES-CFB",      "DES-CFB8",     "DES-CFB1",     "DESX-CBC",      "RC4",
    "RC4-40",       "RC4-HMAC-MD5", "DES3-WRAP"};
#define ALL (sizeof NAMES / sizeof *NAMES)
#define COUNT (ALL - 2)

/* OpenSSL's own providers and ours; the folder is in OPENSSL_MODULES. */
static OSSL_PROVIDER *defaults, *legacy, *cipherloom;

static int line;
#define CHECK(what)                                                                                    \
    do {                                                                                               \
        line = __LINE__;                                                                               \
        if (!(what)) fail(#what);                                                                      \
    } while (0)

static const char *about = "";
static unsigned long long step;

static void fail(const char *what)
{
    fprintf(stderr, "line %d: %s is not so (%s, step %llu)\n", line, what, about, step);
    ERR_print_errors_fp(stderr);
    exit(1);
}

static uint64_t state = 1;

static inline uint64_t any(void)
{
    /* splitmix64 */
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* A number from 0 on, below a limit. */
static inline size_t below(size_t limit)
{
    return (size_t)(any() % limit);
}

static inline void fill(unsigned char *bytes, size_t len)
{
    size_t n;
    for (n = 0; n < len; n++) bytes[n] = (unsigned char)any();
}

static void load(void)
{
    defaults = OSSL_PROVIDER_load(NULL, "default");
    legacy = OSSL_PROVIDER_load(NULL, "legacy");
    cipherloom = OSSL_PROVIDER_load(NULL, "cipherloom");
    CHECK(defaults != NULL && legacy != NULL && cipherloom != NULL);
}

static void unload(void)
{
    CHECK(OSSL_PROVIDER_unload(cipherloom) == 1);
    CHECK(OSSL_PROVIDER_unload(legacy) == 1 && OSSL_PROVIDER_unload(defaults) == 1);
}

/* OpenSSL has it from 3.2 on. */
EVP_CIPHER_CTX *EVP_CIPHER_CTX_dup(const EVP_CIPHER_CTX *context) __attribute__((weak));

/* A copy of a context, in the middle of its message; made as this OpenSSL's programs would. */
static inline EVP_CIPHER_CTX *copy_of(const EVP_CIPHER_CTX *context)
{
    EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_dup != NULL ? EVP_CIPHER_CTX_dup(context) : EVP_CIPHER_CTX_new();
    CHECK(copy != NULL);
    CHECK(EVP_CIPHER_CTX_dup != NULL || EVP_CIPHER_CTX_copy(copy, context) == 1);
    return copy;
}

/* A cipher of OpenSSL's own. */
static EVP_CIPHER *theirs_of(const char *name)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, "provider!=cipherloom");
    CHECK(cipher != NULL);
    return cipher;
}

/* The same of ours. */
static EVP_CIPHER *ours_of(const char *name)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, "provider=cipherloom");
    CHECK(cipher != NULL);
    CHECK(strcmp(OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(cipher)), "cipherloom") == 0);
    return cipher;
}
