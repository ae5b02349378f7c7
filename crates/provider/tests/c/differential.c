/* Random calls of EVP, each made of OpenSSL's own cipher and of ours: results, lengths, IVs, positions and
 * errors must be the same. Usage: differential ROUNDS SEED */
#include "support.h"

/* Input and output of a call, with bytes in front and behind that must not change. */
enum { ROOM = 40000, MARGIN = 64 };
static unsigned char input[ROOM], theirs_out[ROOM + 2 * MARGIN], ours_out[ROOM + 2 * MARGIN];

static EVP_CIPHER_CTX *theirs, *ours;
static unsigned long long compared;

/* The last error, and no other. */
static unsigned long last_error(void)
{
    unsigned long code = ERR_peek_last_error();
    ERR_clear_error();
    return code;
}

/* Both calls ended in the same way. */
static int same(int their_result, unsigned long their_error, int our_result, unsigned long our_error)
{
    compared++;
    if (their_result != our_result || (their_result != 1 && their_error != our_error))
        fprintf(stderr, "%d %lx, ours %d %lx\n", their_result, their_error, our_result, our_error);
    return their_result == our_result && (their_result == 1 || their_error == our_error);
}

#define BOTH(call)                                                                                     \
    do {                                                                                               \
        EVP_CIPHER_CTX *it = theirs;                                                                   \
        int their_result = call;                                                                       \
        unsigned long their_error = last_error();                                                      \
        it = ours;                                                                                     \
        int our_result = call;                                                                         \
        unsigned long our_error = last_error();                                                        \
        CHECK(same(their_result, their_error, our_result, our_error));                                 \
    } while (0)

/* What a program can ask in the middle of a message. */
static void compare_state(void)
{
    unsigned char their_iv[16] = {0}, our_iv[16] = {0};
    CHECK(EVP_CIPHER_CTX_get_key_length(theirs) == EVP_CIPHER_CTX_get_key_length(ours));
    CHECK(EVP_CIPHER_CTX_get_iv_length(theirs) == EVP_CIPHER_CTX_get_iv_length(ours));
    CHECK(EVP_CIPHER_CTX_get_num(theirs) == EVP_CIPHER_CTX_get_num(ours));
    CHECK(EVP_CIPHER_CTX_get_original_iv(theirs, their_iv, 16) == 1);
    CHECK(EVP_CIPHER_CTX_get_original_iv(ours, our_iv, 16) == 1);
    CHECK(memcmp(their_iv, our_iv, 16) == 0);
    CHECK(EVP_CIPHER_CTX_get_updated_iv(theirs, their_iv, 16) == 1);
    CHECK(EVP_CIPHER_CTX_get_updated_iv(ours, our_iv, 16) == 1);
    CHECK(memcmp(their_iv, our_iv, 16) == 0);
}

/* Our output is theirs, and nothing else has changed. */
static void compare_output(const unsigned char *at, size_t len, const unsigned char *before, size_t room)
{
    size_t n;
    CHECK(memcmp(theirs_out + MARGIN, at, len) == 0);
    for (n = len; n < room; n++) CHECK(at[n] == before[n]);
}

/* A piece of a message; in place, somewhere over the input, or elsewhere. OpenSSL's own is always elsewhere:
 * what it does in place, where a part of a block waits, is not defined. */
static void update(size_t len, int once)
{
    static unsigned char before[ROOM + 2 * MARGIN];
    int their_len = -1, our_len = -1, their_result, our_result;
    unsigned long their_error;
    const unsigned char *from;
    unsigned char *at;
    fill(input, len);
    fill(ours_out, len + 2 * MARGIN);
    from = input;
    at = ours_out + MARGIN;
    switch (below(3)) {
    case 0:
        memcpy(at, input, len);
        from = at;
        break;
    case 1:
        from = at + below(2 * MARGIN) - MARGIN;
        memmove((unsigned char *)from, input, len);
        break;
    }
    memcpy(before, ours_out, len + 2 * MARGIN);
    if (once) {
        their_result = EVP_Cipher(theirs, theirs_out + MARGIN, input, (unsigned)len);
        our_result = EVP_Cipher(ours, at, from, (unsigned)len);
        CHECK(their_result == our_result);
        compare_output(at, len, before + MARGIN, len + MARGIN);
        return;
    }
    their_result = EVP_CipherUpdate(theirs, theirs_out + MARGIN, &their_len, input, (int)len);
    their_error = last_error();
    our_result = EVP_CipherUpdate(ours, at, &our_len, from, (int)len);
    CHECK(same(their_result, their_error, our_result, last_error()));
    if (their_result != 1) return;
    CHECK(their_len == our_len);
    compare_output(at, (size_t)our_len, before + MARGIN, len + MARGIN);
    CHECK(memcmp(ours_out, before, MARGIN) == 0);
}

static void finish(void)
{
    unsigned char their_end[32] = {0}, our_end[32] = {0};
    int their_len = 0, our_len = 0;
    int their_result = EVP_CipherFinal_ex(theirs, their_end, &their_len);
    unsigned long their_error = last_error();
    int our_result = EVP_CipherFinal_ex(ours, our_end, &our_len);
    CHECK(same(their_result, their_error, our_result, last_error()));
    if (their_result == 1) {
        CHECK(their_len == our_len && memcmp(their_end, our_end, 32) == 0);
    }
}

static void duplicate(void)
{
    EVP_CIPHER_CTX *their_copy = copy_of(theirs), *our_copy = copy_of(ours);
    if (below(2)) {
        /* What becomes of the first does not matter to the second. */
        update(below(50), 0);
    }
    EVP_CIPHER_CTX_free(theirs);
    EVP_CIPHER_CTX_free(ours);
    theirs = their_copy;
    ours = our_copy;
}

/* A length: short, around what kernels take at a time, or long. */
static size_t some_length(const char *name)
{
    size_t limit = strstr(name, "CFB1") ? 200 : strstr(name, "CFB8") ? 2000 : 20000;
    switch (below(8)) {
    case 0: return below(limit);
    case 1: return below(limit / 8 + 1);
    case 2: return 8 * below(70);
    default: return below(40);
    }
}

/* A message with all that may happen on its way. */
static void message(const char *name, const EVP_CIPHER *their_cipher, const EVP_CIPHER *our_cipher)
{
    unsigned char key[64], iv[8];
    int direction = (int)below(2), key_len = EVP_CIPHER_get_key_length(our_cipher);
    int pieces = (int)below(12), padding = (int)below(3) != 0;
    int is_block = EVP_CIPHER_get_block_size(our_cipher) > 1;
    fill(key, sizeof key);
    fill(iv, sizeof iv);
    if (strncmp(name, "RC4", 3) == 0 && below(2)) {
        key_len = 1 + (int)below(64);
        CHECK(EVP_CipherInit_ex2(theirs, their_cipher, NULL, NULL, direction, NULL) == 1);
        CHECK(EVP_CipherInit_ex2(ours, our_cipher, NULL, NULL, direction, NULL) == 1);
        BOTH(EVP_CIPHER_CTX_set_key_length(it, key_len));
        BOTH(EVP_CipherInit_ex2(it, NULL, key, NULL, direction, NULL));
    } else {
        CHECK(EVP_CipherInit_ex2(theirs, their_cipher, key, iv, direction, NULL) == 1);
        CHECK(EVP_CipherInit_ex2(ours, our_cipher, key, iv, direction, NULL) == 1);
    }
    BOTH(EVP_CIPHER_CTX_set_padding(it, padding));
    compare_state();
    while (pieces-- > 0) {
        step++;
        switch (below(24)) {
        case 0: duplicate(); break;
        case 1:
            /* The other direction, with what is there. */
            direction = !direction;
            BOTH(EVP_CipherInit_ex2(it, NULL, NULL, NULL, direction, NULL));
            break;
        case 2:
            fill(iv, 8);
            BOTH(EVP_CipherInit_ex2(it, NULL, NULL, iv, -1, NULL));
            break;
        case 3:
            fill(key, (size_t)key_len);
            BOTH(EVP_CipherInit_ex2(it, NULL, key, NULL, -1, NULL));
            break;
        case 4:
            if (!is_block) {
                int num = (int)below(8);
                /* OpenSSL 3.5.7 takes no other than 0. */
                if (EVP_CIPHER_CTX_set_num(theirs, num) == 1) CHECK(EVP_CIPHER_CTX_set_num(ours, num) == 1);
                ERR_clear_error();
            }
            break;
        case 5:
            /* OpenSSL's own forgets about what waits. */
            if (!is_block || !direction) update(is_block ? 8 * below(20) : below(100), 1);
            break;
        case 6:
            if (is_block && direction) {
                padding = !padding;
                BOTH(EVP_CIPHER_CTX_set_padding(it, padding));
            }
            break;
        case 7:
            finish();
            BOTH(EVP_CipherInit_ex2(it, NULL, NULL, NULL, -1, NULL));
            break;
        default: update(some_length(name), 0);
        }
        compare_state();
    }
    finish();
    if (is_block) compare_state();
}

/* CFB-1 of lengths in bits. DES-CFB1 is left out: OpenSSL's own takes them for bytes there. */
static void bits(void)
{
    EVP_CIPHER *their_cipher = theirs_of("DES-EDE3-CFB1"), *our_cipher = ours_of("DES-EDE3-CFB1");
    unsigned char key[24], iv[8];
    int direction = (int)below(2), pieces;
    fill(key, sizeof key);
    fill(iv, sizeof iv);
    CHECK(EVP_CipherInit_ex2(theirs, their_cipher, key, iv, direction, NULL) == 1);
    CHECK(EVP_CipherInit_ex2(ours, our_cipher, key, iv, direction, NULL) == 1);
    EVP_CIPHER_CTX_set_flags(theirs, EVP_CIPH_FLAG_LENGTH_BITS);
    EVP_CIPHER_CTX_set_flags(ours, EVP_CIPH_FLAG_LENGTH_BITS);
    for (pieces = 0; pieces < 6; pieces++) {
        int count = (int)below(200), their_len = -1, our_len = -1;
        size_t bytes = (size_t)count / 8 + 1;
        fill(input, bytes);
        fill(ours_out, bytes);
        memcpy(theirs_out, ours_out, bytes);
        CHECK(EVP_CipherUpdate(theirs, theirs_out, &their_len, input, count) == 1);
        CHECK(EVP_CipherUpdate(ours, ours_out, &our_len, input, count) == 1);
        CHECK(their_len == our_len && memcmp(theirs_out, ours_out, bytes) == 0);
        compare_state();
        compared++;
    }
    EVP_CIPHER_free(their_cipher);
    EVP_CIPHER_free(our_cipher);
}

/* Says how the records of a connection are. */
static int set_tls(EVP_CIPHER_CTX *it, int version, size_t mac_len)
{
    OSSL_PARAM params[3];
    params[0] = OSSL_PARAM_construct_int(OSSL_CIPHER_PARAM_TLS_VERSION, &version);
    params[1] = OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &mac_len);
    params[2] = OSSL_PARAM_construct_end();
    return EVP_CIPHER_CTX_set_params(it, params);
}

static unsigned char *get_mac(EVP_CIPHER_CTX *it, size_t mac_len)
{
    unsigned char *mac = NULL;
    OSSL_PARAM params[2];
    params[0] = OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_TLS_MAC, (void **)&mac, mac_len);
    params[1] = OSSL_PARAM_construct_end();
    CHECK(EVP_CIPHER_CTX_get_params(it, params) == 1 && mac != NULL);
    return mac;
}

/* Records of TLS, as libssl asks for them; some are damaged on the way. */
static void tls(const char *name)
{
    static const int VERSIONS[] = {0x0300, 0x0301, 0x0302, 0x0303, 0xfeff, 0xfefd, 0x0100};
    static const size_t MACS[] = {0, 16, 20, 32, 48};
    EVP_CIPHER *their_cipher = theirs_of(name), *our_cipher = ours_of(name);
    int version = VERSIONS[below(7)], records = 4, is_block = EVP_CIPHER_get_block_size(our_cipher) > 1;
    size_t mac_len = MACS[below(5)];
    unsigned char key[24], iv[8];
    EVP_CIPHER_CTX *writer = EVP_CIPHER_CTX_new();
    fill(key, sizeof key);
    fill(iv, sizeof iv);
    CHECK(EVP_CipherInit_ex2(writer, our_cipher, key, iv, 1, NULL) == 1);
    CHECK(EVP_CipherInit_ex2(theirs, their_cipher, key, iv, 1, NULL) == 1);
    CHECK(set_tls(writer, version, mac_len) == 1 && set_tls(theirs, version, mac_len) == 1);
    CHECK(EVP_CipherInit_ex2(ours, our_cipher, key, iv, 0, NULL) == 1 && set_tls(ours, version, mac_len) == 1);
    /* A reader of OpenSSL's own. */
    EVP_CIPHER_CTX *reader = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex2(reader, their_cipher, key, iv, 0, NULL) == 1 && set_tls(reader, version, mac_len) == 1);
    while (records-- > 0) {
        size_t len = below(300) + mac_len;
        int our_len = -1, their_len = -1, our_result, their_result;
        /* An explicit IV is part of what is encrypted. */
        if (is_block && version != 0x0300 && version != 0x0301) len += 8;
        fill(input, len);
        memcpy(theirs_out, input, len);
        memcpy(ours_out, input, len);
        CHECK(EVP_CipherUpdate(theirs, theirs_out, &their_len, theirs_out, (int)len) == 1);
        CHECK(EVP_CipherUpdate(writer, ours_out, &our_len, ours_out, (int)len) == 1);
        CHECK(their_len == our_len && memcmp(theirs_out, ours_out, (size_t)our_len) == 0);
        len = (size_t)our_len;
        int damaged = below(3) == 0;
        if (damaged) {
            /* In the last two blocks: the padding is wrong, or another one. */
            size_t at = len - 1 - below(len < 16 ? len : 16);
            ours_out[at] ^= 1 << below(8);
            theirs_out[at] = ours_out[at];
        }
        their_result = EVP_CipherUpdate(reader, theirs_out, &their_len, theirs_out, (int)len);
        ERR_clear_error();
        our_result = EVP_CipherUpdate(ours, ours_out, &our_len, ours_out, (int)len);
        ERR_clear_error();
        CHECK(their_result == our_result && (our_result == 1 || damaged));
        if (our_result == 1) {
            CHECK(their_len == our_len && memcmp(theirs_out, ours_out, len) == 0);
            /* Where the padding is wrong, both MACs are random. */
            if (mac_len > 0 && !damaged)
                CHECK(memcmp(get_mac(reader, mac_len), get_mac(ours, mac_len), mac_len) == 0);
            if (mac_len > 0 && !damaged) {
                size_t start = is_block && version != 0x0300 && version != 0x0301 ? 8 : 0;
                CHECK(memcmp(get_mac(ours, mac_len), input + start + our_len, mac_len) == 0);
            }
        }
        compared++;
        /* The next record begins with what is damaged here. */
        if (damaged) break;
    }
    EVP_CIPHER_CTX_free(writer);
    EVP_CIPHER_CTX_free(reader);
    EVP_CIPHER_free(their_cipher);
    EVP_CIPHER_free(our_cipher);
}

/* What is refused, and by which number. */
static void refusals(const char *name, const EVP_CIPHER *their_cipher, const EVP_CIPHER *our_cipher)
{
    unsigned char key[64] = {1}, out[64];
    int len, is_block = EVP_CIPHER_get_block_size(our_cipher) > 1;
    EVP_CIPHER_CTX_reset(theirs);
    EVP_CIPHER_CTX_reset(ours);
    CHECK(EVP_CipherInit_ex2(theirs, their_cipher, NULL, NULL, 1, NULL) == 1);
    CHECK(EVP_CipherInit_ex2(ours, our_cipher, NULL, NULL, 1, NULL) == 1);
    /* No key. */
    BOTH(EVP_CipherUpdate(it, out, &len, input, 16));
    BOTH(EVP_CIPHER_CTX_set_key_length(it, 9));
    CHECK(EVP_CIPHER_CTX_set_num(ours, 8) != 1);
    ERR_clear_error();
    if (strncmp(name, "RC4", 3) != 0) CHECK(EVP_CIPHER_CTX_set_key_length(ours, 9) != 1);
    if (!is_block) return;
    BOTH(EVP_CipherInit_ex2(it, NULL, key, key, 1, NULL));
    BOTH(EVP_CIPHER_CTX_set_padding(it, 0));
    BOTH(EVP_CipherUpdate(it, out, &len, input, 13));
    BOTH(EVP_CipherFinal_ex(it, out, &len));
    BOTH(EVP_CIPHER_CTX_set_padding(it, 1));
    BOTH(EVP_CipherInit_ex2(it, NULL, NULL, NULL, 0, NULL));
    BOTH(EVP_CipherFinal_ex(it, out, &len));
    BOTH(EVP_CipherUpdate(it, out, &len, input, 16));
    BOTH(EVP_CipherFinal_ex(it, out, &len));
}

int main(int count, char **words)
{
    unsigned long rounds = count > 1 ? strtoul(words[1], NULL, 10) : 100, round;
    size_t n;
    state = count > 2 ? strtoull(words[2], NULL, 10) : 1;
    load();
    EVP_CIPHER *their_ciphers[COUNT], *our_ciphers[COUNT];
    for (n = 0; n < COUNT; n++) {
        their_ciphers[n] = theirs_of(NAMES[n]);
        our_ciphers[n] = ours_of(NAMES[n]);
    }
    for (round = 0; round < rounds; round++) {
        for (n = 0; n < COUNT; n++) {
            about = NAMES[n];
            step = round << 8;
            theirs = EVP_CIPHER_CTX_new();
            ours = EVP_CIPHER_CTX_new();
            if (round == 0) refusals(about, their_ciphers[n], our_ciphers[n]);
            message(about, their_ciphers[n], our_ciphers[n]);
            EVP_CIPHER_CTX_free(theirs);
            EVP_CIPHER_CTX_free(ours);
        }
        about = "bits and records";
        theirs = EVP_CIPHER_CTX_new();
        ours = EVP_CIPHER_CTX_new();
        bits();
        tls(round % 3 == 0 ? "DES-CBC" : round % 3 == 1 ? "DES-EDE3-CBC" : "RC4");
        EVP_CIPHER_CTX_free(theirs);
        EVP_CIPHER_CTX_free(ours);
    }
    for (n = 0; n < COUNT; n++) {
        EVP_CIPHER_free(their_ciphers[n]);
        EVP_CIPHER_free(our_ciphers[n]);
    }
    unload();
    printf("%llu comparisons agree, copies by %s\n", compared,
           EVP_CIPHER_CTX_dup != NULL ? "EVP_CIPHER_CTX_dup" : "EVP_CIPHER_CTX_copy");
    return 0;
}
