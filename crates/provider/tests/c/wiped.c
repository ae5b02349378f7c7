/* Freed memory holds no key and no plaintext. This program's own `free` looks at it. */
#include "support.h"
#include <malloc.h>

extern void __libc_free(void *);

/* What must not be found, as bytes and as words in the processor's order. */
enum { LEN = 7 };
static unsigned char secrets[4][LEN];
static int looks, found;

void free(void *memory)
{
    if (looks && memory != NULL) {
        size_t n, len = malloc_usable_size(memory), secret;
        for (n = 0; n + LEN <= len; n++) {
            for (secret = 0; secret < 4; secret++)
                found += memcmp((unsigned char *)memory + n, secrets[secret], LEN) == 0;
        }
    }
    __libc_free(memory);
}

static void look_for(const unsigned char *key, const unsigned char *text)
{
    int n;
    for (n = 0; n < LEN; n++) {
        secrets[0][n] = secrets[1][LEN - 1 - n] = key[n];
        secrets[2][n] = secrets[3][LEN - 1 - n] = text[n];
    }
}

/* A record of eight bytes, whose MAC has the same key. */
static void seal(EVP_CIPHER_CTX *context, const unsigned char *text, const unsigned char *key)
{
    unsigned char header[13] = {[12] = 8}, mac_key[16], record[24];
    int len;
    memcpy(mac_key, key, sizeof mac_key);
    memcpy(record, text, sizeof record);
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_MAC_KEY, sizeof mac_key, mac_key) > 0);
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, sizeof header, header) == 16);
    CHECK(EVP_EncryptUpdate(context, record, &len, record, sizeof record) == 1 && len == sizeof record);
}

int main(void)
{
    size_t n;
    load();
    for (n = 0; n < ALL; n++) {
        EVP_CIPHER *ours = ours_of(NAMES[n]);
        unsigned char key[24], iv[8], text[40], out[80];
        EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new(), *copy = EVP_CIPHER_CTX_new();
        int len;
        about = NAMES[n];
        fill(key, sizeof key);
        fill(iv, sizeof iv);
        fill(text, sizeof text);
        /* Seven bytes wait for the end of a block. */
        look_for(key, text + 24);
        looks = 1;
        EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
        CHECK(EVP_EncryptInit_ex2(context, ours, key, iv, NULL) == 1);
        if (EVP_CIPHER_is_a(ours, "RC4-HMAC-MD5")) seal(context, text, key);
        /* A key is wrapped as whole as it comes. */
        CHECK(EVP_EncryptUpdate(context, out, &len, text, n < COUNT ? 31 : 24) == 1);
        CHECK(EVP_CIPHER_CTX_copy(copy, context) == 1);
        CHECK(EVP_EncryptFinal_ex(copy, out, &len) == 1);
        /* Over the input, shifted: by way of a copy of it. */
        memmove(out + 3, text, 40);
        CHECK(EVP_EncryptUpdate(context, out, &len, out + 3, 40) == 1);
        EVP_CIPHER_CTX_free(context);
        CHECK(EVP_EncryptInit_ex2(copy, NULL, text, iv, NULL) == 1);
        EVP_CIPHER_CTX_free(copy);
        looks = 0;
        CHECK(found == 0);
        EVP_CIPHER_free(ours);
        /* What is there is found. */
        unsigned char *volatile control = malloc(80);
        memcpy(control + 13, key, 24);
        __asm__ volatile("" ::: "memory");
        looks = 1;
        free(control);
        looks = 0;
        CHECK(found == 1);
        found = 0;
    }
    (void)theirs_of;
    unload();
    printf("%d ciphers leave nothing\n", (int)ALL);
    return 0;
}
