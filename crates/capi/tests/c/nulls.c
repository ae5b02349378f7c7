/* Every function of <cipherloom/des.h> and <cipherloom/rc4.h> with each of its pointers null in turn,
 * at lengths around blocks: each call must end its process by abort() with one line, and do nothing
 * else; without a null pointer it must return. */
#define _GNU_SOURCE
#include <cipherloom/des.h>
#include <cipherloom/rc4.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static cl_DES_key_schedule schedules[3];
static unsigned char input[256] = "a password", output[256], iv[8];
static unsigned char other[8] = {1, 35, 69, 103, 137, 171, 205, 239};
static cl_DES_LONG words[2];
static cl_RC4_KEY rc4;
static int num;

/* The pointers of a call, its length and whether it encrypts. */
static void *p[6];
static int len, enc;

#define K(n) ((cl_DES_key_schedule *)p[n])
#define B(n) ((cl_DES_cblock *)p[n])

static void set_key(void) { cl_DES_set_key(B(0), K(1)); }
static void key_sched(void) { cl_DES_key_sched(B(0), K(1)); }
static void set_key_checked(void) { cl_DES_set_key_checked(B(0), K(1)); }
static void set_key_unchecked(void) { cl_DES_set_key_unchecked(B(0), K(1)); }
static void is_weak_key(void) { cl_DES_is_weak_key(B(0)); }
static void check_key_parity(void) { cl_DES_check_key_parity(B(0)); }
static void set_odd_parity(void) { cl_DES_set_odd_parity(B(0)); }
static void random_key(void) { cl_DES_random_key(B(0)); }
static void string_to_key(void) { cl_DES_string_to_key(p[0], B(1)); }
static void string_to_2keys(void) { cl_DES_string_to_2keys(p[0], B(1), B(2)); }
static void encrypt1(void) { cl_DES_encrypt1(p[0], K(1), enc); }
static void encrypt2(void) { cl_DES_encrypt2(p[0], K(1), enc); }
static void encrypt3(void) { cl_DES_encrypt3(p[0], K(1), K(2), K(3)); }
static void decrypt3(void) { cl_DES_decrypt3(p[0], K(1), K(2), K(3)); }
static void ecb(void) { cl_DES_ecb_encrypt(B(0), B(1), K(2), enc); }
static void ecb3(void) { cl_DES_ecb3_encrypt(B(0), B(1), K(2), K(3), K(4), enc); }
static void cbc(void) { cl_DES_cbc_encrypt(p[0], p[1], len, K(2), B(3), enc); }
static void ncbc(void) { cl_DES_ncbc_encrypt(p[0], p[1], len, K(2), B(3), enc); }
static void pcbc(void) { cl_DES_pcbc_encrypt(p[0], p[1], len, K(2), B(3), enc); }
static void xcbc(void) { cl_DES_xcbc_encrypt(p[0], p[1], len, K(2), B(3), B(4), B(5), enc); }
static void cbc3(void) { cl_DES_ede3_cbc_encrypt(p[0], p[1], len, K(2), K(3), K(4), B(5), enc); }
static void cfb64(void) { cl_DES_cfb64_encrypt(p[0], p[1], len, K(2), B(3), p[4], enc); }
static void ofb64(void) { cl_DES_ofb64_encrypt(p[0], p[1], len, K(2), B(3), p[4]); }
static void cfb643(void) { cl_DES_ede3_cfb64_encrypt(p[0], p[1], len, K(2), K(3), K(4), B(5), &num, enc); }
static void ofb643(void) { cl_DES_ede3_ofb64_encrypt(p[0], p[1], len, K(2), K(3), K(4), B(5), &num); }
static void cfb8(void) { cl_DES_cfb_encrypt(p[0], p[1], 8, len, K(2), B(3), enc); }
static void cfb1(void) { cl_DES_cfb_encrypt(p[0], p[1], 1, len, K(2), B(3), enc); }
static void ofb8(void) { cl_DES_ofb_encrypt(p[0], p[1], 8, len, K(2), B(3)); }
static void cfb83(void) { cl_DES_ede3_cfb_encrypt(p[0], p[1], 8, len, K(2), K(3), K(4), B(5), enc); }
static void cbc_cksum(void) { cl_DES_cbc_cksum(p[0], (cl_DES_cblock *)output, len, K(1), B(2)); }
static void quad_cksum(void) { cl_DES_quad_cksum(p[0], NULL, len, 4, B(1)); }
static void des_fcrypt(void) { cl_DES_fcrypt(p[0], "ab", p[1]); }
static void des_crypt(void) { cl_DES_crypt(p[0], "ab"); }
static void salt(void) { cl_DES_crypt("password", p[0]); }
static void rc4_set_key(void) { cl_RC4_set_key(p[0], len, p[1]); }
static void rc4_apply(void) { cl_RC4(p[2], (size_t)len, p[0], p[1]); }

static const struct {
    const char *name;
    void (*call)(void);
    void *p[6];
    int has_length;
} calls[] = {
#define CALL(name, has_length, ...) {#name, name, {__VA_ARGS__}, has_length}
#define ONE schedules
#define THREE schedules, schedules + 1, schedules + 2
    CALL(set_key, 0, other, ONE),
    CALL(key_sched, 0, other, ONE),
    CALL(set_key_checked, 0, other, ONE),
    CALL(set_key_unchecked, 0, other, ONE),
    CALL(is_weak_key, 0, other),
    CALL(check_key_parity, 0, other),
    CALL(set_odd_parity, 0, other),
    CALL(random_key, 0, other),
    CALL(string_to_key, 0, input, output),
    CALL(string_to_2keys, 0, input, output, other),
    CALL(encrypt1, 0, words, ONE),
    CALL(encrypt2, 0, words, ONE),
    CALL(encrypt3, 0, words, THREE),
    CALL(decrypt3, 0, words, THREE),
    CALL(ecb, 0, input, output, ONE),
    CALL(ecb3, 0, input, output, THREE),
    CALL(cbc, 1, input, output, ONE, iv),
    CALL(ncbc, 1, input, output, ONE, iv),
    CALL(pcbc, 1, input, output, ONE, iv),
    CALL(xcbc, 1, input, output, ONE, iv, other, other),
    CALL(cbc3, 1, input, output, THREE, iv),
    CALL(cfb64, 1, input, output, ONE, iv, &num),
    CALL(ofb64, 1, input, output, ONE, iv, &num),
    CALL(cfb643, 1, input, output, THREE, iv),
    CALL(ofb643, 1, input, output, THREE, iv),
    CALL(cfb8, 1, input, output, ONE, iv),
    CALL(cfb1, 1, input, output, ONE, iv),
    CALL(ofb8, 1, input, output, ONE, iv),
    CALL(cfb83, 1, input, output, THREE, iv),
    CALL(cbc_cksum, 1, input, ONE, iv),
    CALL(quad_cksum, 1, input, iv),
    CALL(des_fcrypt, 0, input, output),
    CALL(des_crypt, 0, input),
    CALL(salt, 0, input),
    CALL(rc4_set_key, 1, &rc4, input),
    CALL(rc4_apply, 1, input, output, &rc4),
};

static const int lengths[] = {1, 7, 8, 9, 15, 16, 17, 64, 71};
static int failures, ends;

/* Runs the call in a process of its own; gives its status, and what it said in `said`. */
static int status_of(void (*call)(void), char *said, size_t room)
{
    int pipes[2], status;
    if (pipe(pipes)) exit(2);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], 2);
        call();
        _exit(0);
    }
    close(pipes[1]);
    ssize_t count, all = 0;
    while ((count = read(pipes[0], said + all, room - 1 - (size_t)all)) > 0) all += count;
    said[all] = 0;
    close(pipes[0]);
    waitpid(child, &status, 0);
    return status;
}

static void check(size_t n, int null)
{
    char said[200];
    memcpy(p, calls[n].p, sizeof p);
    if (null >= 0) p[null] = NULL;
    int status = status_of(calls[n].call, said, sizeof said);
    char *end = strchr(said, '\n');
    int aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT
               && strncmp(said, "cipherloom: ", 12) == 0 && end && end[1] == 0;
    if (null < 0 ? status != 0 : !aborted)
        failures++, printf("%s, pointer %d, %d bytes, enc %d: status %d, %s\n", calls[n].name, null, len, enc, status, said);
    ends++;
}

int main(void)
{
    cl_RC4_set_key(&rc4, 8, input);
    for (size_t n = 0; n < sizeof calls / sizeof *calls; n++)
        for (enc = 0; enc < 2; enc++)
            for (size_t l = 0; l < (calls[n].has_length ? sizeof lengths / sizeof *lengths : 1); l++) {
                len = lengths[l];
                check(n, -1);
                for (int null = 0; null < 6 && calls[n].p[null]; null++) check(n, null);
            }
    printf("%d calls, %d wrong\n", ends, failures);
    return failures != 0;
}
