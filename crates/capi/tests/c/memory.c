/* The library's own use of memory. It is linked with --wrap, so that its allocator is the one below:
 * each allocation in turn fails, which must be answered by CL_ERROR_MEMORY, and nothing may be lost;
 * and memory that goes back must be the same whatever the key was. */
#include <cipherloom.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define TRUE(condition)                                                \
    do {                                                               \
        if (!(condition)) failures++, printf("line %d: %s\n", __LINE__, #condition); \
    } while (0)

/* ---- The allocator ---- */

/* The allocation that fails, from 1; 0: none. Those that came, and those that were not given back. */
static long failing, allocations, live;
/* A sum over all memory that was given back: a word depends on its place and on the block's number. */
static unsigned long long given_back, frees;

static int is_refused(void)
{
    return ++allocations == failing;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_posix_memalign(void **place, size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_posix_memalign(void **place, size_t alignment, size_t size);
void __wrap_free(void *block);

void *__wrap_malloc(size_t size)
{
    void *block = is_refused() ? NULL : __real_malloc(size);
    if (block) live++, memset(block, 0, malloc_usable_size(block));
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = is_refused() ? NULL : __real_calloc(count, size);
    live += block != NULL;
    return block;
}

static void look(void *block)
{
    frees++;
    unsigned char *bytes = block;
    for (size_t n = 0; n < malloc_usable_size(block); n++)
        given_back = (given_back ^ bytes[n] ^ frees) * 1099511628211ULL;
}

/* What was grown is looked at as if it had gone back: its old place has. */
void *__wrap_realloc(void *old, size_t size)
{
    if (is_refused()) return NULL;
    if (old) look(old);
    else live++;
    return __real_realloc(old, size);
}

int __wrap_posix_memalign(void **place, size_t alignment, size_t size)
{
    if (is_refused()) return 12; /* ENOMEM */
    int error = __real_posix_memalign(place, alignment, size);
    if (!error) live++, memset(*place, 0, malloc_usable_size(*place));
    return error;
}

void __wrap_free(void *block)
{
    if (!block) return;
    look(block);
    live--;
    __real_free(block);
}

/* ---- Everything that allocates ---- */

static const unsigned char *bytes; /* of keys, 64 of them */
static cl_key *des, *ede2;

static const cl_mode cbc = {CL_CBC, CL_PKCS7, {1, 2, 3}};

static int new_key(void)
{
    cl_key *key = des;
    int error = cl_key_new(&key, CL_TDES_EDE3, bytes, 24);
    TRUE((key == NULL) == (error != 0));
    if (!error) TRUE(!cl_key_set_policy(key, CL_CONSTANT_TIME));
    cl_key_free(key);
    return error;
}

static int checked_key(void)
{
    cl_key *key = des;
    int error = cl_key_new_checked(&key, CL_TDES_EDE3, bytes, 24, CL_IGNORE_PARITY);
    TRUE((key == NULL) == (error != 0));
    if (!error) TRUE(!cl_key_set_backend(key, "portable-bitslice"));
    cl_key_free(key);
    return error;
}

static int copied_key(void)
{
    cl_key *key = des;
    int error = cl_key_copy(&key, ede2);
    TRUE((key == NULL) == (error != 0));
    cl_key_free(key);
    return error;
}

static int message(int (*begin)(cl_message **, const cl_key *, const cl_mode *), int ends)
{
    unsigned char data[40] = {0};
    cl_message *message = (cl_message *)des;
    int error = begin(&message, ede2, &cbc);
    TRUE((message == NULL) == (error != 0));
    if (!error) TRUE(!cl_message_update(message, bytes, 19, data, 40, NULL));
    if (!error && ends) cl_message_finish(message, data, 40, NULL);
    cl_message_free(message);
    return error;
}

static int encryptor(void) { return message(cl_encryptor_new, 1); }
static int decryptor(void) { return message(cl_decryptor_new, 1); }
static int left_encryptor(void) { return message(cl_encryptor_new, 0); }
static int left_decryptor(void) { return message(cl_decryptor_new, 0); }

static int use_mac(cl_mac *mac, int error, int ends)
{
    unsigned char tag[8];
    TRUE((mac == NULL) == (error != 0));
    if (!error) TRUE(!cl_mac_update(mac, bytes, 19));
    if (!error && ends == 1) TRUE(!cl_mac_finish(mac, tag));
    if (!error && ends == 2) TRUE(cl_mac_verify(mac, "not this", 8) == CL_ERROR_TAG);
    cl_mac_free(mac);
    return error;
}

static int cbc_mac(void)
{
    cl_mac *mac = (cl_mac *)des;
    int error = cl_mac_new_cbc(&mac, ede2, CL_ISO7816);
    return use_mac(mac, error, 1);
}

static int retail_mac(void)
{
    cl_mac *mac = (cl_mac *)des;
    int error = cl_mac_new_retail(&mac, ede2, CL_ISO7816);
    return use_mac(mac, error, 2);
}

static int cmac(void)
{
    cl_mac *mac = (cl_mac *)des;
    int error = cl_mac_new_cmac(&mac, ede2);
    return use_mac(mac, error, 0);
}

static int stream(void)
{
    unsigned char data[40];
    cl_rc4 *stream = (cl_rc4 *)des;
    int error = cl_rc4_new(&stream, bytes, 16, CL_FASTEST);
    TRUE((stream == NULL) == (error != 0));
    if (!error) TRUE(!cl_rc4_apply(stream, bytes, 19, data));
    cl_rc4_free(stream);
    return error;
}

static int slow_stream(void)
{
    cl_rc4 *stream = (cl_rc4 *)des;
    int error = cl_rc4_new_by_backend(&stream, bytes, 16, "portable-rc4-scan");
    TRUE((stream == NULL) == (error != 0));
    cl_rc4_free(stream);
    return error;
}

static const cl_batch work = {CL_DES, CL_CBC, CL_PKCS7, CL_FASTEST, NULL};

static int records(void)
{
    unsigned char data[3][16] = {{0}};
    cl_record records[3];
    for (int n = 0; n < 3; n++) {
        cl_record record = {bytes + 8 * n, 8, bytes, 8, data[n], 8, 16, 77, 77};
        records[n] = record;
    }
    int error = cl_batch_encrypt(&work, records, 3);
    for (int n = 0; n < 3; n++) TRUE(records[n].result_len == (error ? 77 : 16));
    TRUE((data[0][0] == 0) == (error != 0));
    return error;
}

static int spans(void)
{
    unsigned char data[48] = {0};
    cl_span spans[3] = {{0, 8, 16, 77, 77}, {16, 8, 16, 77, 77}, {32, 8, 16, 77, 77}};
    cl_flat flat = {bytes, 8, 3, bytes, 24, data, 48, spans, 3};
    int error = cl_batch_encrypt_flat(&work, &flat);
    for (int n = 0; n < 3; n++) TRUE(spans[n].result_len == (error ? 77 : 16));
    TRUE((data[0] == 0) == (error != 0));
    return error;
}

static int names(void)
{
    TRUE(cl_backend_name(0) && cl_backend_for(CL_DES, 1, CL_FASTEST) && cl_error_text(5));
    return 0;
}

static int (*const calls[])(void) = {
    names,   new_key,    checked_key, copied_key, encryptor, decryptor, left_encryptor, left_decryptor,
    cbc_mac, retail_mac, cmac,        stream,     slow_stream, records, spans,
};

int main(void)
{
    static unsigned char keys[2][64];
    for (int n = 0; n < 64; n++) keys[0][n] = (unsigned char)(7 * n + 1), keys[1][n] = (unsigned char)(11 * n + 90);
    int failed = 0;
    for (size_t n = 0; n < sizeof calls / sizeof *calls; n++) {
        /* Each allocation in turn is refused. `names` comes first: it needs none. */
        bytes = keys[0];
        TRUE(!cl_key_new(&des, CL_DES, bytes, 8) && !cl_key_new(&ede2, CL_TDES_EDE2, bytes, 16));
        long before = live;
        for (long which = 1;; which++) {
            allocations = 0, failing = which;
            int error = calls[n]();
            failing = 0;
            TRUE(live == before);
            if (allocations < which) {
                TRUE(error == CL_OK);
                TRUE((which > 1) == (calls[n] != names));
                break;
            }
            if (error != CL_ERROR_MEMORY) failures++, printf("call %zu, allocation %ld: %d\n", n, which, error);
            failed++;
        }
        cl_key_free(des), cl_key_free(ede2);
        /* All that goes back is the same for two keys. */
        unsigned long long sums[2];
        for (int key = 0; key < 2; key++) {
            bytes = keys[key], given_back = 0, frees = 0;
            TRUE(!cl_key_new(&des, CL_DES, bytes, 8) && !cl_key_new(&ede2, CL_TDES_EDE2, bytes, 16));
            calls[n]();
            cl_key_free(des), cl_key_free(ede2);
            TRUE(frees > 2 || calls[n] == names);
            sums[key] = given_back;
        }
        if (sums[0] != sums[1]) failures++, printf("call %zu: freed memory tells the key\n", n);
    }
    printf("%d allocations failed, %d wrong\n", failed, failures);
    return failures != 0;
}
