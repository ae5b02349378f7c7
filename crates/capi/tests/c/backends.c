/* What each backend of this processor computes: a line with its name, and the FNV-1a sum of Triple-DES of
 * blocks there and back, or of streams of RC4, on random input that is the same each time. */
#include <cipherloom.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 1100

static uint64_t state, sum;

static void fill(unsigned char *bytes, size_t len)
{
    while (len-- > 0) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        *bytes++ = (unsigned char)(state >> 33);
    }
}

static void add(const unsigned char *bytes, size_t len)
{
    while (len-- > 0) sum = (sum ^ *bytes++) * 0x100000001b3u;
}

static void check(int error, const char *name)
{
    if (error == CL_OK) return;
    printf("%s: %s\n", name, cl_error_text(error));
    exit(1);
}

int main(void)
{
    static const size_t counts[] = {1, 2, 3, 4, 7, 33, 130, 300, 600, BLOCKS};
    static unsigned char bytes[8 * BLOCKS];
    const char *name;
    for (size_t n = 0; (name = cl_backend_name(n)) != NULL; n++) {
        unsigned char secret[24];
        cl_key *key;
        state = 1;
        sum = 0xcbf29ce484222325u;
        fill(secret, sizeof secret);
        check(cl_backend_self_test(name), name);
        check(cl_key_new(&key, CL_TDES_EDE3, secret, sizeof secret), name);
        int is_for_blocks = cl_key_set_backend(key, name) == CL_OK;
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            size_t len = 8 * counts[i];
            if (is_for_blocks) {
                fill(bytes, len);
                check(cl_encrypt_blocks(key, bytes, counts[i]), name);
                add(bytes, len);
                fill(bytes, len);
                check(cl_decrypt_blocks(key, bytes, counts[i]), name);
            } else {
                cl_rc4 *stream;
                fill(bytes, len);
                check(cl_rc4_new_by_backend(&stream, secret, 16, name), name);
                check(cl_rc4_apply(stream, bytes, len, bytes), name);
                cl_rc4_free(stream);
            }
            add(bytes, len);
        }
        cl_key_free(key);
        printf("%s %016" PRIx64 "\n", name, sum);
    }
    return 0;
}
