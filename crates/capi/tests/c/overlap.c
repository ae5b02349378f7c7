/* Buffers and places that overlap, in every way that a program can make by mistake. What is written
 * while something else is read must be apart from it, else CL_ERROR_OVERLAP, and nothing has changed;
 * structures, names and the bytes of keys and tags may lie anywhere, also where results go. */
#include <cipherloom.h>
#include <cipherloom/des.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, failures;

#define TRUE(condition)                                                                    \
    do {                                                                                   \
        checks++;                                                                          \
        if (!(condition)) failures++, printf("line %d: %s\n", __LINE__, #condition);       \
    } while (0)
#define IS(call, code) TRUE((call) == (code))

static const unsigned char bytes[24] = "0123456789abcdefFEDCBA98";
static const cl_mode cbc = {CL_CBC, CL_PKCS7, {1, 2, 3, 4, 5, 6, 7, 8}};
static cl_key *key;

/* Aligned memory for anything. */
static union memory {
    unsigned char byte[256];
    size_t length[32];
    cl_mode mode;
    cl_key *key;
    cl_mac *mac;
    cl_message *message;
    cl_rc4 *stream;
    cl_record records[3];
    cl_flat flat;
    cl_batch batch;
} memory, kept;

static void fill(void)
{
    for (int n = 0; n < 256; n++) memory.byte[n] = (unsigned char)(5 * n);
    kept = memory;
}

#define UNCHANGED() TRUE(!memcmp(&memory, &kept, sizeof kept))

/* Input and output of 24 bytes at each distance: the same place, apart, or an error. */
static void distances(void)
{
    unsigned char expected[32], again[32];
    size_t len;
    for (int from = 0; from < 64; from++) {
        fill();
        unsigned char *in = memory.byte + from, *out = memory.byte + 32;
        IS(cl_encrypt(key, &cbc, in, 20, expected, 32, &len), CL_OK);
        TRUE(len == 24);
        int overlaps = from + 20 > 32 && from < 32 + 32 && from != 32;
        IS(cl_encrypt(key, &cbc, in, 20, out, 32, &len), overlaps ? CL_ERROR_OVERLAP : CL_OK);
        if (overlaps) {
            UNCHANGED();
            TRUE(len == 0);
        } else {
            TRUE(!memcmp(out, expected, 24));
        }
        fill();
        cl_message *message;
        IS(cl_encryptor_new(&message, key, &cbc), CL_OK);
        IS(cl_message_update(message, in, 20, out, 32, &len), overlaps ? CL_ERROR_OVERLAP : CL_OK);
        if (overlaps) {
            UNCHANGED();
            IS(cl_message_update(message, in, 20, again, 32, &len), CL_OK);
        } else {
            memcpy(again, out, 16);
        }
        IS(cl_message_finish(message, again + 16, 16, NULL), CL_OK);
        TRUE(!memcmp(again, expected, 24));
        cl_message_free(message);

        fill();
        cl_rc4 *stream;
        IS(cl_rc4_new(&stream, bytes, 16, CL_FASTEST), CL_OK);
        overlaps = from + 20 > 32 && from < 32 + 20 && from != 32;
        IS(cl_rc4_apply(stream, in, 20, out), overlaps ? CL_ERROR_OVERLAP : CL_OK);
        if (overlaps) UNCHANGED();
        cl_rc4_free(stream);
    }
}

/* Places of results: in the output they are an error, elsewhere they are written last. */
static void results(void)
{
    unsigned char expected[64];
    fill();
    size_t *inside = memory.length + 2;
    IS(cl_encrypt(key, &cbc, bytes, 24, memory.byte, 64, inside), CL_ERROR_OVERLAP);
    IS(cl_decrypt(key, &cbc, bytes, 24, memory.byte, 64, inside), CL_ERROR_OVERLAP);
    IS(cl_decrypt(key, &cbc, memory.byte, 24, memory.byte, 64, inside), CL_ERROR_OVERLAP);
    UNCHANGED();
    cl_message *message;
    IS(cl_encryptor_new(&message, key, &cbc), CL_OK);
    IS(cl_message_update(message, bytes, 24, memory.byte, 64, inside), CL_ERROR_OVERLAP);
    IS(cl_message_finish(message, memory.byte, 64, inside), CL_ERROR_OVERLAP);
    UNCHANGED();
    IS(cl_message_update(message, bytes, 24, memory.byte, 64, memory.length + 8), CL_OK);
    TRUE(memory.length[8] == 24);
    cl_message_free(message);

    /* In the input. */
    fill();
    IS(cl_encrypt(key, &cbc, kept.byte, 24, expected, 64, NULL), CL_OK);
    unsigned char out[64];
    IS(cl_encrypt(key, &cbc, memory.byte, 24, out, 64, memory.length + 1), CL_OK);
    TRUE(memory.length[1] == 32 && !memcmp(out, expected, 32));
    /* In the mode. */
    memory.mode = cbc;
    IS(cl_encrypted_len(&memory.mode, 24, memory.length), CL_OK);
    TRUE(memory.length[0] == 32);

    /* Handles: where the key's bytes are, where the mode is. */
    memcpy(memory.byte, bytes, 24);
    IS(cl_key_new(&memory.key, CL_TDES_EDE3, memory.byte, 24), CL_OK);
    IS(cl_encrypt(memory.key, &cbc, kept.byte, 24, out, 64, NULL), CL_OK);
    TRUE(!memcmp(out, expected, 32));
    cl_key_free(memory.key);
    memcpy(memory.byte, bytes, 24);
    IS(cl_key_new_checked(&memory.key, CL_TDES_EDE3, memory.byte, 24, CL_IGNORE_PARITY), CL_OK);
    cl_key_free(memory.key);
    memory.mode = cbc;
    IS(cl_encryptor_new(&memory.message, key, &memory.mode), CL_OK);
    message = memory.message;
    IS(cl_message_update(message, kept.byte, 24, out, 64, NULL), CL_OK);
    IS(cl_message_finish(message, out + 24, 40, NULL), CL_OK);
    TRUE(!memcmp(out, expected, 32));
    cl_message_free(message);
    unsigned char zeros[2][16] = {{0}};
    cl_rc4 *stream;
    IS(cl_rc4_new(&stream, bytes, 16, CL_FASTEST), CL_OK);
    IS(cl_rc4_apply(stream, zeros[0], 16, zeros[0]), CL_OK);
    cl_rc4_free(stream);
    memcpy(memory.byte, bytes, 16);
    IS(cl_rc4_new(&memory.stream, memory.byte, 16, CL_FASTEST), CL_OK);
    IS(cl_rc4_apply(memory.stream, zeros[1], 16, zeros[1]), CL_OK);
    TRUE(!memcmp(zeros[0], zeros[1], 16));
    cl_rc4_free(memory.stream);
    /* A copy's handle where the key's own was is the program's loss; it works. */
    cl_key *copy = key;
    IS(cl_key_copy(&copy, copy), CL_OK);
    TRUE(copy != key);
    cl_key_free(copy);

    /* The mode in the output: it is read first. */
    fill();
    memory.mode = cbc;
    IS(cl_encrypt(key, &memory.mode, kept.byte, 24, memory.byte, 64, NULL), CL_OK);
    TRUE(!memcmp(memory.byte, expected, 32));
    cl_mode cfb1 = {CL_CFB1, CL_NO_PADDING, {9}};
    memory.mode = cfb1;
    union memory bits = memory;
    IS(cl_encrypt_bits(key, &cfb1, bits.byte, 100), CL_OK);
    IS(cl_encrypt_bits(key, &memory.mode, memory.byte, 100), CL_OK);
    TRUE(!memcmp(bits.byte, memory.byte, 13));
}

static const cl_batch work = {CL_DES, CL_CBC, CL_PKCS7, CL_FASTEST, NULL};

/* Records at each distance from the array of records, and keys and IVs anywhere. */
static void records(void)
{
    for (int at = 0; at < 200; at++) {
        fill();
        unsigned char *data = memory.byte + at;
        cl_record *record = memory.records + 1;
        cl_record given = {bytes, 8, bytes + 8, 8, data, 8, 16, 77, 77};
        *record = given;
        kept = memory;
        int first = (int)((unsigned char *)record - memory.byte), last = first + (int)sizeof given;
        int overlaps = at + 16 > first && at < last;
        IS(cl_batch_encrypt(&work, record, 1), overlaps ? CL_ERROR_OVERLAP : CL_OK);
        if (overlaps) UNCHANGED();
        else TRUE(record->error == CL_OK && record->result_len == 16);
    }
    unsigned char expected[16], data[2][16] = {{1, 2, 3, 4, 5, 6, 7, 8}};
    cl_key *des;
    IS(cl_key_new(&des, CL_DES, data[0], 8), CL_OK);
    cl_mode mode = {CL_CBC, CL_PKCS7, {1, 2, 3, 4, 5, 6, 7, 8}};
    IS(cl_encrypt(des, &mode, data[0], 8, expected, 16, NULL), CL_OK);
    cl_key_free(des);
    /* Key and IV are the message itself, and those of the next record. */
    memcpy(data[1], data[0], 8);
    cl_record two[2] = {{data[0], 8, data[0], 8, data[0], 8, 16, 77, 77}, {data[0], 8, data[1], 8, data[1], 8, 16, 77, 77}};
    IS(cl_batch_encrypt(&work, two, 2), CL_OK);
    TRUE(!memcmp(data[0], expected, 16) && !memcmp(data[1], expected, 16));
    /* The batch in a record. */
    fill();
    memory.batch = work;
    cl_record one = {bytes, 8, bytes, 8, memory.byte, 8, 64, 77, 77};
    IS(cl_batch_encrypt(&memory.batch, &one, 1), CL_OK);
    IS(one.error, CL_OK);
}

/* Flat buffers: keys, IVs and data at each distance from the data and from the spans. */
static void flat(void)
{
    for (int which = 0; which < 3; which++)
        for (int at = 0; at < 240; at += 8) {
            fill();
            /* Data at 96, 32 bytes of it; the spans behind them at 160. */
            cl_span *spans = (cl_span *)(memory.byte + 160), span = {0, 8, 16, 77, 77};
            cl_flat flat = {bytes, 8, 1, bytes, 8, memory.byte + 96, 32, spans, 1};
            int len = which == 2 ? 32 : 8, overlaps, clash = 0;
            *spans = span;
            /* What moves: the key, the IV, or the data. */
            if (which == 0) flat.keys = memory.byte + at;
            if (which == 1) flat.ivs = memory.byte + at;
            if (which == 2) flat.data = memory.byte + at;
            overlaps = at + len > 160 && at < 160 + (int)sizeof span;
            if (which < 2) clash = at + len > 96 && at < 96 + 32;
            kept = memory;
            int error = cl_batch_encrypt_flat(&work, &flat);
            IS(error, overlaps || clash ? CL_ERROR_OVERLAP : CL_OK);
            if (error) UNCHANGED();
            else TRUE(spans->error == CL_OK && spans->result_len == 16);
        }
    /* Keys and IVs may be the same; the structures may lie in the data. */
    fill();
    cl_span span = {128, 8, 16, 77, 77};
    cl_flat flat = {bytes, 8, 1, bytes, 8, memory.byte, 256, &span, 1};
    memory.flat = flat;
    IS(cl_batch_encrypt_flat(&work, &memory.flat), CL_OK);
    IS(span.error, CL_OK);
    fill();
    memory.batch = work;
    IS(cl_batch_encrypt_flat(&memory.batch, &flat), CL_OK);
    IS(span.error, CL_OK);
    span.offset = 0;
    IS(cl_batch_encrypt_flat(&memory.batch, &flat), CL_OK);
    TRUE(span.error == CL_OK && memcmp(&memory.batch, &work, 8));
}

/* OpenSSL's functions: input and output overlap as after a copy of the input; IVs, numbers and keys
 * are read first and written last. */
static void openssl(void)
{
    cl_DES_key_schedule schedule;
    cl_DES_set_key_unchecked((void *)bytes, &schedule);
    for (int enc = 0; enc < 2; enc++)
        for (int from = 0; from < 64; from++) {
            unsigned char in[40], expected[40], iv[2][8] = {{7}, {7}};
            fill();
            memcpy(in, memory.byte + from, 40);
            cl_DES_ncbc_encrypt(in, expected, 37, &schedule, &iv[0], enc);
            cl_DES_ncbc_encrypt(memory.byte + from, memory.byte + 32, 37, &schedule, &iv[1], enc);
            TRUE(!memcmp(memory.byte + 32, expected, 37) && !memcmp(iv[0], iv[1], 8));
            int num[2] = {3, 3};
            fill();
            memset(iv, 7, sizeof iv);
            cl_DES_cfb64_encrypt(in, expected, 37, &schedule, &iv[0], &num[0], enc);
            cl_DES_cfb64_encrypt(memory.byte + from, memory.byte + 32, 37, &schedule, &iv[1], &num[1], enc);
            TRUE(!memcmp(memory.byte + 32, expected, 37) && !memcmp(iv[0], iv[1], 8) && num[0] == num[1]);
        }
    /* A key where its schedule goes. */
    union {
        cl_DES_key_schedule schedule;
        cl_DES_cblock key;
    } both;
    memcpy(both.key, bytes, 8);
    cl_DES_set_key_unchecked(&both.key, &both.schedule);
    TRUE(!memcmp(&both.schedule, &schedule, sizeof schedule));
}

/* Longer than what is copied at a time. */
static void long_ones(void)
{
    enum { LEN = 5000, MIDDLE = 6000 };
    static unsigned char in[LEN], expected[LEN], memory[2 * MIDDLE + LEN];
    static const int distances[] = {-MIDDLE, -4096, -2049, -2048, -1, 0, 1, 8, 2047, 2048, 4999, MIDDLE};
    cl_DES_key_schedule schedule;
    cl_DES_set_key_unchecked((void *)bytes, &schedule);
    for (int enc = 0; enc < 2; enc++)
        for (unsigned n = 0; n < sizeof distances / sizeof *distances; n++) {
            unsigned char *from = memory + MIDDLE + distances[n], iv[2][8] = {{7}, {7}};
            for (unsigned i = 0; i < sizeof memory; i++) memory[i] = (unsigned char)(i * 37 + i / 256);
            memcpy(in, from, LEN);
            cl_DES_ncbc_encrypt(in, expected, LEN, &schedule, &iv[0], enc);
            cl_DES_ncbc_encrypt(from, memory + MIDDLE, LEN, &schedule, &iv[1], enc);
            TRUE(!memcmp(memory + MIDDLE, expected, LEN) && !memcmp(iv[0], iv[1], 8));
        }
}

int main(void)
{
    IS(cl_key_new(&key, CL_TDES_EDE3, bytes, 24), CL_OK);
    distances();
    results();
    records();
    flat();
    openssl();
    long_ones();
    cl_key_free(key);
    printf("%d checks, %d wrong\n", checks, failures);
    return failures != 0;
}
