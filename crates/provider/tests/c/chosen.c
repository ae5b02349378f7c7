/* Whose ciphers a program gets that says nothing about providers. */
#include "support.h"

static const char *provider_of(const char *name)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    CHECK(cipher != NULL);
    const char *provider = OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(cipher));
    EVP_CIPHER_free(cipher);
    return provider;
}

int main(void)
{
    size_t n, count = 0;
    (void)load, (void)unload, (void)theirs_of, (void)ours_of;
    for (n = 0; n < ALL; n++) count += strcmp(provider_of(NAMES[n]), "cipherloom") == 0;
    printf("%zu of %zu by cipherloom, AES-128-CBC by %s\n", count, ALL, provider_of("AES-128-CBC"));
    return 0;
}
