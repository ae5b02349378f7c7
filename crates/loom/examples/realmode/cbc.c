/*
 * DES in CBC by functions for real mode: the example of FIPS 81, there and back.
 *
 * Near functions, in the tiny and small models (with bcc, which the tests use):
 *
 *     loom emit --cpu 386-real --format as86-nasm --output des.asm \
 *         des_encrypt_table32_chain des_decrypt_table32
 *     nasm -f as86 -o des.o des.asm
 *     bcc -ansi -Md -o cbc.com cbc.c des.o
 *
 * Far functions, in any model, with -DFAR_CALLS: Borland's, Microsoft's and Watcom's compilers have
 * the words `far` and `cdecl`, and their linkers take Intel's object modules:
 *
 *     loom emit --cpu 386-real --abi far16 --format omf-nasm --output des.asm \
 *         des_encrypt_table32_chain des_decrypt_table32
 *     nasm -f obj -o des.obj des.asm
 */
#include <stdio.h>
#include <string.h>

typedef unsigned char byte;
typedef unsigned long word; /* 32 bits */

#ifdef FAR_CALLS
#define FUNCTION far cdecl
#define POINTER far *
#else
#define FUNCTION
#define POINTER *
#endif

/* `before` is the block before the first, the IV, and becomes the last one: a message may come in
   several pieces. */
extern void FUNCTION des_encrypt_table32_chain(
    byte POINTER data, unsigned count, word POINTER schedule, byte POINTER before);
/* Each block for itself. */
extern void FUNCTION des_decrypt_table32(byte POINTER data, unsigned count, word POINTER schedule);

/* FIPS 46-3's PC-1 and PC-2, and the places by which C and D move. */
static byte pc_1[56] = {
    57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18, 10, 2,  59, 51, 43,
    35, 27, 19, 11, 3,  60, 52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7,  62, 54,
    46, 38, 30, 22, 14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4
};
static byte pc_2[48] = {
    14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,
    26, 8,  16, 7,  27, 20, 13, 2,  41, 52, 31, 37, 47, 55, 30, 40,
    51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32
};
static byte moves[16] = { 1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1 };
/* The S-boxes, from 0 on, of the bytes of a round's two words, lowest byte first. */
static byte boxes[8] = { 7, 5, 3, 1, 6, 4, 2, 0 };

/*
 * The schedule of a key: two words a round, with six bits of the subkey in the upper bits of each byte;
 * the second word is rotated left by four. Decryption takes the same schedule. That of Triple-DES is
 * three of these, the second one, of KEY2, with its rounds in reverse order.
 */
static void set_key(word *schedule, byte *key, int reversed)
{
    byte c_d[56], next[56];
    int round, n, bit, place;

    for (n = 0; n < 56; n++) {
        place = pc_1[n] - 1;
        c_d[n] = key[place / 8] >> (7 - place % 8) & 1;
    }
    for (round = 0; round < 16; round++) {
        word *words = schedule + 2 * (reversed ? 15 - round : round);

        for (n = 0; n < 28; n++) {
            next[n] = c_d[(n + moves[round]) % 28];
            next[28 + n] = c_d[28 + (n + moves[round]) % 28];
        }
        memcpy(c_d, next, sizeof c_d);
        words[0] = words[1] = 0;
        for (n = 0; n < 8; n++) {
            word group = 0;

            for (bit = 0; bit < 6; bit++)
                group = group << 1 | c_d[pc_2[6 * boxes[n] + bit] - 1];
            words[n / 4] |= group << (8 * (n % 4) + 2);
        }
        words[1] = words[1] << 4 | words[1] >> 28;
    }
}

static void print(char *what, byte *data, int bytes)
{
    int n;

    printf("%s", what);
    for (n = 0; n < bytes; n++)
        printf("%02x", data[n]);
    printf("\n");
}

static byte key[8] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef };
static byte iv[8] = { 0x12, 0x34, 0x56, 0x78, 0x90, 0xab, 0xcd, 0xef };
static byte data[24];
static byte encrypted[24];
static byte before[8];
static word schedule[32];

int main()
{
    int n;

    memcpy(data, "Now is the time for all ", 24);
    set_key(schedule, key, 0);

    /* CBC encryption is a chain: in two pieces here. */
    memcpy(before, iv, 8);
    des_encrypt_table32_chain(data, 1, schedule, before);
    des_encrypt_table32_chain(data + 8, 2, schedule, before);
    print("encrypted ", data, 24);

    /* CBC decryption is blocks, each XORed with the encrypted one before. */
    memcpy(encrypted, data, 24);
    des_decrypt_table32(data, 3, schedule);
    for (n = 0; n < 24; n++)
        data[n] ^= n < 8 ? iv[n] : encrypted[n - 8];
    print("decrypted ", data, 24);
    return memcmp(data, "Now is the time for all ", 24) != 0;
}
