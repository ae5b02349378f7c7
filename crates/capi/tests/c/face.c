/* What the cl_* functions compute: beside libcrypto's EVP where that has the cipher and mode, and
 * put together from single DES blocks or CBC where it has not. */
#include <cipherloom.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEN 200
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        checks++;                                                                                  \
        if (!(condition)) {                                                                        \
            printf("face.c:%d: %s\n", __LINE__, #condition);                                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static unsigned long checks;
static uint64_t state = 1;

static uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static const unsigned char bytes[24] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                        0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
                                        0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78};
static unsigned char text[LEN];

/* The same message in every way: into another buffer, in place, in pieces; there and back. */
static void all_ways(const cl_key *key, const cl_mode *mode, size_t len, const void *expected,
                     size_t expected_len)
{
    unsigned char out[LEN + 40], back[LEN + 40];
    size_t got, total = 0;
    CHECK(cl_encrypted_len(mode, len, &got) == CL_OK && got == expected_len);
    CHECK(cl_encrypt(key, mode, text, len, out, sizeof out, &got) == CL_OK);
    CHECK(got == expected_len && !memcmp(out, expected, got));
    CHECK(cl_decrypt(key, mode, out, got, back, sizeof back, &got) == CL_OK);
    /* Zeros as padding cannot be told from zeros of the message; this one has none at its end. */
    CHECK(got == len && !memcmp(back, text, len));
    CHECK(cl_encrypt(key, mode, back, len, back, sizeof back, &got) == CL_OK);
    CHECK(got == expected_len && !memcmp(back, expected, got));
    CHECK(cl_decrypt(key, mode, back, got, back, got, &got) == CL_OK);
    CHECK(got == len && !memcmp(back, text, len));

    for (int direction = 0; direction < 2; direction++) {
        const unsigned char *from = direction ? expected : text, *to = direction ? text : expected;
        size_t from_len = direction ? expected_len : len, to_len = direction ? len : expected_len;
        cl_message *message;
        CHECK((direction ? cl_decryptor_new : cl_encryptor_new)(&message, key, mode) == CL_OK);
        total = 0;
        for (size_t at = 0, piece, promised; at < from_len; at += piece) {
            piece = 1 + below(30);
            if (piece > from_len - at) piece = from_len - at;
            CHECK(cl_message_update_len(message, piece, &promised) == CL_OK);
            CHECK(cl_message_update(message, from + at, piece, out + total, promised, &got) == CL_OK);
            CHECK(got == promised);
            total += got;
        }
        CHECK(cl_message_finish(message, out + total, 16, &got) == CL_OK);
        total += got;
        cl_message_free(message);
        CHECK(total == to_len && !memcmp(out, to, to_len));

        /* The same in place, each piece at the start of a buffer of its own. */
        CHECK((direction ? cl_decryptor_new : cl_encryptor_new)(&message, key, mode) == CL_OK);
        total = 0;
        for (size_t at = 0, piece; at < from_len; at += piece) {
            piece = 1 + below(60);
            if (piece > from_len - at) piece = from_len - at;
            memcpy(back, from + at, piece);
            CHECK(cl_message_update(message, back, piece, back, sizeof back, &got) == CL_OK);
            memcpy(out + total, back, got);
            total += got;
        }
        CHECK(cl_message_finish(message, out + total, 16, &got) == CL_OK);
        cl_message_free(message);
        CHECK(total + got == to_len && !memcmp(out, to, to_len));
    }
}

/* Long pieces in place, after a few bytes that are held back. */
static void long_pieces(void)
{
    enum { LONG = 20000 };
    static unsigned char plain[LONG], whole[LONG + 8], pieces[LONG + 32];
    static const cl_mode modes[3] = {
        {CL_CBC, CL_PKCS7, {1}}, {CL_CBC_CS3, CL_NO_PADDING, {2}}, {CL_OFB, CL_NO_PADDING, {3}}};
    cl_key *key;
    CHECK(cl_key_new(&key, CL_DES, bytes, 8) == CL_OK);
    for (size_t n = 0; n < LONG; n++) plain[n] = (unsigned char)below(256);
    for (int m = 0; m < 3; m++) {
        cl_message *message;
        size_t whole_len, first, second, last;
        CHECK(cl_encrypt(key, &modes[m], plain, LONG, whole, sizeof whole, &whole_len) == CL_OK);
        for (size_t at = 0; at < 20; at++) {
            CHECK(cl_encryptor_new(&message, key, &modes[m]) == CL_OK);
            CHECK(cl_message_update(message, plain, at, pieces, at, &first) == CL_OK);
            unsigned char *rest = pieces + first;
            memmove(rest, plain + at, LONG - at);
            CHECK(cl_message_update(message, rest, LONG - at, rest, LONG, &second) == CL_OK);
            CHECK(cl_message_finish(message, rest + second, 16, &last) == CL_OK);
            cl_message_free(message);
            CHECK(first + second + last == whole_len && !memcmp(pieces, whole, whole_len));
        }
    }
    cl_key_free(key);
}

/* The result of EVP, with PKCS#7. */
static size_t evp(const char *name, const unsigned char *iv, size_t len, unsigned char *out)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int first = 0, last = 0;
    CHECK(cipher != NULL && EVP_EncryptInit_ex2(context, cipher, bytes, iv, NULL));
    CHECK(EVP_EncryptUpdate(context, out, &first, text, (int)len));
    CHECK(EVP_EncryptFinal_ex(context, out + first, &last));
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
    return (size_t)(first + last);
}

static void beside_evp(void)
{
    static const struct {
        int cipher, mode;
        const char *name;
    } list[] = {
        {CL_DES, CL_ECB, "DES-ECB"},           {CL_DES, CL_CBC, "DES-CBC"},
        {CL_DES, CL_CFB1, "DES-CFB1"},         {CL_DES, CL_CFB8, "DES-CFB8"},
        {CL_DES, CL_CFB64, "DES-CFB"},         {CL_DES, CL_OFB, "DES-OFB"},
        {CL_TDES_EDE2, CL_ECB, "DES-EDE-ECB"}, {CL_TDES_EDE2, CL_CBC, "DES-EDE-CBC"},
        {CL_TDES_EDE2, CL_CFB64, "DES-EDE-CFB"}, {CL_TDES_EDE2, CL_OFB, "DES-EDE-OFB"},
        {CL_TDES_EDE3, CL_ECB, "DES-EDE3-ECB"}, {CL_TDES_EDE3, CL_CBC, "DES-EDE3-CBC"},
        {CL_TDES_EDE3, CL_CFB1, "DES-EDE3-CFB1"}, {CL_TDES_EDE3, CL_CFB8, "DES-EDE3-CFB8"},
        {CL_TDES_EDE3, CL_CFB64, "DES-EDE3-CFB"}, {CL_TDES_EDE3, CL_OFB, "DES-EDE3-OFB"},
        {CL_DESX, CL_CBC, "DESX-CBC"},
    };
    for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
        cl_key *key;
        cl_mode mode = {list[n].mode, CL_NO_PADDING, {0x12, 0x34, 0x56, 0x78, 0x90, 0xab, 0xcd, 0xef}};
        if (mode.mode == CL_ECB || mode.mode == CL_CBC) mode.padding = CL_PKCS7;
        CHECK(cl_key_new(&key, list[n].cipher, bytes, cl_key_len(list[n].cipher)) == CL_OK);
        for (size_t len = 0; len <= 100; len++) {
            unsigned char expected[LEN];
            size_t expected_len = evp(list[n].name, mode.iv, len, expected);
            all_ways(key, &mode, len, expected, expected_len);
        }
        cl_key_free(key);
    }
    unsigned char out[LEN], ours[LEN];
    cl_rc4 *stream;
    CHECK(evp("RC4", NULL, LEN, out) == LEN);
    for (int policy = CL_FASTEST; policy <= CL_CONSTANT_TIME; policy++) {
        CHECK(cl_rc4_new(&stream, bytes, 16, policy) == CL_OK);
        CHECK(cl_rc4_skip(stream, 3) == CL_OK);
        CHECK(cl_rc4_apply(stream, text + 3, 50, ours + 3) == CL_OK);
        memcpy(ours + 53, text + 53, LEN - 53);
        CHECK(cl_rc4_apply(stream, ours + 53, LEN - 53, ours + 53) == CL_OK);
        CHECK(!memcmp(out + 3, ours + 3, LEN - 3));
        cl_rc4_free(stream);
    }
}

static cl_key *des(int n)
{
    cl_key *key;
    CHECK(cl_key_new(&key, CL_DES, bytes + 8 * n, 8) == CL_OK);
    return key;
}

/* Three encryptions, CTR, stealing, other paddings, bits: from smaller parts. */
static void put_together(void)
{
    static const uint8_t iv[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfd};
    unsigned char expected[LEN + 16], blocks[LEN];
    cl_key *keys[3] = {des(0), des(1), des(2)}, *key;
    for (int cipher = CL_TDES_EEE2; cipher <= CL_TDES_EEE3; cipher++) {
        cl_mode mode = {CL_ECB, CL_NO_PADDING, {0}};
        CHECK(cl_key_new(&key, cipher, bytes, cl_key_len(cipher)) == CL_OK);
        memcpy(expected, text, 96);
        CHECK(cl_encrypt_blocks(keys[0], expected, 12) == CL_OK);
        CHECK(cl_encrypt_blocks(keys[1], expected, 12) == CL_OK);
        CHECK(cl_encrypt_blocks(keys[cipher == CL_TDES_EEE2 ? 0 : 2], expected, 12) == CL_OK);
        all_ways(key, &mode, 96, expected, 96);
        CHECK(cl_decrypt_blocks(key, expected, 12) == CL_OK && !memcmp(expected, text, 96));
        cl_key_free(key);
    }
    for (size_t len = 0; len <= 100; len++) {
        cl_mode mode = {CL_CTR, CL_NO_PADDING, {0}}, cbc = {CL_CBC, CL_NO_PADDING, {0}};
        size_t whole = (len + 7) / 8 * 8, got;
        memcpy(mode.iv, iv, 8);
        memcpy(cbc.iv, iv, 8);
        uint64_t counter = UINT64_MAX - 2;
        for (size_t at = 0; at < whole; at++) {
            blocks[at] = (unsigned char)(counter >> (56 - 8 * (at % 8)));
            if (at % 8 == 7) counter++;
        }
        CHECK(cl_encrypt_blocks(keys[0], blocks, whole / 8) == CL_OK);
        for (size_t at = 0; at < len; at++) expected[at] = blocks[at] ^ text[at];
        all_ways(keys[0], &mode, len, expected, len);

        /* Paddings that EVP lacks, by hand. */
        memset(blocks, 0, sizeof blocks);
        memcpy(blocks, text, len);
        CHECK(cl_encrypt(keys[0], &cbc, blocks, whole, expected, sizeof expected, &got) == CL_OK);
        mode.mode = CL_CBC;
        mode.padding = CL_ZERO_PADDING;
        all_ways(keys[0], &mode, len, expected, whole);
        blocks[len] = 0x80;
        whole = len / 8 * 8 + 8;
        CHECK(cl_encrypt(keys[0], &cbc, blocks, whole, expected, sizeof expected, &got) == CL_OK);
        mode.padding = CL_ISO7816;
        all_ways(keys[0], &mode, len, expected, whole);

        /* Stealing (SP 800-38A addendum): CBC over zeros as padding; the last block but one loses
         * what the last one lacks. CS2 exchanges the two if one is short, CS3 always. */
        if (len < 8) continue;
        size_t short_len = len % 8 ? len % 8 : 8, start = len - short_len - 8;
        blocks[len] = 0;
        whole = (len + 7) / 8 * 8;
        CHECK(cl_encrypt(keys[0], &cbc, blocks, whole, expected, sizeof expected, &got) == CL_OK);
        for (int variant = CL_CBC_CS1; variant <= CL_CBC_CS3; variant++) {
            unsigned char stolen[LEN];
            int swaps = variant == CL_CBC_CS3 || (variant == CL_CBC_CS2 && short_len < 8);
            mode.mode = variant;
            mode.padding = CL_NO_PADDING;
            memcpy(stolen, expected, len);
            if (len > 8) {
                memcpy(stolen + start + (swaps ? 8 : 0), expected + start, short_len);
                memcpy(stolen + start + (swaps ? 0 : short_len), expected + start + 8, 8);
            }
            all_ways(keys[0], &mode, len, stolen, len);
        }
    }
    /* Whole bytes of CFB-1 are its bits; of others only those asked for change. */
    cl_mode cfb1 = {CL_CFB1, CL_NO_PADDING, {1}};
    CHECK(cl_encrypt(keys[0], &cfb1, text, 4, expected, 4, NULL) == CL_OK);
    memcpy(blocks, text, 4);
    CHECK(cl_encrypt_bits(keys[0], &cfb1, blocks, 27) == CL_OK);
    CHECK(!memcmp(blocks, expected, 3) && (blocks[3] & 0xe0) == (expected[3] & 0xe0));
    CHECK((blocks[3] & 0x1f) == (text[3] & 0x1f));
    CHECK(cl_decrypt_bits(keys[0], &cfb1, blocks, 27) == CL_OK && !memcmp(blocks, text, 4));
    for (int n = 0; n < 3; n++) cl_key_free(keys[n]);
}

static void macs(void)
{
    static const cl_mode cbc = {CL_CBC, CL_ISO7816, {0}};
    unsigned char out[LEN + 16], tag[8];
    cl_key *keys[2] = {des(0), des(1)}, *bundle;
    cl_mac *mac;
    size_t got;
    CHECK(cl_key_new(&bundle, CL_TDES_EDE2, bytes, 16) == CL_OK);
    for (size_t len = 0; len <= 60; len++) {
        CHECK(cl_encrypt(keys[0], &cbc, text, len, out, sizeof out, &got) == CL_OK);
        unsigned char *last = out + got - 8;
        CHECK(cl_mac_new_cbc(&mac, keys[0], CL_ISO7816) == CL_OK);
        CHECK(cl_mac_update(mac, text, len / 3) == CL_OK);
        CHECK(cl_mac_update(mac, text + len / 3, len - len / 3) == CL_OK);
        CHECK(cl_mac_finish(mac, tag) == CL_OK && !memcmp(tag, last, 8));
        cl_mac_free(mac);

        CHECK(cl_decrypt_blocks(keys[1], last, 1) == CL_OK);
        CHECK(cl_encrypt_blocks(keys[0], last, 1) == CL_OK);
        CHECK(cl_mac_new_retail(&mac, bundle, CL_ISO7816) == CL_OK);
        CHECK(cl_mac_update(mac, text, len) == CL_OK);
        CHECK(cl_mac_verify(mac, last, 4) == CL_OK);
        cl_mac_free(mac);

        /* The length in bits, then the message and as few zeros as fill a block, one at least. */
        static const cl_mode bare = {CL_CBC, CL_NO_PADDING, {0}};
        unsigned char padded[LEN + 16] = {0};
        size_t whole = 8 + (len ? (len + 7) / 8 * 8 : 8);
        padded[6] = (unsigned char)(len >> 5), padded[7] = (unsigned char)(len << 3);
        memcpy(padded + 8, text, len);
        CHECK(cl_encrypt(keys[0], &bare, padded, whole, out, sizeof out, &got) == CL_OK);
        last = out + got - 8;
        CHECK(cl_mac_new_cbc_of_length(&mac, keys[0], len) == CL_OK);
        CHECK(cl_mac_update(mac, text, len / 3) == CL_OK);
        CHECK(cl_mac_update(mac, text + len / 3, len - len / 3) == CL_OK);
        CHECK(cl_mac_finish(mac, tag) == CL_OK && !memcmp(tag, last, 8));
        cl_mac_free(mac);
        CHECK(cl_decrypt_blocks(keys[1], last, 1) == CL_OK);
        CHECK(cl_encrypt_blocks(keys[0], last, 1) == CL_OK);
        CHECK(cl_mac_new_retail_of_length(&mac, bundle, len) == CL_OK);
        CHECK(cl_mac_update(mac, text, len) == CL_OK && cl_mac_verify(mac, last, 8) == CL_OK);
        cl_mac_free(mac);

        EVP_MAC *theirs = EVP_MAC_fetch(NULL, "CMAC", NULL);
        EVP_MAC_CTX *context = EVP_MAC_CTX_new(theirs);
        char name[] = "DES-EDE3-CBC";
        OSSL_PARAM params[2] = {OSSL_PARAM_construct_utf8_string("cipher", name, 0),
                                OSSL_PARAM_construct_end()};
        CHECK(EVP_MAC_init(context, bytes, 24, params) && EVP_MAC_update(context, text, len));
        CHECK(EVP_MAC_final(context, out, &got, sizeof out) && got == 8);
        EVP_MAC_CTX_free(context);
        EVP_MAC_free(theirs);
        cl_key *three;
        CHECK(cl_key_new(&three, CL_TDES_EDE3, bytes, 24) == CL_OK);
        CHECK(cl_mac_new_cmac(&mac, three) == CL_OK && cl_mac_update(mac, text, len) == CL_OK);
        CHECK(cl_mac_verify(mac, out, 8) == CL_OK);
        cl_mac_free(mac);
        cl_key_free(three);
    }
    cl_key_free(bundle);
    cl_key_free(keys[0]);
    cl_key_free(keys[1]);
}

/* Batches give what single messages give, from records and from flat buffers. */
static void batches(void)
{
    enum { COUNT = 300, ROOM = 72 };
    static unsigned char data[2][COUNT][ROOM], keys[COUNT][24], ivs[COUNT][8];
    static cl_record records[COUNT];
    static cl_span spans[COUNT];
    static const int modes[3] = {CL_ECB, CL_CBC, CL_CTR};
    for (int m = 0; m < 12; m++) {
        int cipher = 1 + m % 6, mode = modes[m % 3];
        size_t key_len = cl_key_len(cipher), iv_len = mode == CL_ECB ? 0 : 8;
        cl_batch batch = {cipher, mode, mode == CL_CTR ? CL_NO_PADDING : CL_PKCS7, m / 6, NULL};
        unsigned char *flat_keys = &keys[0][0];
        for (int n = 0; n < COUNT; n++) {
            for (size_t i = 0; i < 8; i++) ivs[n][i] = (unsigned char)below(256);
            for (size_t i = 0; i < key_len; i++)
                flat_keys[(size_t)n * key_len + i] = (unsigned char)below(256);
            size_t len = below(60);
            memcpy(data[0][n], text + n % 100, len);
            memcpy(data[1][n], text + n % 100, len);
            cl_record record = {flat_keys + (size_t)n * key_len, key_len, ivs[n], iv_len,
                                data[0][n], len, ROOM, 0, 0};
            cl_span span = {(size_t)n * ROOM, len, ROOM, 0, 0};
            records[n] = record;
            spans[n] = span;
        }
        cl_flat flat = {keys, key_len, COUNT, iv_len ? ivs : NULL, iv_len * COUNT,
                        data[1], sizeof data[1], spans, COUNT};
        CHECK(cl_batch_encrypt(&batch, records, COUNT) == CL_OK);
        CHECK(cl_batch_encrypt_flat(&batch, &flat) == CL_OK);
        for (int n = 0; n < COUNT; n++) {
            cl_key *key;
            cl_mode one = {mode, batch.padding, {0}};
            unsigned char expected[ROOM];
            size_t got;
            memcpy(one.iv, ivs[n], iv_len);
            CHECK(cl_key_new(&key, cipher, records[n].key, key_len) == CL_OK);
            CHECK(cl_encrypt(key, &one, text + n % 100, records[n].len, expected, ROOM, &got) == 0);
            cl_key_free(key);
            CHECK(records[n].error == CL_OK && records[n].result_len == got);
            CHECK(spans[n].error == CL_OK && spans[n].result_len == got);
            CHECK(!memcmp(expected, data[0][n], got) && !memcmp(expected, data[1][n], got));
            spans[n].len = records[n].len = got;
        }
        CHECK(cl_batch_decrypt(&batch, records, COUNT) == CL_OK);
        CHECK(cl_batch_decrypt_flat(&batch, &flat) == CL_OK);
        for (int n = 0; n < COUNT; n++) {
            CHECK(records[n].error == CL_OK && spans[n].result_len == records[n].result_len);
            CHECK(!memcmp(data[0][n], text + n % 100, records[n].result_len));
            CHECK(!memcmp(data[1][n], text + n % 100, records[n].result_len));
        }
    }
}

/* More records than are served at a time: each has its own key and IV, and spans that overlap are found out across the
 * borders, too. */
static void many_records(void)
{
    enum { COUNT = 20000, PART = 8192 };
    static unsigned char data[COUNT * 16], before[COUNT * 16], keys[COUNT][8], ivs[COUNT][8];
    static cl_span spans[COUNT];
    cl_batch batch = {CL_DES, CL_CBC, CL_NO_PADDING, CL_FASTEST, NULL};
    for (size_t i = 0; i < sizeof data; i++) before[i] = data[i] = (unsigned char)below(256);
    for (size_t n = 0; n < COUNT; n++) {
        cl_span span = {16 * n, 16, 16, 77, 77};
        spans[n] = span;
        for (size_t i = 0; i < 8; i++) {
            keys[n][i] = (unsigned char)below(256);
            ivs[n][i] = (unsigned char)below(256);
        }
    }
    /* One takes a part of the next one's place; two are longer than their room; one is none of the buffer's. */
    spans[PART - 1].room = 24;
    spans[2 * PART - 1].room = spans[700].room = 15;
    spans[PART + 5].offset = sizeof data - 8;
    cl_flat flat = {keys, 8, COUNT, ivs, sizeof ivs, data, sizeof data, spans, COUNT};
    CHECK(cl_batch_encrypt_flat(&batch, &flat) == CL_OK);
    for (size_t n = 0; n < COUNT; n++) {
        int is_wrong = n == PART || n == 2 * PART - 1 || n == 700 || n == PART + 5;
        unsigned char expected[16];
        memcpy(expected, before + 16 * n, 16);
        if (!is_wrong) {
            cl_mode mode = {CL_CBC, CL_NO_PADDING, {0}};
            cl_key *key;
            size_t got;
            memcpy(mode.iv, ivs[n], 8);
            CHECK(cl_key_new(&key, CL_DES, keys[n], 8) == CL_OK);
            CHECK(cl_encrypt(key, &mode, before + 16 * n, 16, expected, 16, &got) == CL_OK);
            cl_key_free(key);
        }
        CHECK(spans[n].error == (is_wrong ? CL_ERROR_OVERLAP : CL_OK));
        CHECK(spans[n].result_len == (is_wrong ? 0 : 16));
        CHECK(!memcmp(data + 16 * n, expected, 16));
    }
    /* A wrong number of IVs: nothing changes. */
    memcpy(before, data, sizeof data);
    flat.ivs_len -= 8;
    CHECK(cl_batch_decrypt_flat(&batch, &flat) == CL_ERROR_COUNT);
    flat.ivs_len = COUNT;
    CHECK(cl_batch_decrypt_flat(&batch, &flat) == CL_ERROR_COUNT);
    CHECK(!memcmp(data, before, sizeof data) && spans[PART].error == CL_ERROR_OVERLAP);
}

/* Every backend gives the same; what serves a key can be changed, and a copy has its own. */
static void backends(void)
{
    static const cl_mode mode = {CL_ECB, CL_PKCS7, {0}};
    unsigned char expected[LEN], out[LEN];
    cl_key *key = des(0), *copy;
    size_t got;
    CHECK(cl_encrypt(key, &mode, text, 100, expected, LEN, &got) == CL_OK);
    for (size_t n = 0; cl_backend_name(n); n++) {
        if (strstr(cl_backend_name(n), "rc4")) continue;
        CHECK(cl_key_copy(&copy, key) == CL_OK);
        CHECK(cl_key_set_backend(copy, cl_backend_name(n)) == CL_OK);
        CHECK(cl_encrypt(copy, &mode, text, 100, out, LEN, &got) == CL_OK);
        CHECK(!memcmp(expected, out, got) && cl_backend_works(cl_backend_name(n)));
        CHECK(cl_key_set_policy(copy, CL_CONSTANT_TIME) == CL_OK);
        CHECK(cl_encrypt(copy, &mode, text, 100, out, LEN, &got) == CL_OK);
        CHECK(!memcmp(expected, out, got));
        cl_key_free(copy);
    }
    cl_key_free(key);
}

int main(void)
{
    OSSL_PROVIDER *providers[2] = {OSSL_PROVIDER_load(NULL, "legacy"),
                                   OSSL_PROVIDER_load(NULL, "default")};
    CHECK(providers[0] != NULL && providers[1] != NULL);
    for (size_t n = 0; n < LEN; n++) text[n] = (unsigned char)(1 + below(255));
    beside_evp();
    long_pieces();
    put_together();
    macs();
    batches();
    many_records();
    backends();
    OSSL_PROVIDER_unload(providers[0]);
    OSSL_PROVIDER_unload(providers[1]);
    printf("%lu checks passed, Cipherloom %s\n", checks, cl_version());
    return 0;
}
