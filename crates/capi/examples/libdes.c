/* A program of the 1990s, written for libdes and RC4 of OpenSSL: it knows nothing of Cipherloom.
 *
 *   cc libdes.c -lcrypto                                              OpenSSL's functions
 *   cc -I.../include/cipherloom/compat libdes.c -lcipherloom ...      Cipherloom's
 *
 * Both print the same. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/des.h>
#include <openssl/rc4.h>
#include <stdio.h>
#include <string.h>

static const unsigned char text[] =
    "Now is the time for all good men to come to the aid of their country. "
    "The quick brown fox jumps over the lazy dog, and the dog does not mind at all.";

static void show(const char *name, const void *data, size_t len)
{
    const unsigned char *byte = data;
    printf("%-12s", name);
    while (len-- > 0) printf("%02x", *byte++);
    putchar('\n');
}

int main(void)
{
    static const DES_cblock iv = {0x12, 0x34, 0x56, 0x78, 0x90, 0xab, 0xcd, 0xef};
    DES_cblock key[3] = {{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef}}, chain, sum[4];
    DES_key_schedule ks[3], copy;
    unsigned char out[sizeof text + 8], back[sizeof text + 8];
    long len = sizeof text - 1;
    int num, bits;

    /* Keys: one given, two from a password. */
    DES_string_to_2keys("thread by thread", &key[1], &key[2]);
    for (int i = 0; i < 3; i++) {
        printf("key %d: parity %d, weak %d, set %d\n", i, DES_check_key_parity(&key[i]),
               DES_is_weak_key(&key[i]), DES_set_key_checked(&key[i], &ks[i]));
        show("schedule", &ks[i], DES_SCHEDULE_SZ);
    }
    copy = ks[0];

    /* A block, as bytes and as words. */
    DES_ecb_encrypt((const_DES_cblock *)text, (DES_cblock *)out, &copy, DES_ENCRYPT);
    show("ecb", out, DES_KEY_SZ);
    DES_ecb2_encrypt((const_DES_cblock *)out, (DES_cblock *)out, &ks[0], &ks[1], DES_DECRYPT);
    show("ecb2", out, DES_KEY_SZ);
    DES_LONG words[2] = {0x20776f4e, 0x74207369};
    DES_encrypt1(words, &ks[0], DES_ENCRYPT);
    printf("encrypt1    %08x %08x\n", words[0], words[1]);
    DES_encrypt2(words, &ks[1], DES_DECRYPT);
    DES_encrypt3(words, &ks[0], &ks[1], &ks[2]);
    printf("encrypt3    %08x %08x\n", words[0], words[1]);

    /* A message whose length is no multiple of 8, there and back. */
    memcpy(chain, iv, 8);
    DES_ncbc_encrypt(text, out, len, &ks[0], &chain, DES_ENCRYPT);
    show("ncbc", out, (size_t)(len + 7) / 8 * 8);
    show("next iv", chain, 8);
    memcpy(chain, iv, 8);
    DES_ncbc_encrypt(out, back, len, &ks[0], &chain, DES_DECRYPT);
    printf("ncbc back: %s\n", memcmp(back, text, (size_t)len) ? "differs" : "the same");

    memcpy(chain, iv, 8);
    DES_ede2_cbc_encrypt(text, out, len, &ks[0], &ks[1], &chain, DES_ENCRYPT);
    show("ede2 cbc", out, (size_t)(len + 7) / 8 * 8);
    memcpy(chain, iv, 8);
    DES_ede3_cbc_encrypt(text, out, len, &ks[0], &ks[1], &ks[2], &chain, DES_ENCRYPT);
    show("ede3 cbc", out, (size_t)(len + 7) / 8 * 8);
    DES_pcbc_encrypt(text, out, len, &ks[0], &chain, DES_ENCRYPT);
    show("pcbc", out, (size_t)(len + 7) / 8 * 8);
    DES_xcbc_encrypt(text, out, len, &ks[0], &chain, &key[1], &key[2], DES_ENCRYPT);
    show("xcbc", out, (size_t)(len + 7) / 8 * 8);

    /* Streams, in two pieces. */
    memcpy(chain, iv, 8);
    num = 0;
    DES_cfb64_encrypt(text, out, 13, &ks[0], &chain, &num, DES_ENCRYPT);
    DES_cfb64_encrypt(text + 13, out + 13, len - 13, &ks[0], &chain, &num, DES_ENCRYPT);
    show("cfb64", out, (size_t)len);
    DES_ede2_cfb64_encrypt(text, out, len, &ks[0], &ks[1], &chain, &num, DES_DECRYPT);
    show("ede2 cfb64", out, (size_t)len);
    DES_ede2_ofb64_encrypt(text, out, len, &ks[0], &ks[1], &chain, &num);
    show("ede2 ofb64", out, (size_t)len);
    printf("num %d\n", num);
    for (bits = 1; bits <= 64; bits += 9) {
        DES_cfb_encrypt(text, out, bits, 16, &ks[0], &chain, DES_ENCRYPT);
        DES_ofb_encrypt(out, out, bits, 2, &ks[0], &chain);
        show("cfb, ofb", out, 16);
    }

    /* Checksums and passwords. */
    printf("cksum       %08x\n", DES_cbc_cksum(text, &sum[0], len, &ks[0], &key[1]));
    printf("quad        %08x\n", DES_quad_cksum(text, sum, len, 4, &key[1]));
    show("quad", sum, sizeof sum);
    printf("crypt       %s\n", DES_crypt("correct horse", "ab"));

    RC4_KEY rc4;
    RC4_set_key(&rc4, 5, (const unsigned char *)"a key");
    RC4(&rc4, (size_t)len, text, out);
    show("rc4", out, (size_t)len);
    return 0;
}
