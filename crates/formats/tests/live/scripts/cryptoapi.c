/* Questions on standard input: direction, digest/cipher, password, nothing, text, in hex behind the first two. */
#include <windows.h>
#include <wincrypt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static DWORD bytes(const char *digits, BYTE *out) {
    DWORD count = 0;
    unsigned byte;
    for (; sscanf(digits, "%2x", &byte) == 1; digits += 2)
        out[count++] = (BYTE)byte;
    return count;
}

static ALG_ID cipher(const char *name) {
    return !strcmp(name, "des") ? CALG_DES : !strcmp(name, "3des") ? CALG_3DES : CALG_RC4;
}

int main(void) {
    static char line[65536], direction[16], what[32], password[512], text[32768];
    static BYTE buffer[32768];
    HCRYPTPROV provider;
    if (!CryptAcquireContextA(&provider, NULL, MS_ENHANCED_PROV_A, PROV_RSA_FULL, CRYPT_VERIFYCONTEXT))
        return 1;
    while (fgets(line, sizeof line, stdin)) {
        HCRYPTHASH hash;
        HCRYPTKEY key;
        text[0] = 0;
        /* What stands between two spaces is empty: the salt. */
        if (sscanf(line, "%15s %31s %511s  %32767s", direction, what, password, text) < 3)
            return 2;
        char *name = strchr(what, '/');
        *name++ = 0;
        DWORD length = bytes(password, buffer);
        if (!CryptCreateHash(provider, strcmp(what, "md5") ? CALG_SHA1 : CALG_MD5, 0, 0, &hash)
            || !CryptHashData(hash, buffer, length, 0)
            || !CryptDeriveKey(provider, cipher(name), hash, 0, &key))
            return 3;
        length = bytes(text, buffer);
        BOOL done = strcmp(direction, "encrypt")
            ? CryptDecrypt(key, 0, TRUE, 0, buffer, &length)
            : CryptEncrypt(key, 0, TRUE, 0, buffer, &length, sizeof buffer);
        if (!done)
            return 4;
        for (DWORD at = 0; at < length; at++)
            printf("%02x", buffer[at]);
        printf("\n");
        CryptDestroyKey(key);
        CryptDestroyHash(hash);
    }
    return 0;
}
