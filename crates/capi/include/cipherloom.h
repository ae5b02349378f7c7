/* Cipherloom: DES, Triple-DES and RC4, for reading and moving old data.
 *
 * These ciphers are withdrawn. Protect nothing new with them.
 *
 * Errors. Functions that can fail return CL_OK (0) or a number of enum cl_error, of which
 * cl_error_text() has a text. On error nothing has changed, unless the function says otherwise;
 * a handle or a length that would have been written is NULL or 0.
 *
 * Pointers. Null is an error where something is needed, and is taken with a length of 0. Data
 * need no alignment. Lengths are in bytes. What is written must not overlap what else is written or
 * still read, else CL_ERROR_OVERLAP; where buffers may start at the same place, the function says so.
 * Structures, names, key bytes and tags are read before anything is written, and handles and lengths
 * are written last: they may lie anywhere, but a length not in the output (OVERLAP; it is not
 * written then). Handles and what they lead to are nobody's buffers.
 *
 * Threads. Functions without a handle may be called at any time. Any number of threads may use a
 * key at once through functions that take a `const cl_key *`. A key that is being changed or freed,
 * a message, a MAC and an RC4 stream belong to one thread at a time.
 *
 * Secrets. Handles are wiped when they are freed. cl_..._free(NULL) does nothing.
 */
#ifndef CIPHERLOOM_H
#define CIPHERLOOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cl_error {
    CL_OK = 0,
    CL_ERROR_NULL = 1,              /* a pointer is null that must not be */
    CL_ERROR_ARGUMENT = 2,          /* an argument has a value that means nothing here */
    CL_ERROR_LENGTH = 3,            /* a length is greater than any buffer */
    CL_ERROR_OVERLAP = 4,           /* memory overlaps that must not, or a span leaves its buffer */
    CL_ERROR_MEMORY = 5,            /* there is not enough memory */
    CL_ERROR_FINISHED = 6,          /* the message is finished already */
    CL_ERROR_CIPHER = 7,            /* the operation is not for keys of this cipher */
    CL_ERROR_KEY_LENGTH = 16,       /* the key has not the cipher's length */
    CL_ERROR_WEAK_KEY = 17,         /* cl_key_new_checked() refuses the key */
    CL_ERROR_SEMI_WEAK_KEY = 18,    /* the same */
    CL_ERROR_DEGENERATE_KEY = 19,   /* the same: KEY1 = KEY2 or KEY2 = KEY3 */
    CL_ERROR_KEY_PARITY = 20,       /* the same: a byte of even parity */
    CL_ERROR_IV_LENGTH = 21,        /* the IV has not the mode's length */
    CL_ERROR_NOT_WHOLE_BLOCKS = 22, /* the input's length is no multiple of 8 */
    CL_ERROR_TOO_SHORT = 23,        /* the input is too short */
    CL_ERROR_OUTPUT_TOO_SMALL = 24, /* the output buffer is too small */
    CL_ERROR_PADDING = 25,          /* the padding is wrong: another key or damaged data */
    CL_ERROR_TAG = 26,              /* the tag does not fit */
    CL_ERROR_TAG_LENGTH = 27,       /* the tag has not 4 to 8 bytes */
    CL_ERROR_COUNT = 28,            /* keys or IVs do not fit the number of records */
    CL_ERROR_MODE = 29,             /* the mode has no such operation */
    CL_ERROR_BACKEND = 30,          /* the backend cannot serve this cipher here */
    CL_ERROR_SELF_TEST = 31,        /* no backend passed its self-test; nothing was computed */
    CL_ERROR_MESSAGE_LENGTH = 32,   /* the message has not the length that was announced */
    CL_ERROR_INTERNAL = 64          /* a defect of the library; free what was in use */
};

/* A text for people, in English, never NULL. It lives as long as the program. */
const char *cl_error_text(int error);

/* The library's version, such as "0.1.0". */
const char *cl_version(void);

/* ---- Keys ------------------------------------------------------------------------------- */

enum cl_cipher {
    CL_DES = 1,       /* 8 key bytes */
    CL_TDES_EDE2 = 2, /* 16: KEY1, KEY2, KEY1; encrypt, decrypt, encrypt */
    CL_TDES_EDE3 = 3, /* 24: KEY1, KEY2, KEY3; encrypt, decrypt, encrypt */
    CL_TDES_EEE2 = 4, /* 16: KEY1, KEY2, KEY1; three encryptions */
    CL_TDES_EEE3 = 5, /* 24: KEY1, KEY2, KEY3; three encryptions */
    CL_DESX = 6,      /* 24: a DES key, input whitening, output whitening */
    CL_RC4 = 7        /* 1 to 256; in batches only, else see cl_rc4_new() */
};

enum cl_policy {
    CL_FASTEST = 0,
    CL_CONSTANT_TIME = 1 /* no address and no branch depends on secrets, whatever it costs */
};

enum cl_parity {
    CL_IGNORE_PARITY = 0,
    CL_ODD_PARITY = 1 /* every byte must have an odd number of ones */
};

/* A key of a block cipher. */
typedef struct cl_key cl_key;

/* The length of a cipher's key in bytes; 0 if there is no such block cipher. */
size_t cl_key_len(int cipher);

/* Makes a key. Takes every key of the right length, whatever its parity bits, also a weak one.
 * Errors: KEY_LENGTH, ARGUMENT, NULL, LENGTH, MEMORY (as of every function that makes a handle). */
int cl_key_new(cl_key **key, int cipher, const void *bytes, size_t len);

/* The same, but refuses weak and semi-weak keys, bundles with KEY1 = KEY2 or KEY2 = KEY3 and, if
 * asked, wrong parity. Errors: also WEAK_KEY, SEMI_WEAK_KEY, DEGENERATE_KEY, KEY_PARITY. */
int cl_key_new_checked(cl_key **key, int cipher, const void *bytes, size_t len, int parity);

/* A key of its own with the same content. Errors: NULL, MEMORY. */
int cl_key_copy(cl_key **copy, const cl_key *key);

/* Wipes and frees a key. What was made from it lives on. */
void cl_key_free(cl_key *key);

/* Changes the key's policy, for what is done and made with it from now on. CL_CONSTANT_TIME also
 * ends the service of a backend that is not. Errors: ARGUMENT, NULL. */
int cl_key_set_policy(cl_key *key, int policy);

/* Has one backend alone serve the key, whatever the amount of work. Errors: BACKEND, NULL. */
int cl_key_set_backend(cl_key *key, const char *backend);

/* Sets the lowest bit of every byte so that the byte has an odd number of ones. */
int cl_fix_parity(void *key, size_t len);

/* Encrypts or decrypts `count` independent blocks of 8 bytes in place (what ECB does).
 * Errors: NULL, LENGTH, SELF_TEST. */
int cl_encrypt_blocks(const cl_key *key, void *blocks, size_t count);
int cl_decrypt_blocks(const cl_key *key, void *blocks, size_t count);

/* ---- Modes ------------------------------------------------------------------------------ */

enum cl_mode_number {
    CL_ECB = 1,
    CL_CBC = 2,
    CL_CBC_CS1 = 3, /* CBC with ciphertext stealing (SP 800-38A addendum): the length stays */
    CL_CBC_CS2 = 4,
    CL_CBC_CS3 = 5, /* what Kerberos does */
    CL_CFB1 = 6,    /* on the bits of whole bytes, highest first; see cl_encrypt_bits() */
    CL_CFB8 = 7,
    CL_CFB64 = 8,
    CL_OFB = 9,
    CL_CTR = 10 /* a 64-bit big-endian counter that wraps; the IV is the first one */
};

enum cl_padding {
    CL_NO_PADDING = 0,
    CL_PKCS7 = 1,       /* n bytes of value n; what OpenSSL does */
    CL_ISO7816 = 2,     /* a byte 80 hex, then zeros (ISO/IEC 9797-1 method 2) */
    CL_ZERO_PADDING = 3 /* as few zeros as fill the block (ISO/IEC 9797-1 method 1) */
};

/* What to do with a message. */
typedef struct cl_mode {
    int mode;      /* enum cl_mode_number */
    int padding;   /* enum cl_padding; CL_NO_PADDING for all but ECB and CBC */
    uint8_t iv[8]; /* not used in ECB */
} cl_mode;

/* The length of the ciphertext of `len` bytes. Errors: NOT_WHOLE_BLOCKS, TOO_SHORT, ARGUMENT. */
int cl_encrypted_len(const cl_mode *mode, size_t len, size_t *result);

/* Encrypts a message of `len` bytes into `out`, which has `room` bytes, and writes the
 * ciphertext's length to `*written` (which may be NULL). `in` and `out` may start at the same
 * place, and must not overlap otherwise.
 * Errors: NOT_WHOLE_BLOCKS, TOO_SHORT, OUTPUT_TOO_SMALL, OVERLAP, ARGUMENT, NULL, LENGTH, SELF_TEST. */
int cl_encrypt(const cl_key *key, const cl_mode *mode, const void *in, size_t len, void *out,
               size_t room, size_t *written);

/* The inverse. `out` needs room for all of the input, as the padding's length is not known before.
 * Errors: the same, and PADDING: what was decrypted is zeros then, also where `out` is `in`, whose
 * ciphertext is gone. It takes the same time as a right padding. */
int cl_decrypt(const cl_key *key, const cl_mode *mode, const void *in, size_t len, void *out,
               size_t room, size_t *written);

/* CFB-1 on the first `bits` bits of `data`, in place, the highest bit of a byte first; bits behind
 * them stay. Errors: MODE, ARGUMENT, NULL, LENGTH, SELF_TEST. */
int cl_encrypt_bits(const cl_key *key, const cl_mode *mode, void *data, size_t bits);
int cl_decrypt_bits(const cl_key *key, const cl_mode *mode, void *data, size_t bits);

/* ---- Messages that come in pieces ------------------------------------------------------- */

/* A message in progress. Any cutting of a message gives the same bytes. */
typedef struct cl_message cl_message;

/* Errors: ARGUMENT, NULL, MEMORY. */
int cl_encryptor_new(cl_message **message, const cl_key *key, const cl_mode *mode);
int cl_decryptor_new(cl_message **message, const cl_key *key, const cl_mode *mode);
void cl_message_free(cl_message *message);

/* How many bytes cl_message_update() will write for `len` bytes: at most len + 8. Errors: FINISHED,
 * NULL. */
int cl_message_update_len(const cl_message *message, size_t len, size_t *result);

/* Takes the next piece, and writes what can be written already. `in` and `out` may start at the same
 * place, and must not overlap otherwise.
 * Errors: OUTPUT_TOO_SMALL, OVERLAP, SELF_TEST (nothing was taken, repeat the call); FINISHED. */
int cl_message_update(cl_message *message, const void *in, size_t len, void *out, size_t room,
                      size_t *written);

/* Ends the message, and writes the rest of it, at most 16 bytes.
 * Errors: OUTPUT_TOO_SMALL, SELF_TEST (repeat the call); NOT_WHOLE_BLOCKS, TOO_SHORT, PADDING (the
 * message is finished: discard what was written of it); FINISHED. */
int cl_message_finish(cl_message *message, void *out, size_t room, size_t *written);

/* ---- Message authentication codes ------------------------------------------------------- */

/* A MAC of a message that comes in pieces. */
typedef struct cl_mac cl_mac;

/* CBC-MAC (ISO/IEC 9797-1 algorithm 1; FIPS 113 with DES). Errors: ARGUMENT, NULL, MEMORY. */
int cl_mac_new_cbc(cl_mac **mac, const cl_key *key, int padding);

/* Retail MAC (ISO/IEC 9797-1 algorithm 3, ANSI X9.19). Errors: CIPHER if the key is not CL_TDES_EDE2. */
int cl_mac_new_retail(cl_mac **mac, const cl_key *key, int padding);

/* Both with padding method 3 of ISO/IEC 9797-1, which puts the message's length in front: `len` bytes
 * are announced, and no others are taken. (Methods 1 and 2 are CL_ZERO_PADDING and CL_ISO7816.) */
int cl_mac_new_cbc_of_length(cl_mac **mac, const cl_key *key, uint64_t len);
int cl_mac_new_retail_of_length(cl_mac **mac, const cl_key *key, uint64_t len);

/* CMAC (SP 800-38B). */
int cl_mac_new_cmac(cl_mac **mac, const cl_key *key);

void cl_mac_free(cl_mac *mac);

/* Takes the next piece. Errors: SELF_TEST, FINISHED, NULL, LENGTH; MESSAGE_LENGTH if the message
 * becomes longer than was announced (nothing was taken). */
int cl_mac_update(cl_mac *mac, const void *data, size_t len);

/* Ends the message and writes its tag of 8 bytes. Errors: NOT_WHOLE_BLOCKS, TOO_SHORT (with
 * CL_NO_PADDING), MESSAGE_LENGTH (fewer bytes came than were announced), SELF_TEST, FINISHED. The
 * MAC is finished after any of them but NULL. */
int cl_mac_finish(cl_mac *mac, uint8_t tag[8]);

/* Ends the message and compares its tag, or the first 4 to 8 bytes of it, in constant time.
 * Errors: TAG, TAG_LENGTH, those of cl_mac_finish(). */
int cl_mac_verify(cl_mac *mac, const void *tag, size_t len);

/* ---- RC4 -------------------------------------------------------------------------------- */

/* One keystream at one position. A key must never serve two messages. */
typedef struct cl_rc4 cl_rc4;

/* The stream of a key of 1 to 256 bytes. Errors: KEY_LENGTH, ARGUMENT, NULL, LENGTH, SELF_TEST,
 * MEMORY. */
int cl_rc4_new(cl_rc4 **stream, const void *key, size_t len, int policy);

/* The same, served by one backend. Errors: also BACKEND. */
int cl_rc4_new_by_backend(cl_rc4 **stream, const void *key, size_t len, const char *backend);

void cl_rc4_free(cl_rc4 *stream);

/* XORs the next bytes of the keystream into `in` on the way to `out`; they may be the same, and
 * must not overlap otherwise. Errors: OVERLAP, NULL, LENGTH, SELF_TEST. */
int cl_rc4_apply(cl_rc4 *stream, const void *in, size_t len, void *out);

/* Leaves out the next bytes of the keystream ("drop-n"). Errors: NULL, SELF_TEST. */
int cl_rc4_skip(cl_rc4 *stream, uint64_t count);

/* ---- Batches ---------------------------------------------------------------------------- */

/* What to do with every record of a batch. */
typedef struct cl_batch {
    int cipher;          /* enum cl_cipher */
    int mode;            /* CL_ECB, CL_CBC or CL_CTR; 0 for CL_RC4 */
    int padding;         /* enum cl_padding; CL_NO_PADDING for CL_CTR and CL_RC4 */
    int policy;          /* enum cl_policy */
    const char *backend; /* NULL: the fastest */
} cl_batch;

/* A record with memory of its own. Keys and IVs may lie anywhere; the data of a record must not
 * overlap those of another, nor the records themselves. */
typedef struct cl_record {
    const void *key;
    size_t key_len;
    const void *iv; /* NULL in ECB and RC4 */
    size_t iv_len;  /* 0 there, else 8 */
    void *data;     /* the message, then room for its padding; the result takes its place */
    size_t len;     /* of the message */
    size_t room;    /* bytes at `data` */
    /* Results: */
    size_t result_len; /* 0 if there was an error */
    int error;
} cl_record;

/* Encrypts or decrypts every record in place. Each has its own result; an error of one does not
 * touch the others: KEY_LENGTH, IV_LENGTH, NOT_WHOLE_BLOCKS, TOO_SHORT, OUTPUT_TOO_SMALL, OVERLAP
 * (len > room): that record is unchanged; PADDING: it is zeros.
 * Errors of the call, after which no record has changed and no result is written: ARGUMENT, NULL,
 * LENGTH, OVERLAP (data of two records, or of one and the records), MEMORY, BACKEND, SELF_TEST. */
int cl_batch_encrypt(const cl_batch *batch, cl_record *records, size_t count);
int cl_batch_decrypt(const cl_batch *batch, cl_record *records, size_t count);

/* Where a record lies in a flat buffer. */
typedef struct cl_span {
    size_t offset; /* its first byte */
    size_t len;    /* of the message */
    size_t room;   /* bytes from `offset` on: the message and room for its padding */
    /* Results: */
    size_t result_len;
    int error;
} cl_span;

/* Records in flat buffers. The data and the spans, which are written, overlap neither each other nor
 * keys or IVs. */
typedef struct cl_flat {
    const void *keys;
    size_t key_len;   /* of one key */
    size_t key_count; /* 1, or one for each record */
    const void *ivs;  /* 8 bytes for each record; NULL in ECB and RC4 */
    size_t ivs_len;   /* of all */
    void *data;
    size_t data_len;
    cl_span *spans; /* in ascending order; one that overlaps an earlier one gets OVERLAP */
    size_t count;
} cl_flat;

/* The same for flat buffers. Errors of the call: also COUNT; OVERLAP is for buffers. */
int cl_batch_encrypt_flat(const cl_batch *batch, const cl_flat *flat);
int cl_batch_decrypt_flat(const cl_batch *batch, const cl_flat *flat);

/* ---- Backends --------------------------------------------------------------------------- */

/* The name of the n-th backend (from 0) that this processor can run; NULL behind the last one. */
const char *cl_backend_name(size_t n);

/* The one that serves so many independent blocks; a chain is work of one block. NULL if there is
 * no such cipher or policy. */
const char *cl_backend_for(int cipher, size_t blocks, int policy);

/* 1 if none of its addresses and branches depends on secrets, else 0. */
int cl_backend_is_constant_time(const char *backend);

/* 1 if its self-test, which comes before its first use, was run and passed; else 0. */
int cl_backend_works(const char *backend);

/* Runs its self-test now. Errors: SELF_TEST, BACKEND, NULL. */
int cl_backend_self_test(const char *backend);

/* Runs those of all backends. Errors: SELF_TEST. */
int cl_self_test(void);

/* How many of the kernels in assembly have in memory the bytes that were proved, and their tables as well;
 * *kernels, unless it is NULL, becomes how many there are. Both are equal, or this is not the code of the
 * proofs; both are 0 where there is no assembly. Takes some milliseconds. */
size_t cl_proof(size_t *kernels);

#ifdef __cplusplus
}
#endif

#endif
