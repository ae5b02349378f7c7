/* Every function of <cipherloom/des.h> and <cipherloom/rc4.h> beside libcrypto's, in one program:
 * on random input, both get memory with the same content, and all of it must be the same after.
 *
 * usage: differential ROUNDS SEED; prints how many calls of each function agreed. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <cipherloom/des.h>
#include <cipherloom/rc4.h>
#include <openssl/des.h>
#include <openssl/rc4.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint32_t random32(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state ^ state >> 31) >> 16);
}

static uint32_t below(uint32_t n) { return random32() % n; }

static void fill(void *place, size_t len)
{
    unsigned char *byte = place;
    while (len-- > 0) *byte++ = (unsigned char)random32();
}

/* What one library works on; the two start with the same bytes. */
#define ROOM 5000
struct side {
    unsigned char data[2 * ROOM]; /* input in the first half; the output there or in the second */
    unsigned char iv[8], in_whitening[8], out_whitening[8], keys[3][8];
    uint32_t words[2];
    DES_key_schedule schedules[3];
    long result;
    int num;
};
static struct side theirs, ours;

static unsigned long calls;

static void agree(const char *function, long a, long b, long c)
{
    calls++;
    if (memcmp(&theirs, &ours, sizeof ours) == 0) return;
    printf("%s differs (%ld, %ld, %ld)\n", function, a, b, c);
    for (size_t i = 0; i < sizeof ours; i++) {
        unsigned x = ((unsigned char *)&theirs)[i], y = ((unsigned char *)&ours)[i];
        if (x != y) {
            printf("at byte %zu of a side: %02x, not %02x\n", i, y, x);
            break;
        }
    }
    exit(1);
}

/* Runs a call for either side with its own names and `s`. */
#define BOTH(name, ...)                                                                            \
    do {                                                                                           \
        struct side *s = &theirs;                                                                  \
        name(, __VA_ARGS__);                                                                       \
        s = &ours;                                                                                 \
        name(cl_, __VA_ARGS__);                                                                    \
    } while (0)

#define K(n) ((void *)&s->schedules[n])
#define IV ((void *)s->iv)
#define IN (s->data + in)
#define OUT (s->data + out)

static void one_round(void)
{
    memset(&theirs, 0, sizeof theirs);
    fill(&theirs, sizeof theirs);
    theirs.result = theirs.num = 0;
    /* Schedules of keys, and now and then one that no key has. */
    for (int i = 0; i < 3; i++) DES_set_key_unchecked(&theirs.keys[i], &theirs.schedules[i]);
    if (below(8) == 0)
        theirs.schedules[below(3)].ks[below(16)].deslong[below(2)] ^= 1u << below(32);
    ours = theirs;

    long len = below(10) < 7 ? below(120) : below(ROOM - 40);
    size_t in = below(16), out = below(3) ? in : ROOM + below(16);
    int enc = (int)below(2);

#define blocks(P, _)                                                                               \
    P##DES_encrypt1(s->words, K(0), enc);                                                          \
    P##DES_encrypt2(s->words, K(1), enc);                                                          \
    P##DES_encrypt3(s->words, K(0), K(1), K(2));                                                   \
    P##DES_decrypt3(s->words, K(1), K(0), K(2));                                                   \
    P##DES_ecb_encrypt((void *)IN, (void *)OUT, K(0), enc);                                        \
    P##DES_ecb3_encrypt((void *)IN, (void *)OUT, K(0), K(1), K(2), enc)
    BOTH(blocks, 0);
    agree("single blocks", enc, 0, 0);

#define cbc(P, f)                                                                                  \
    P##f(IN, OUT, len, K(0), IV, enc)
    BOTH(cbc, DES_cbc_encrypt);
    agree("DES_cbc_encrypt", len, enc, in == out);
    BOTH(cbc, DES_ncbc_encrypt);
    agree("DES_ncbc_encrypt", len, enc, in == out);
    BOTH(cbc, DES_pcbc_encrypt);
    agree("DES_pcbc_encrypt", len, enc, in == out);
#define xcbc(P, f)                                                                                 \
    P##f(IN, OUT, len, K(0), IV, (void *)s->in_whitening, (void *)s->out_whitening, enc)
    BOTH(xcbc, DES_xcbc_encrypt);
    agree("DES_xcbc_encrypt", len, enc, in == out);
#define cbc3(P, f)                                                                                 \
    P##f(IN, OUT, len, K(0), K(1), K(2), IV, enc)
    BOTH(cbc3, DES_ede3_cbc_encrypt);
    agree("DES_ede3_cbc_encrypt", len, enc, in == out);

    int num = theirs.num = ours.num = (int)below(8);
#define cfb64(P, f)                                                                                \
    P##f(IN, OUT, len, K(0), IV, &s->num, enc)
    BOTH(cfb64, DES_cfb64_encrypt);
    agree("DES_cfb64_encrypt", len, enc, num);
#define ofb64(P, f)                                                                                \
    P##f(IN, OUT, len, K(0), IV, &s->num)
    BOTH(ofb64, DES_ofb64_encrypt);
    agree("DES_ofb64_encrypt", len, num, 0);
#define cfb643(P, f)                                                                               \
    P##f(IN, OUT, len, K(0), K(1), K(2), IV, &s->num, enc)
    BOTH(cfb643, DES_ede3_cfb64_encrypt);
    agree("DES_ede3_cfb64_encrypt", len, enc, num);
#define ofb643(P, f)                                                                               \
    P##f(IN, OUT, len, K(0), K(1), K(2), IV, &s->num)
    BOTH(ofb643, DES_ede3_ofb64_encrypt);
    agree("DES_ede3_ofb64_encrypt", len, num, 0);

    int bits = below(4) ? 1 + (int)below(64) : 8 * (1 + (int)below(8));
    if (below(8) == 0) bits = 8;
    if (below(40) == 0) bits = 65; /* Of 0 OpenSSL makes an endless loop. */
#define cfb(P, f)                                                                                  \
    P##f(IN, OUT, bits, len, K(0), IV, enc)
    BOTH(cfb, DES_cfb_encrypt);
    agree("DES_cfb_encrypt", bits, len, enc);
#define ofb(P, f)                                                                                  \
    P##f(IN, OUT, bits, len / 8, K(0), IV)
    BOTH(ofb, DES_ofb_encrypt);
    agree("DES_ofb_encrypt", bits, len, 0);
#define cfb3(P, f)                                                                                 \
    P##f(IN, OUT, bits, len, K(0), K(1), K(2), IV, enc)
    BOTH(cfb3, DES_ede3_cfb_encrypt);
    agree("DES_ede3_cfb_encrypt", bits, len, enc);

#define cksum(P, f)                                                                                \
    s->result = (long)P##f(IN, no_output ? NULL : (void *)OUT, len, K(0), IV)
    int no_output = below(4) == 0;
    BOTH(cksum, DES_cbc_cksum);
    agree("DES_cbc_cksum", len, 0, 0);
    int count = (int)below(7) - 1;
#define quad(P, f)                                                                                 \
    s->result = (long)P##f(IN, no_output ? NULL : (void *)(s->data + ROOM), len, count, IV)
    BOTH(quad, DES_quad_cksum);
    agree("DES_quad_cksum", len, count, 0);
}

static void keys(void)
{
    static const char weak[][17] = {
        "0101010101010101", "fefefefefefefefe", "e0e0e0e0f1f1f1f1", "1f1f1f1f0e0e0e0e",
        "01fe01fe01fe01fe", "fe01fe01fe01fe01", "1fe01fe00ef10ef1", "e01fe01ff10ef10e",
        "01e001e001f101f1", "e001e001f101f101", "1ffe1ffe0efe0efe", "fe1ffe1ffe0efe0e",
        "011f011f010e010e", "1f011f010e010e01", "e0fee0fef1fef1fe", "fee0fee0fef1fef1",
    };
    static const struct side zero;
    theirs = ours = zero;
    fill(theirs.keys, sizeof theirs.keys);
    if (below(4) == 0) {
        unsigned n = below(16);
        for (int i = 0; i < 8; i++) {
            unsigned byte;
            sscanf(&weak[n][2 * i], "%2x", &byte);
            theirs.keys[0][i] = (unsigned char)byte;
        }
        if (below(2)) theirs.keys[0][below(8)] ^= (unsigned char)(1u << below(8));
    }
    if (below(2)) DES_set_odd_parity(&theirs.keys[0]);
    ours = theirs;
#define key(P, _)                                                                                  \
    s->result = P##DES_set_key((void *)s->keys[0], K(0));                                          \
    s->result = 10 * s->result + P##DES_key_sched((void *)s->keys[0], K(1));                       \
    s->result = 10 * s->result + P##DES_set_key_checked((void *)s->keys[0], K(2));                 \
    s->result = 10 * s->result + P##DES_is_weak_key((void *)s->keys[0]);                           \
    s->result = 10 * s->result + P##DES_check_key_parity((void *)s->keys[0])
    BOTH(key, 0);
    agree("keys, checked", theirs.result, ours.result, 0);
#define unchecked(P, _)                                                                            \
    P##DES_set_key_unchecked((void *)s->keys[0], K(0));                                            \
    P##DES_set_odd_parity((void *)s->keys[1])
    BOTH(unchecked, 0);
    agree("keys, unchecked", 0, 0, 0);

    char text[100] = {0};
    size_t len = below(4) ? below(40) : below(99);
    for (size_t i = 0; i < len; i++) text[i] = (char)(1 + below(255));
#define strings(P, _)                                                                              \
    P##DES_string_to_key(text, (void *)s->keys[0]);                                                \
    P##DES_string_to_2keys(text, (void *)s->keys[1], (void *)s->keys[2])
    BOTH(strings, 0);
    agree("keys of passwords", (long)len, 0, 0);

    static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    char salt[3] = {digits[below(64)], digits[below(64)], 0};
#define crypts(P, _)                                                                               \
    strcpy((char *)s->data, P##DES_fcrypt(text, salt, (char *)s->data + 20));                      \
    strcpy((char *)s->data + 40, P##DES_crypt(text, salt))
    BOTH(crypts, 0);
    agree("Unix passwords", (long)len, 0, 0);

    /* Random keys are no key twice, and of the right kind. */
    cl_DES_cblock made[2];
    if (cl_DES_random_key(&made[0]) != 1 || cl_DES_random_key(&made[1]) != 1 ||
        memcmp(made[0], made[1], 8) == 0 || !DES_check_key_parity(&made[0]) ||
        DES_is_weak_key(&made[0])) {
        puts("DES_random_key");
        exit(1);
    }
}

static void rc4(void)
{
    static unsigned char key[300], input[ROOM], out1[ROOM], out2[ROOM];
    RC4_KEY their_key;
    cl_RC4_KEY our_key, copy;
    int len = 1 + (int)below(280);
    fill(key, sizeof key);
    fill(input, sizeof input);
    RC4_set_key(&their_key, len, key);
    cl_RC4_set_key(&our_key, len, key);
    for (size_t at = 0; at < ROOM;) {
        size_t piece = below(3) ? below(40) : below(1500);
        if (piece > ROOM - at) piece = ROOM - at;
        RC4(&their_key, piece, input + at, out1 + at);
        /* A state may be copied, and input and output be the same. */
        copy = our_key;
        memcpy(out2 + at, input + at, piece);
        cl_RC4(&copy, piece, below(2) ? input + at : out2 + at, out2 + at);
        our_key = copy;
        at += piece;
    }
    if (memcmp(out1, out2, ROOM) != 0) {
        printf("RC4 differs, key of %d bytes\n", len);
        exit(1);
    }
    calls++;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    if (sizeof(cl_DES_key_schedule) != sizeof(DES_key_schedule) ||
        sizeof(cl_RC4_KEY) != sizeof(RC4_KEY))
        return 3;
    long rounds = atol(argv[1]);
    state = (uint64_t)atol(argv[2]);
    for (long i = 0; i < rounds; i++) {
        one_round();
        keys();
        if (i % 8 == 0) rc4();
    }
    printf("%lu comparisons agree; %s, %s\n", calls, cl_DES_options(), cl_RC4_options());
    return 0;
}
