/* Decrypts a file of Triple-DES in CBC with PKCS#7, in pieces of constant size:
 *
 *   decrypt KEY IV < ciphertext > plaintext        KEY: 48 hex digits, IV: 16
 *
 * What `openssl enc -des-ede3-cbc -K KEY -iv IV` made. */
#include <cipherloom.h>
#include <stdio.h>
#include <string.h>

/* 1 if `text` is 2 * len hex digits. */
static int read_hex(const char *text, unsigned char *bytes, size_t len)
{
    if (strlen(text) != 2 * len || strspn(text, "0123456789abcdefABCDEF") != 2 * len) return 0;
    for (size_t i = 0; i < len; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) return 0;
        bytes[i] = (unsigned char)byte;
    }
    return 1;
}

static int fail(const char *what, int error)
{
    fprintf(stderr, "decrypt: %s: %s\n", what, cl_error_text(error));
    return 1;
}

int main(int argc, char **argv)
{
    static unsigned char in[16384], out[sizeof in + 8];
    unsigned char bytes[24];
    cl_mode mode = {CL_CBC, CL_PKCS7, {0}};
    if (argc != 3 || !read_hex(argv[1], bytes, sizeof bytes) || !read_hex(argv[2], mode.iv, 8)) {
        fputs("usage: decrypt KEY IV < ciphertext > plaintext\n", stderr);
        return 2;
    }

    cl_key *key;
    int error = cl_key_new(&key, CL_TDES_EDE3, bytes, sizeof bytes);
    if (error) return fail("key", error);
    cl_message *message;
    error = cl_decryptor_new(&message, key, &mode);
    cl_key_free(key); /* the message has its own copy */
    if (error) return fail("message", error);

    size_t got, written;
    while (!error && (got = fread(in, 1, sizeof in, stdin)) > 0) {
        error = cl_message_update(message, in, got, out, sizeof out, &written);
        fwrite(out, 1, written, stdout);
    }
    if (!error) {
        /* A wrong key shows here, 255 times in 256: what was written is worth nothing then. */
        error = cl_message_finish(message, out, sizeof out, &written);
        fwrite(out, 1, written, stdout);
    }
    cl_message_free(message);
    if (error) return fail("message", error);
    return ferror(stdin) || fflush(stdout) || ferror(stdout);
}
