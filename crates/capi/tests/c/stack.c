/* What calls leave on the stack. Each runs on a stack of its own, with one key and with another: bytes that
 * are the same each time for either, and differ between them, were made from the key. */
#define _GNU_SOURCE
#include <cipherloom.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

enum { SIZE = 256 * 1024, RUNS = 8 };

/* Which key when. Addresses may grow from run to run, or two may take turns: they do not go with this. */
static const int keys[RUNS] = {0, 1, 1, 0, 1, 0, 0, 1};

static _Alignas(64) unsigned char stack[SIZE], left[RUNS][SIZE];
static int failures, checks;

/* All that the calls work on lies elsewhere. */
static unsigned char bytes[64], data[64], out[80], tag[8];
static cl_key *key, *other, *bundle;
static cl_message *message;
static cl_mac *mac;
static cl_rc4 *stream;
static size_t len;
static int error;
static const cl_mode cbc = {CL_CBC, CL_PKCS7, {1, 2, 3}};

#define DO(name, call)                                    \
    static void name(void)                                \
    {                                                     \
        error |= (call);                                  \
    }

static void free_all(void)
{
    cl_key_free(other), cl_message_free(message), cl_mac_free(mac), cl_rc4_free(stream);
    other = NULL, message = NULL, mac = NULL, stream = NULL;
}

DO(nothing, 0)
DO(key_new, cl_key_new(&other, CL_TDES_EDE3, bytes, 24))
DO(des_new, cl_key_new(&other, CL_DES, bytes, 8))
DO(desx_new, cl_key_new(&other, CL_DESX, bytes, 24))
DO(key_checked, cl_key_new_checked(&other, CL_TDES_EDE3, bytes, 24, CL_IGNORE_PARITY))
DO(key_copy, cl_key_copy(&other, key))
DO(set_policy, cl_key_set_policy(other, CL_CONSTANT_TIME))
DO(set_backend, cl_key_set_backend(other, "portable-bitslice"))
DO(encryptor_new, cl_encryptor_new(&message, key, &cbc))
DO(decryptor_new, cl_decryptor_new(&message, key, &cbc))
DO(message_finish, cl_message_finish(message, out, sizeof out, &len))
DO(cbc_mac, cl_mac_new_cbc(&mac, key, CL_ISO7816))
DO(cbc_mac_of_length, cl_mac_new_cbc_of_length(&mac, key, 64))
DO(retail_mac, cl_mac_new_retail(&mac, bundle, CL_ISO7816))
DO(retail_mac_of_length, cl_mac_new_retail_of_length(&mac, bundle, 64))
DO(cmac, cl_mac_new_cmac(&mac, key))
DO(mac_finish, cl_mac_finish(mac, tag))
DO(mac_verify, cl_mac_verify(mac, tag, 8) != CL_ERROR_TAG)
DO(rc4_new, cl_rc4_new(&stream, bytes, 16, CL_FASTEST))
DO(rc4_new_slow, cl_rc4_new(&stream, bytes, 16, CL_CONSTANT_TIME))
DO(rc4_new_by_backend, cl_rc4_new_by_backend(&stream, bytes, 16, "portable-rc4-loop"))
DO(rc4_apply, cl_rc4_apply(stream, data, sizeof data, out))
DO(key_free, (cl_key_free(other), other = NULL, 0))
DO(message_free, (cl_message_free(message), message = NULL, 0))
DO(mac_free, (cl_mac_free(mac), mac = NULL, 0))
DO(rc4_free, (cl_rc4_free(stream), stream = NULL, 0))

/* What comes before, and what is looked at. */
static const struct {
    const char *name;
    void (*before)(void), (*call)(void);
} calls[] = {
#define LOOK(before, call) {#call, before, call}
    LOOK(nothing, key_new),
    LOOK(nothing, des_new),
    LOOK(nothing, desx_new),
    LOOK(nothing, key_checked),
    LOOK(nothing, key_copy),
    LOOK(key_copy, set_policy),
    LOOK(key_copy, set_backend),
    LOOK(key_copy, key_free),
    LOOK(nothing, encryptor_new),
    LOOK(nothing, decryptor_new),
    LOOK(encryptor_new, message_finish),
    LOOK(encryptor_new, message_free),
    LOOK(nothing, cbc_mac),
    LOOK(nothing, cbc_mac_of_length),
    LOOK(nothing, retail_mac),
    LOOK(nothing, retail_mac_of_length),
    LOOK(nothing, cmac),
    LOOK(cmac, mac_finish),
    LOOK(cmac, mac_verify),
    LOOK(retail_mac, mac_finish),
    LOOK(cmac, mac_free),
    LOOK(nothing, rc4_new),
    LOOK(nothing, rc4_new_slow),
    LOOK(nothing, rc4_new_by_backend),
    LOOK(rc4_new, rc4_apply),
    LOOK(rc4_new, rc4_free),
};

/* A call that leaves its key, so that this program would see one. */
static void careless(void)
{
    volatile unsigned char copy[24];
    for (int n = 0; n < 24; n++) copy[n] = bytes[n];
    error |= copy[0] != bytes[0];
}

static void run(void (*before)(void), void (*call)(void), int key_number, unsigned char *result)
{
    static ucontext_t here, there;
    for (int n = 0; n < 64; n++)
        bytes[n] = (unsigned char)(key_number ? 11 * n + 90 : 37 * n + 3), data[n] = (unsigned char)n;
    memset(out, 0, sizeof out), memset(tag, 0, sizeof tag);
    cl_key_new(&key, CL_TDES_EDE3, bytes, 24);
    cl_key_new(&bundle, CL_TDES_EDE2, bytes, 16);
    before();
    memset(stack, 0xa5, SIZE);
    getcontext(&there);
    there.uc_stack.ss_sp = stack, there.uc_stack.ss_size = SIZE, there.uc_link = &here;
    makecontext(&there, call, 0);
    swapcontext(&here, &there);
    memcpy(result, stack, SIZE);
    free_all();
    cl_key_free(key), cl_key_free(bundle);
}

/* How many bytes of the stack tell the key; where they lie is shown. */
static int told(const char *name, void (*before)(void), void (*call)(void))
{
    run(before, call, 0, left[0]);
    for (int n = 0; n < RUNS; n++) run(before, call, keys[n], left[n]);
    int count = 0, used = 0;
    for (int n = 0; n < SIZE; n++) {
        unsigned char has[2] = {left[0][n], left[1][n]};
        int same = has[0] != has[1];
        for (int m = 2; m < RUNS; m++) same &= left[m][n] == has[keys[m]];
        used += has[0] != 0xa5;
        if (same && count++ < 8)
            printf("%s: %d bytes below the top: %02x, %02x\n", name, SIZE - n, has[0], has[1]);
    }
    if (used < 16) failures++, printf("%s: it did not run here\n", name);
    checks++;
    return count;
}

int main(void)
{
    if (told("careless, as it must be", nothing, careless) < 20) failures++, puts("a key was not seen");
    for (size_t n = 0; n < sizeof calls / sizeof *calls; n++) {
        int count = told(calls[n].name, calls[n].before, calls[n].call);
        if (count) failures++, printf("%s: %d bytes on the stack tell the key\n", calls[n].name, count);
    }
    if (error) failures++, printf("a call failed\n");
    printf("%d calls, %d wrong\n", checks, failures);
    return failures != 0;
}
