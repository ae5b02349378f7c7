/* One key, and one DES_key_schedule, used by many threads at once; each has its own messages. The
 * first calls race for the self-tests. */
#define _POSIX_C_SOURCE 200809L
#include <cipherloom.h>
#include <cipherloom/des.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define THREADS 8
#define LEN 4096

static cl_key *key;
static cl_DES_key_schedule schedule;
static pthread_mutex_t together = PTHREAD_MUTEX_INITIALIZER;
static unsigned char first[2][LEN + 8];
static int has_first, wrong;

static void *work(void *argument)
{
    unsigned char plain[LEN], cipher[2][LEN + 8], back[LEN + 8];
    cl_mode mode = {CL_CBC, CL_PKCS7, {1, 2, 3, 4, 5, 6, 7, 8}};
    int errors = 0;
    (void)argument;
    for (int i = 0; i < LEN; i++) plain[i] = (unsigned char)(i * 7 + (i >> 8));
    for (int round = 0; round < 20; round++) {
        size_t len = 0, part = 0;
        cl_message *message;
        errors += cl_encryptor_new(&message, key, &mode) != CL_OK;
        for (size_t at = 0; at < LEN; at += 512, len += part)
            errors += cl_message_update(message, plain + at, 512, cipher[0] + len, 520, &part) != CL_OK;
        errors += cl_message_finish(message, cipher[0] + len, 8, &part) != CL_OK;
        cl_message_free(message);
        len += part;
        errors += len != LEN + 8;
        errors += cl_decrypt(key, &mode, cipher[0], len, back, sizeof back, &part) != CL_OK;
        errors += part != LEN || memcmp(plain, back, LEN) != 0;

        cl_DES_cblock iv = {1, 2, 3, 4, 5, 6, 7, 8};
        memset(cipher[1], 0, sizeof cipher[1]);
        cl_DES_ncbc_encrypt(plain, cipher[1], LEN, &schedule, &iv, 1);
        errors += memcmp(cipher[0], cipher[1], LEN) != 0;

        pthread_mutex_lock(&together);
        if (!has_first) memcpy(first, cipher, sizeof first);
        has_first = 1;
        errors += memcmp(first, cipher, sizeof first) != 0;
        wrong += errors;
        pthread_mutex_unlock(&together);
        errors = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned char bytes[8] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
    if (cl_key_new(&key, CL_DES, bytes, 8)) return 2;
    cl_DES_set_key_unchecked(&bytes, &schedule);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL)) return 3;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    cl_key_free(key);
    printf("%d threads, %d wrong\n", THREADS, wrong);
    return wrong != 0;
}
