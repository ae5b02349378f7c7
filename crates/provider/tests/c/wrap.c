/* Keys wrapped by Triple-DES: what one provider wraps the other unwraps, and both refuse the same. */
#include "support.h"

enum { MOST = 320, GROWTH = 16, BEHIND = 0xa5 };

static EVP_CIPHER_CTX *context_of(EVP_CIPHER *cipher, const unsigned char *key, int encrypts)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    CHECK(context != NULL);
    EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    CHECK(EVP_CipherInit_ex2(context, cipher, key, NULL, encrypts, NULL) == 1);
    return context;
}

/* One call and the end; the length of the result, or -1 with the reason of the error. */
static int crypt(EVP_CIPHER *cipher, const unsigned char *key, int encrypts, unsigned char *out,
                 const unsigned char *in, int len, int *reason)
{
    unsigned char buffer[MOST + 2 * GROWTH], none[8];
    EVP_CIPHER_CTX *context = context_of(cipher, key, encrypts);
    int n, written = -2, last = -2, result = -1;
    memset(buffer, BEHIND, sizeof buffer);
    ERR_clear_error();
    if (EVP_CipherUpdate(context, buffer, &written, in, len) == 1) {
        CHECK(EVP_CipherFinal_ex(context, none, &last) == 1 && last == 0);
        result = written;
        memcpy(out, buffer, (size_t)written);
        for (n = written; n < (int)sizeof buffer; n++) CHECK(buffer[n] == BEHIND);
    }
    *reason = ERR_GET_REASON(ERR_peek_error());
    ERR_clear_error();
    EVP_CIPHER_CTX_free(context);
    return result;
}

/* Any length: the same lengths are taken, with the same results or the same errors. */
static void lengths(EVP_CIPHER *theirs, EVP_CIPHER *ours)
{
    unsigned char key[24], in[MOST], outs[2][MOST + GROWTH];
    int len, encrypts, reasons[2];
    fill(key, sizeof key);
    fill(in, sizeof in);
    for (len = 0; len <= 100; len++) {
        for (encrypts = 0; encrypts < 2; encrypts++) {
            step = (unsigned)(2 * len + encrypts);
            int one = crypt(theirs, key, encrypts, outs[0], in, len, &reasons[0]);
            int other = crypt(ours, key, encrypts, outs[1], in, len, &reasons[1]);
            CHECK(one == other && reasons[0] == reasons[1]);
            /* Nothing random unwraps. */
            CHECK(len == 0 || (other > 0) == (encrypts && len % 8 == 0));
        }
    }
}

/* What a program asks without an output, and what comes of one call without an end. */
static void other_calls(EVP_CIPHER *cipher, const unsigned char *key, const unsigned char *in, int len)
{
    unsigned char place[MOST + GROWTH], again[MOST];
    EVP_CIPHER_CTX *wraps = context_of(cipher, key, 1), *unwraps = context_of(cipher, key, 0), *copy;
    int written = 0;
    CHECK(EVP_CipherUpdate(wraps, NULL, &written, in, len) == 1 && written == len + GROWTH);
    CHECK(EVP_CipherUpdate(unwraps, NULL, &written, in, len + GROWTH) == 1 && written == len);
    copy = copy_of(wraps);
    CHECK(EVP_Cipher(copy, place, in, (unsigned)len) == len + GROWTH);
    CHECK(EVP_Cipher(unwraps, again, place, (unsigned)(len + GROWTH)) == len);
    CHECK(memcmp(again, in, (size_t)len) == 0);
    /* In place. */
    memcpy(place, in, (size_t)len);
    CHECK(EVP_CipherUpdate(wraps, place, &written, place, len) == 1 && written == len + GROWTH);
    CHECK(EVP_CipherUpdate(unwraps, place, &written, place, written) == 1 && written == len);
    CHECK(memcmp(place, in, (size_t)len) == 0);
    EVP_CIPHER_CTX_free(copy);
    EVP_CIPHER_CTX_free(wraps);
    EVP_CIPHER_CTX_free(unwraps);
}

/* A wrong checksum leaves zeros where the key would stand. */
static void damaged(EVP_CIPHER *cipher, const unsigned char *key, const unsigned char *wrapped, int len)
{
    unsigned char bad[MOST + GROWTH], out[MOST + GROWTH];
    int n, written = 0;
    memcpy(bad, wrapped, (size_t)len);
    bad[below((size_t)len)] ^= (unsigned char)(1 << below(8));
    memset(out, BEHIND, sizeof out);
    EVP_CIPHER_CTX *context = context_of(cipher, key, 0);
    CHECK(EVP_CipherUpdate(context, out, &written, bad, len) == 0 && written == 0);
    for (n = 0; n < len - GROWTH; n++) CHECK(out[n] == 0);
    ERR_clear_error();
    EVP_CIPHER_CTX_free(context);
}

int main(int count, char **words)
{
    int rounds = count > 1 ? atoi(words[1]) : 100, reason, n;
    load();
    EVP_CIPHER *theirs = theirs_of("DES3-WRAP"), *ours = ours_of("DES3-WRAP");
    about = "DES3-WRAP";
    lengths(theirs, ours);
    for (n = 0; n < rounds; n++) {
        unsigned char key[24], in[MOST], wrapped[2][MOST + GROWTH], out[MOST];
        int len = 8 * (1 + (int)below(MOST / 8));
        step = (unsigned)n;
        fill(key, sizeof key);
        fill(in, sizeof in);
        CHECK(crypt(ours, key, 1, wrapped[0], in, len, &reason) == len + GROWTH);
        CHECK(crypt(theirs, key, 0, out, wrapped[0], len + GROWTH, &reason) == len);
        CHECK(memcmp(out, in, (size_t)len) == 0);
        CHECK(crypt(theirs, key, 1, wrapped[1], in, len, &reason) == len + GROWTH);
        CHECK(crypt(ours, key, 0, out, wrapped[1], len + GROWTH, &reason) == len);
        CHECK(memcmp(out, in, (size_t)len) == 0);
        /* Each has an IV of its own. */
        CHECK(memcmp(wrapped[0], wrapped[1], (size_t)len) != 0);
        CHECK(crypt(ours, key, 1, wrapped[1], in, len, &reason) == len + GROWTH);
        CHECK(memcmp(wrapped[0], wrapped[1], (size_t)len) != 0);
        damaged(ours, key, wrapped[0], len + GROWTH);
        other_calls(ours, key, in, len);
    }
    EVP_CIPHER_free(theirs);
    EVP_CIPHER_free(ours);
    unload();
    printf("%d keys agree\n", rounds);
    return 0;
}
