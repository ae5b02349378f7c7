/* Every cl_* function with what it must refuse: nulls, wrong lengths, numbers that mean nothing,
 * overlapping buffers, objects in the wrong state. Each answers with its code, and changes nothing. */
#include <cipherloom.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, failures;

static void expect(int line, int got, int wanted)
{
    checks++;
    if (got == wanted) return;
    failures++;
    printf("misuse.c:%d: %d (%s), expected %d (%s)\n", line, got, cl_error_text(got), wanted,
           cl_error_text(wanted));
}

#define IS(call, code) expect(__LINE__, (call), (code))
#define TRUE(condition) expect(__LINE__, !(condition), 0)

static const unsigned char bytes[32] = {1, 35, 69, 103, 137, 171, 205, 239, 2, 36, 70, 104,
                                        138, 172, 206, 240, 3, 37, 71, 105, 139, 173, 207, 241};
static const cl_mode cbc = {CL_CBC, CL_PKCS7, {0}}, ecb = {CL_ECB, CL_NO_PADDING, {0}},
                     cfb1 = {CL_CFB1, CL_NO_PADDING, {0}}, cs1 = {CL_CBC_CS1, CL_NO_PADDING, {0}},
                     ctr = {CL_CTR, CL_NO_PADDING, {0}}, bad_mode = {11, 0, {0}},
                     bad_padding = {CL_CBC, 4, {0}}, padded_ctr = {CL_CTR, CL_PKCS7, {0}};

static void keys(cl_key *des)
{
    cl_key *key = des;
    IS(cl_key_new(NULL, CL_DES, bytes, 8), CL_ERROR_NULL);
    IS(cl_key_new(&key, CL_DES, NULL, 8), CL_ERROR_NULL);
    TRUE(key == NULL);
    key = des;
    IS(cl_key_new(&key, CL_DES, bytes, 7), CL_ERROR_KEY_LENGTH);
    TRUE(key == NULL);
    IS(cl_key_new(&key, CL_TDES_EDE3, bytes, 16), CL_ERROR_KEY_LENGTH);
    IS(cl_key_new(&key, CL_DES, NULL, 0), CL_ERROR_KEY_LENGTH);
    IS(cl_key_new(&key, CL_DES, bytes, SIZE_MAX), CL_ERROR_LENGTH);
    IS(cl_key_new(&key, 0, bytes, 8), CL_ERROR_ARGUMENT);
    IS(cl_key_new(&key, CL_RC4, bytes, 8), CL_ERROR_ARGUMENT);
    IS(cl_key_new(&key, -1, bytes, 8), CL_ERROR_ARGUMENT);
    IS(cl_key_new_checked(&key, CL_DES, "\1\1\1\1\1\1\1\1", 8, CL_ODD_PARITY), CL_ERROR_WEAK_KEY);
    IS(cl_key_new_checked(&key, CL_DES, "\1\376\1\376\1\376\1\376", 8, 0), CL_ERROR_SEMI_WEAK_KEY);
    IS(cl_key_new_checked(&key, CL_TDES_EDE2, "8 bytes!8 bytes!", 16, 0), CL_ERROR_DEGENERATE_KEY);
    IS(cl_key_new_checked(&key, CL_DES, "8 bytes.", 8, CL_ODD_PARITY), CL_ERROR_KEY_PARITY);
    IS(cl_key_new_checked(&key, CL_DES, "8 bytes.", 8, 2), CL_ERROR_ARGUMENT);
    IS(cl_key_new_checked(NULL, CL_DES, bytes, 8, 0), CL_ERROR_NULL);
    TRUE(key == NULL);
    IS(cl_key_copy(&key, NULL), CL_ERROR_NULL);
    IS(cl_key_copy(NULL, des), CL_ERROR_NULL);
    IS(cl_key_set_policy(NULL, CL_FASTEST), CL_ERROR_NULL);
    IS(cl_key_set_policy(des, 2), CL_ERROR_ARGUMENT);
    IS(cl_key_set_backend(NULL, cl_backend_name(0)), CL_ERROR_NULL);
    IS(cl_key_set_backend(des, NULL), CL_ERROR_NULL);
    IS(cl_key_set_backend(des, "abacus"), CL_ERROR_BACKEND);
    IS(cl_key_set_backend(des, "portable-rc4-loop"), CL_ERROR_BACKEND);
    IS(cl_fix_parity(NULL, 8), CL_ERROR_NULL);
    IS(cl_fix_parity(NULL, 0), CL_OK);
    IS(cl_encrypt_blocks(NULL, NULL, 0), CL_ERROR_NULL);
    IS(cl_encrypt_blocks(des, NULL, 1), CL_ERROR_NULL);
    IS(cl_decrypt_blocks(des, NULL, 1), CL_ERROR_NULL);
    IS(cl_decrypt_blocks(des, NULL, 0), CL_OK);
    unsigned char block[8] = {0};
    IS(cl_encrypt_blocks(des, block, SIZE_MAX / 8), CL_ERROR_LENGTH);
    IS(cl_encrypt_blocks(des, block, SIZE_MAX), CL_ERROR_LENGTH);
    TRUE(cl_key_len(0) == 0 && cl_key_len(CL_RC4) == 0 && cl_key_len(CL_DESX) == 24);
    cl_key_free(NULL);
}

static void messages(const cl_key *des)
{
    unsigned char in[40], out[40], kept[40];
    size_t len = 99;
    memset(in, 0x5a, sizeof in);
    memcpy(out, in, sizeof in);
    memcpy(kept, in, sizeof in);

    IS(cl_encrypted_len(NULL, 8, &len), CL_ERROR_NULL);
    TRUE(len == 0);
    IS(cl_encrypted_len(&ecb, 7, &len), CL_ERROR_NOT_WHOLE_BLOCKS);
    IS(cl_encrypted_len(&cs1, 7, NULL), CL_ERROR_TOO_SHORT);
    IS(cl_encrypted_len(&bad_mode, 8, &len), CL_ERROR_ARGUMENT);

    IS(cl_encrypt(NULL, &cbc, in, 8, out, 40, &len), CL_ERROR_NULL);
    IS(cl_encrypt(des, NULL, in, 8, out, 40, &len), CL_ERROR_NULL);
    IS(cl_encrypt(des, &cbc, NULL, 8, out, 40, &len), CL_ERROR_NULL);
    IS(cl_encrypt(des, &cbc, in, 8, NULL, 40, &len), CL_ERROR_NULL);
    IS(cl_encrypt(des, &cbc, in, SIZE_MAX, out, 40, &len), CL_ERROR_LENGTH);
    IS(cl_encrypt(des, &cbc, in, 8, out, SIZE_MAX, &len), CL_ERROR_LENGTH);
    IS(cl_encrypt(des, &cbc, in, 8, out, SIZE_MAX / 2 + 1, &len), CL_ERROR_LENGTH);
    IS(cl_encrypt(des, &cbc, in, 8, out, 15, &len), CL_ERROR_OUTPUT_TOO_SMALL);
    IS(cl_encrypt(des, &cbc, in, 8, in, 15, &len), CL_ERROR_OUTPUT_TOO_SMALL);
    IS(cl_encrypt(des, &cbc, in, 20, in, 15, &len), CL_ERROR_OUTPUT_TOO_SMALL);
    IS(cl_encrypt(des, &cbc, in, 8, in + 1, 39, &len), CL_ERROR_OVERLAP);
    IS(cl_encrypt(des, &cbc, in + 1, 8, in, 39, &len), CL_ERROR_OVERLAP);
    IS(cl_encrypt(des, &ecb, in, 9, out, 40, &len), CL_ERROR_NOT_WHOLE_BLOCKS);
    IS(cl_encrypt(des, &cs1, in, 7, out, 40, &len), CL_ERROR_TOO_SHORT);
    IS(cl_encrypt(des, &bad_mode, in, 8, out, 40, &len), CL_ERROR_ARGUMENT);
    IS(cl_encrypt(des, &bad_padding, in, 8, out, 40, &len), CL_ERROR_ARGUMENT);
    IS(cl_encrypt(des, &padded_ctr, in, 8, out, 40, &len), CL_ERROR_ARGUMENT);
    IS(cl_decrypt(NULL, &cbc, in, 8, out, 40, &len), CL_ERROR_NULL);
    IS(cl_decrypt(des, &cbc, in, 9, out, 40, &len), CL_ERROR_NOT_WHOLE_BLOCKS);
    IS(cl_decrypt(des, &cbc, NULL, 0, out, 40, &len), CL_ERROR_TOO_SHORT);
    IS(cl_decrypt(des, &cbc, in, 16, out, 15, &len), CL_ERROR_OUTPUT_TOO_SMALL);
    IS(cl_decrypt(des, &cbc, in, 16, in + 8, 16, &len), CL_ERROR_OVERLAP);
    IS(cl_encrypt_bits(des, &cbc, in, 3), CL_ERROR_MODE);
    IS(cl_encrypt_bits(des, &cfb1, NULL, 3), CL_ERROR_NULL);
    IS(cl_decrypt_bits(NULL, &cfb1, in, 3), CL_ERROR_NULL);
    IS(cl_decrypt_bits(des, &ctr, in, 3), CL_ERROR_MODE);
    TRUE(len == 0 && !memcmp(in, kept, 40) && !memcmp(out, kept, 40));

    /* A wrong padding leaves zeros, in place as elsewhere, and nothing behind them. */
    IS(cl_decrypt(des, &cbc, in, 16, out, 40, &len), CL_ERROR_PADDING);
    TRUE(out[0] == 0 && !memcmp(out, out + 1, 15) && out[16] == 0x5a && len == 0);
    IS(cl_decrypt(des, &cbc, in, 16, in, 40, &len), CL_ERROR_PADDING);
    TRUE(in[0] == 0 && !memcmp(in, in + 1, 15) && !memcmp(in + 16, kept + 16, 24) && len == 0);
    memcpy(in, kept, 40);

    cl_message *message = NULL;
    IS(cl_encryptor_new(NULL, des, &cbc), CL_ERROR_NULL);
    IS(cl_encryptor_new(&message, NULL, &cbc), CL_ERROR_NULL);
    IS(cl_encryptor_new(&message, des, NULL), CL_ERROR_NULL);
    IS(cl_encryptor_new(&message, des, &bad_mode), CL_ERROR_ARGUMENT);
    IS(cl_decryptor_new(&message, des, &padded_ctr), CL_ERROR_ARGUMENT);
    TRUE(message == NULL);
    IS(cl_message_update(NULL, in, 8, out, 40, &len), CL_ERROR_NULL);
    IS(cl_message_update_len(NULL, 8, &len), CL_ERROR_NULL);
    IS(cl_message_finish(NULL, out, 40, &len), CL_ERROR_NULL);
    cl_message_free(NULL);

    IS(cl_encryptor_new(&message, des, &cbc), CL_OK);
    IS(cl_message_update(message, NULL, 1, out, 40, &len), CL_ERROR_NULL);
    IS(cl_message_update(message, in, 9, NULL, 40, &len), CL_ERROR_NULL);
    IS(cl_message_update(message, in, 9, out, 7, &len), CL_ERROR_OUTPUT_TOO_SMALL);
    IS(cl_message_update(message, in, 9, in + 1, 39, &len), CL_ERROR_OVERLAP);
    IS(cl_message_update(message, in, 18, in, 15, &len), CL_ERROR_OUTPUT_TOO_SMALL);
    IS(cl_message_update(message, in, 9, out, 8, &len), CL_OK);
    TRUE(len == 8);
    IS(cl_message_finish(message, out + 8, 7, &len), CL_ERROR_OUTPUT_TOO_SMALL);
    IS(cl_message_finish(message, out + 8, 8, &len), CL_OK);
    TRUE(len == 8);
    IS(cl_message_finish(message, out, 40, &len), CL_ERROR_FINISHED);
    IS(cl_message_update(message, in, 9, out, 40, &len), CL_ERROR_FINISHED);
    IS(cl_message_update_len(message, 9, &len), CL_ERROR_FINISHED);
    cl_message_free(message);
    unsigned char again[40];
    IS(cl_decrypt(des, &cbc, out, 16, again, 40, &len), CL_OK);
    TRUE(len == 9 && !memcmp(again, kept, 9));

    IS(cl_decryptor_new(&message, des, &cbc), CL_OK);
    IS(cl_message_update(message, in, 13, out, 40, NULL), CL_OK);
    IS(cl_message_finish(message, out, 40, &len), CL_ERROR_NOT_WHOLE_BLOCKS);
    IS(cl_message_finish(message, out, 40, &len), CL_ERROR_FINISHED);
    cl_message_free(message);
}

static void macs(const cl_key *des)
{
    unsigned char tag[8];
    cl_mac *mac = NULL;
    IS(cl_mac_new_cbc(NULL, des, CL_NO_PADDING), CL_ERROR_NULL);
    IS(cl_mac_new_cbc(&mac, NULL, CL_NO_PADDING), CL_ERROR_NULL);
    IS(cl_mac_new_cbc(&mac, des, 9), CL_ERROR_ARGUMENT);
    IS(cl_mac_new_cmac(&mac, NULL), CL_ERROR_NULL);
    IS(cl_mac_new_retail(&mac, des, CL_ISO7816), CL_ERROR_CIPHER);
    IS(cl_mac_new_retail(&mac, NULL, CL_ISO7816), CL_ERROR_NULL);
    TRUE(mac == NULL);
    IS(cl_mac_update(NULL, bytes, 8), CL_ERROR_NULL);
    IS(cl_mac_finish(NULL, tag), CL_ERROR_NULL);
    IS(cl_mac_verify(NULL, tag, 8), CL_ERROR_NULL);
    cl_mac_free(NULL);
    IS(cl_mac_new_cbc(&mac, des, CL_NO_PADDING), CL_OK);
    IS(cl_mac_update(mac, NULL, 3), CL_ERROR_NULL);
    IS(cl_mac_update(mac, bytes, 3), CL_OK);
    IS(cl_mac_finish(mac, NULL), CL_ERROR_NULL);
    IS(cl_mac_finish(mac, tag), CL_ERROR_NOT_WHOLE_BLOCKS);
    IS(cl_mac_finish(mac, tag), CL_ERROR_FINISHED);
    IS(cl_mac_update(mac, bytes, 3), CL_ERROR_FINISHED);
    cl_mac_free(mac);
    IS(cl_mac_new_cbc_of_length(NULL, des, 3), CL_ERROR_NULL);
    mac = NULL;
    IS(cl_mac_new_cbc_of_length(&mac, NULL, 3), CL_ERROR_NULL);
    IS(cl_mac_new_retail_of_length(&mac, des, 3), CL_ERROR_CIPHER);
    TRUE(mac == NULL);
    IS(cl_mac_new_cbc_of_length(&mac, des, 3), CL_OK);
    IS(cl_mac_update(mac, bytes, 4), CL_ERROR_MESSAGE_LENGTH);
    IS(cl_mac_update(mac, bytes, 2), CL_OK);
    IS(cl_mac_update(mac, bytes, 2), CL_ERROR_MESSAGE_LENGTH);
    IS(cl_mac_finish(mac, tag), CL_ERROR_MESSAGE_LENGTH);
    IS(cl_mac_finish(mac, tag), CL_ERROR_FINISHED);
    cl_mac_free(mac);
    IS(cl_mac_new_cmac(&mac, des), CL_OK);
    IS(cl_mac_verify(mac, NULL, 8), CL_ERROR_NULL);
    IS(cl_mac_verify(mac, "wrong...", 8), CL_ERROR_TAG);
    cl_mac_free(mac);
    IS(cl_mac_new_cmac(&mac, des), CL_OK);
    IS(cl_mac_verify(mac, tag, 3), CL_ERROR_TAG_LENGTH);
    cl_mac_free(mac);
}

static void rc4(void)
{
    unsigned char data[16] = {0};
    cl_rc4 *stream = NULL;
    IS(cl_rc4_new(NULL, bytes, 8, CL_FASTEST), CL_ERROR_NULL);
    IS(cl_rc4_new(&stream, NULL, 8, CL_FASTEST), CL_ERROR_NULL);
    IS(cl_rc4_new(&stream, bytes, 0, CL_FASTEST), CL_ERROR_KEY_LENGTH);
    unsigned char long_key[257] = {0};
    IS(cl_rc4_new(&stream, long_key, 257, CL_FASTEST), CL_ERROR_KEY_LENGTH);
    IS(cl_rc4_new(&stream, bytes, 8, 7), CL_ERROR_ARGUMENT);
    IS(cl_rc4_new_by_backend(&stream, bytes, 8, NULL), CL_ERROR_NULL);
    IS(cl_rc4_new_by_backend(&stream, bytes, 8, "portable-table"), CL_ERROR_BACKEND);
    TRUE(stream == NULL);
    IS(cl_rc4_apply(NULL, data, 8, data), CL_ERROR_NULL);
    IS(cl_rc4_skip(NULL, 8), CL_ERROR_NULL);
    cl_rc4_free(NULL);
    IS(cl_rc4_new(&stream, bytes, 8, CL_CONSTANT_TIME), CL_OK);
    IS(cl_rc4_apply(stream, NULL, 8, data), CL_ERROR_NULL);
    IS(cl_rc4_apply(stream, data, 8, NULL), CL_ERROR_NULL);
    IS(cl_rc4_apply(stream, data, 8, data + 1), CL_ERROR_OVERLAP);
    IS(cl_rc4_apply(stream, data, SIZE_MAX, data), CL_ERROR_LENGTH);
    IS(cl_rc4_apply(stream, NULL, 0, NULL), CL_OK);
    cl_rc4_free(stream);
}

static void batches(void)
{
    static const cl_batch good = {CL_DES, CL_CBC, CL_PKCS7, CL_FASTEST, NULL};
    static const struct {
        cl_batch batch;
        int code;
    } bad[] = {
        {{0, CL_CBC, 0, 0, NULL}, CL_ERROR_ARGUMENT},
        {{CL_DES, CL_OFB, 0, 0, NULL}, CL_ERROR_ARGUMENT},
        {{CL_DES, CL_CTR, CL_PKCS7, 0, NULL}, CL_ERROR_ARGUMENT},
        {{CL_RC4, CL_CBC, 0, 0, NULL}, CL_ERROR_ARGUMENT},
        {{CL_RC4, 0, CL_PKCS7, 0, NULL}, CL_ERROR_ARGUMENT},
        {{CL_DES, CL_CBC, 9, 0, NULL}, CL_ERROR_ARGUMENT},
        {{CL_DES, CL_CBC, 0, 9, NULL}, CL_ERROR_ARGUMENT},
        {{CL_DES, CL_CBC, 0, 0, "abacus"}, CL_ERROR_BACKEND},
        {{CL_DES, CL_CBC, 0, 0, "portable-rc4-loop"}, CL_ERROR_BACKEND},
        {{CL_DES, CL_CBC, 0, CL_CONSTANT_TIME, "portable-table"}, CL_ERROR_BACKEND},
    };
    unsigned char data[3][16] = {{0}}, zeros[3][16] = {{0}};
    cl_record records[3];
    for (int n = 0; n < 3; n++) {
        cl_record record = {bytes, 8, bytes, 8, data[n], 8, 16, 77, 77};
        records[n] = record;
    }
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++)
        IS(cl_batch_encrypt(&bad[n].batch, records, 3), bad[n].code);
    IS(cl_batch_encrypt(NULL, records, 3), CL_ERROR_NULL);
    IS(cl_batch_decrypt(&good, NULL, 3), CL_ERROR_NULL);
    IS(cl_batch_decrypt(&good, NULL, 0), CL_OK);
    IS(cl_batch_encrypt(&good, records, SIZE_MAX), CL_ERROR_LENGTH);
    records[1].data = data[0] + 15;
    IS(cl_batch_encrypt(&good, records, 3), CL_ERROR_OVERLAP);
    records[1].data = data[2];
    IS(cl_batch_encrypt(&good, records, 3), CL_ERROR_OVERLAP);
    records[1].data = NULL;
    IS(cl_batch_encrypt(&good, records, 3), CL_ERROR_NULL);
    records[1].data = data[1];
    records[1].key = NULL;
    IS(cl_batch_encrypt(&good, records, 3), CL_ERROR_NULL);
    TRUE(!memcmp(data, zeros, sizeof data) && records[0].error == 77 && records[0].result_len == 77);
    /* Wrong lengths are the record's own affair. */
    records[0].key_len = 7, records[1].key = bytes, records[1].iv_len = 0, records[2].len = 17;
    IS(cl_batch_encrypt(&good, records, 3), CL_OK);
    IS(records[0].error, CL_ERROR_KEY_LENGTH);
    IS(records[1].error, CL_ERROR_IV_LENGTH);
    IS(records[2].error, CL_ERROR_OVERLAP);
    records[0].key_len = 8, records[1].iv_len = 8, records[1].room = 15, records[2].len = 8;
    IS(cl_batch_encrypt(&good, records, 3), CL_OK);
    IS(records[0].error, CL_OK);
    IS(records[1].error, CL_ERROR_OUTPUT_TOO_SMALL);
    TRUE(records[0].result_len == 16 && records[1].result_len == 0);
    TRUE(!memcmp(data[1], zeros, 16) && memcmp(data[0], zeros, 16) && !memcmp(data[0], data[2], 16));

    cl_span spans[2] = {{0, 8, 16, 77, 77}, {8, 8, 16, 77, 77}};
    cl_flat flat = {bytes, 8, 1, bytes, 16, data, sizeof data, spans, 2};
    IS(cl_batch_encrypt_flat(&good, NULL), CL_ERROR_NULL);
    IS(cl_batch_encrypt_flat(NULL, &flat), CL_ERROR_NULL);
    flat.key_count = 3;
    IS(cl_batch_encrypt_flat(&good, &flat), CL_ERROR_COUNT);
    flat.key_count = SIZE_MAX / 2;
    IS(cl_batch_decrypt_flat(&good, &flat), CL_ERROR_LENGTH);
    flat.key_count = 2, flat.ivs_len = 8;
    IS(cl_batch_encrypt_flat(&good, &flat), CL_ERROR_COUNT);
    flat.ivs_len = 16, flat.spans = NULL;
    IS(cl_batch_encrypt_flat(&good, &flat), CL_ERROR_NULL);
    flat.spans = spans;
    IS(cl_batch_encrypt_flat(&good, &flat), CL_OK);
    IS(spans[0].error, CL_OK);
    IS(spans[1].error, CL_ERROR_OVERLAP);
}

static void backends(void)
{
    size_t count = 0;
    while (cl_backend_name(count)) IS(cl_backend_self_test(cl_backend_name(count++)), CL_OK);
    TRUE(count >= 4 && cl_backend_name(SIZE_MAX) == NULL);
    TRUE(cl_backend_works(cl_backend_name(0)) == 1);
    TRUE(cl_backend_works(NULL) == 0 && cl_backend_works("abacus") == 0);
    TRUE(cl_backend_is_constant_time("portable-bitslice") == 1);
    TRUE(cl_backend_is_constant_time("portable-table") == 0);
    TRUE(cl_backend_is_constant_time(NULL) == 0);
    TRUE(cl_backend_for(0, 1, 0) == NULL && cl_backend_for(CL_DES, 1, 9) == NULL);
    TRUE(cl_backend_is_constant_time(cl_backend_for(CL_DES, 1, CL_CONSTANT_TIME)) == 1);
    IS(cl_backend_self_test(NULL), CL_ERROR_NULL);
    IS(cl_backend_self_test("abacus"), CL_ERROR_BACKEND);
    IS(cl_self_test(), CL_OK);
    size_t kernels = SIZE_MAX, proved = cl_proof(&kernels);
    TRUE(cl_proof(NULL) == proved);
#ifdef __x86_64__
    TRUE(kernels > 120 && proved == kernels);
#else
    TRUE(proved <= kernels);
#endif
    for (int code = -1; code < 70; code++) TRUE(strlen(cl_error_text(code)) > 5);
}

int main(void)
{
    cl_key *des;
    IS(cl_key_new(&des, CL_DES, bytes, 8), CL_OK);
    keys(des);
    messages(des);
    macs(des);
    rc4();
    batches();
    backends();
    cl_key_free(des);
    printf("%d answers, %d wrong\n", checks, failures);
    return failures != 0;
}
