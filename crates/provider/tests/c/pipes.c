/* Messages side by side, as OpenSSL 3.5 has them: each is what it is alone. This program is compiled with
 * earlier headers, and finds the functions when it runs.
 * Usage: pipes [MESSAGES BYTES]; with both, it says how fast so many messages of so many bytes are. */
#define _GNU_SOURCE
#include "support.h"
#include <dlfcn.h>
#include <time.h>

enum { MOST = 32, ROOM = 20000 };

typedef int init_fn(EVP_CIPHER_CTX *, const EVP_CIPHER *, const unsigned char *, size_t, size_t,
                    const unsigned char **, size_t);
static init_fn *encrypt_init, *decrypt_init;
static int (*update)(EVP_CIPHER_CTX *, unsigned char **, size_t *, const size_t *, const unsigned char **,
                     const size_t *);
static int (*final)(EVP_CIPHER_CTX *, unsigned char **, size_t *, const size_t *);
static int (*can)(const EVP_CIPHER *, int);

static void *find(const char *name)
{
    void *function = dlsym(RTLD_DEFAULT, name);
    CHECK(function != NULL);
    return function;
}

static unsigned char in[MOST][ROOM], out[MOST][ROOM], alone[ROOM];

static void messages(const EVP_CIPHER *theirs, const EVP_CIPHER *ours)
{
    size_t count = 1 + below(MOST), n, lens[MOST], rooms[MOST], written[MOST], done[MOST] = {0};
    int encrypts = (int)below(2), pads = (int)below(3) != 0, pieces = 1 + (int)below(4), piece;
    size_t limit = below(2) ? 40 : 1500;
    unsigned char key[24], ivs[MOST][8], *outputs[MOST];
    const unsigned char *iv_list[MOST], *inputs[MOST];
    int is_block = EVP_CIPHER_get_block_size(ours) > 1;
    EVP_CIPHER_CTX *side = EVP_CIPHER_CTX_new(), *each[MOST];
    fill(key, sizeof key);
    for (n = 0; n < count; n++) {
        fill(ivs[n], 8);
        iv_list[n] = ivs[n];
        each[n] = EVP_CIPHER_CTX_new();
        CHECK(EVP_CipherInit_ex2(each[n], theirs, key, ivs[n], encrypts, NULL) == 1);
        CHECK(EVP_CIPHER_CTX_set_padding(each[n], pads) == 1);
    }
    CHECK((encrypts ? encrypt_init : decrypt_init)(side, ours, key, (size_t)EVP_CIPHER_get_key_length(ours),
                                                   count, iv_list, 8) == 1);
    CHECK(EVP_CIPHER_CTX_set_padding(side, pads) == 1);
    for (piece = 0; piece < pieces; piece++) {
        int in_place = below(2) && !is_block;
        step++;
        if (below(4) == 0) {
            EVP_CIPHER_CTX *copy = copy_of(side);
            EVP_CIPHER_CTX_free(side);
            side = copy;
        }
        for (n = 0; n < count; n++) {
            lens[n] = piece + 1 == pieces && is_block && !pads ? (8 - done[n] % 8) % 8 : below(limit);
            done[n] += lens[n];
            fill(in[n], lens[n]);
            inputs[n] = in[n];
            outputs[n] = out[n];
            rooms[n] = lens[n] + 8;
            if (in_place) memcpy(out[n], in[n], lens[n]), inputs[n] = out[n];
        }
        CHECK(update(side, outputs, written, rooms, inputs, lens) == 1);
        for (n = 0; n < count; n++) {
            int len;
            CHECK(EVP_CipherUpdate(each[n], alone, &len, in[n], (int)lens[n]) == 1);
            CHECK((size_t)len == written[n] && memcmp(alone, out[n], written[n]) == 0);
        }
    }
    int all = 1;
    size_t their_lens[MOST];
    static unsigned char ends[MOST][16];
    for (n = 0; n < count; n++) {
        int len = 0;
        all &= EVP_CipherFinal_ex(each[n], ends[n], &len) == 1;
        their_lens[n] = (size_t)len;
        rooms[n] = 8;
    }
    CHECK((final(side, outputs, written, rooms) == 1) == all);
    for (n = 0; n < count; n++) {
        if (all) CHECK(their_lens[n] == written[n] && memcmp(ends[n], out[n], written[n]) == 0);
        EVP_CIPHER_CTX_free(each[n]);
    }
    EVP_CIPHER_CTX_free(side);
    ERR_clear_error();
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Megabytes a second of so many messages, side by side and one after the other. */
static void speed(size_t count, size_t len)
{
    EVP_CIPHER *ours = ours_of("DES-EDE3-CBC");
    EVP_CIPHER_CTX *side = EVP_CIPHER_CTX_new(), *one = EVP_CIPHER_CTX_new();
    unsigned char key[24], iv[8] = {0}, *outputs[MOST];
    const unsigned char *ivs[MOST], *inputs[MOST];
    size_t n, lens[MOST], rooms[MOST], written[MOST], round, rounds = 4000000 / (count * len) + 1;
    double start, both[2];
    int ignored;
    fill(key, sizeof key);
    for (n = 0; n < count; n++) {
        ivs[n] = iv, inputs[n] = outputs[n] = out[n], lens[n] = rooms[n] = len;
    }
    CHECK(encrypt_init(side, ours, key, 24, count, ivs, 8) == 1);
    CHECK(EVP_EncryptInit_ex2(one, ours, key, iv, NULL) == 1);
    start = seconds();
    for (round = 0; round < rounds; round++) CHECK(update(side, outputs, written, rooms, inputs, lens) == 1);
    both[0] = seconds() - start;
    start = seconds();
    for (round = 0; round < rounds; round++) {
        for (n = 0; n < count; n++) CHECK(EVP_EncryptUpdate(one, out[n], &ignored, out[n], (int)len) == 1);
    }
    both[1] = seconds() - start;
    printf("%zu messages of %zu bytes: %.1f MB/s, one after the other %.1f\n", count, len,
           (double)(rounds * count * len) / both[0] / 1e6, (double)(rounds * count * len) / both[1] / 1e6);
    EVP_CIPHER_CTX_free(side);
    EVP_CIPHER_CTX_free(one);
    EVP_CIPHER_free(ours);
}

int main(int count, char **words)
{
    int n, ciphers = 0, round;
    load();
    encrypt_init = (init_fn *)find("EVP_CipherPipelineEncryptInit");
    decrypt_init = (init_fn *)find("EVP_CipherPipelineDecryptInit");
    *(void **)&update = find("EVP_CipherPipelineUpdate");
    *(void **)&final = find("EVP_CipherPipelineFinal");
    *(void **)&can = find("EVP_CIPHER_can_pipeline");
    if (count > 2) {
        speed((size_t)atoi(words[1]), (size_t)atoi(words[2]));
        return 0;
    }
    for (n = 0; n < (int)COUNT; n++) {
        EVP_CIPHER *theirs = theirs_of(NAMES[n]), *ours = ours_of(NAMES[n]);
        about = NAMES[n];
        CHECK(can(ours, 0) == (EVP_CIPHER_get_iv_length(ours) > 0));
        CHECK(can(ours, 1) == can(ours, 0));
        if (can(ours, 1)) {
            ciphers++;
            for (round = 0; round < (strstr(about, "CFB1") ? 2 : 40); round++) messages(theirs, ours);
        }
        EVP_CIPHER_free(theirs);
        EVP_CIPHER_free(ours);
    }
    unload();
    printf("%d ciphers agree with themselves side by side\n", ciphers);
    return 0;
}
