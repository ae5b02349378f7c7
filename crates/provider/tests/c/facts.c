/* What programs can ask of ciphers and of the provider: as OpenSSL's own answer it. */
#include "support.h"

static void take_name(const char *name, void *list)
{
    strcat(strcat(list, name), ":");
}

/* Whether every name of one list is in the other. */
static int covers(const char *list, const char *names)
{
    char copy[400], *name;
    strcpy(copy, names);
    for (name = strtok(copy, ":"); name != NULL; name = strtok(NULL, ":")) {
        char wanted[200];
        sprintf(wanted, "%s:", name);
        if (strstr(list, wanted) == NULL) return 0;
    }
    return 1;
}

/* Every parameter that OpenSSL's own knows is known to ours, with the same type. */
static void compare_lists(const OSSL_PARAM *theirs, const OSSL_PARAM *ours)
{
    CHECK(theirs != NULL && ours != NULL);
    for (; theirs->key != NULL; theirs++) {
        const OSSL_PARAM *same = OSSL_PARAM_locate_const(ours, theirs->key);
        if (same == NULL) fprintf(stderr, "%s\n", theirs->key);
        CHECK(same != NULL && same->data_type == theirs->data_type);
    }
}

static void compare_numbers(EVP_CIPHER *theirs, EVP_CIPHER *ours)
{
    static const char *const KEYS[] = {"mode", "keylen",    "ivlen",       "blocksize", "aead", "custom-iv",
                                       "cts",  "tls-multi", "has-randkey", NULL};
    const char *const *key;
    for (key = KEYS; *key != NULL; key++) {
        uint64_t wide[2] = {77, 77};
        int narrow[2] = {77, 77}, side;
        for (side = 0; side < 2; side++) {
            OSSL_PARAM params[3];
            params[0] = OSSL_PARAM_construct_uint64(*key, &wide[side]);
            params[1] = OSSL_PARAM_construct_end();
            CHECK(EVP_CIPHER_get_params(side ? ours : theirs, params) == 1);
            params[0] = OSSL_PARAM_construct_int(*key, &narrow[side]);
            CHECK(EVP_CIPHER_get_params(side ? ours : theirs, params) == 1);
        }
        CHECK(wide[0] == wide[1] && narrow[0] == narrow[1] && wide[0] == (uint64_t)narrow[0]);
    }
    CHECK(EVP_CIPHER_get_flags(theirs) == EVP_CIPHER_get_flags(ours));
    CHECK(EVP_CIPHER_get_nid(theirs) == EVP_CIPHER_get_nid(ours));
}

/* A random key has odd parity and is not always the same. */
static void random_keys(EVP_CIPHER *ours)
{
    unsigned char keys[2][64] = {{0}};
    int n, which, len = EVP_CIPHER_get_key_length(ours);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    CHECK(EVP_CipherInit_ex2(context, ours, NULL, NULL, 1, NULL) == 1);
    for (which = 0; which < 2; which++) {
        CHECK(EVP_CIPHER_CTX_rand_key(context, keys[which]) == 1);
        for (n = 0; n < len && EVP_CIPHER_get_block_size(ours) > 1; n++)
            CHECK(__builtin_parity(keys[which][n]) == 1);
        for (n = len; n < 64; n++) CHECK(keys[which][n] == 0);
    }
    CHECK(memcmp(keys[0], keys[1], (size_t)len) != 0);
    EVP_CIPHER_CTX_free(context);
}

static int seen;

static void count(EVP_CIPHER *cipher, void *names)
{
    (void)names;
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(cipher)), "cipherloom") == 0) seen++;
}

static void provider(void)
{
    unsigned status = 0;
    char *name = NULL, *version = NULL;
    OSSL_PARAM params[4];
    params[0] = OSSL_PARAM_construct_uint("status", &status);
    params[1] = OSSL_PARAM_construct_utf8_ptr("name", &name, 0);
    params[2] = OSSL_PARAM_construct_utf8_ptr("version", &version, 0);
    params[3] = OSSL_PARAM_construct_end();
    CHECK(OSSL_PROVIDER_get_params(cipherloom, params) == 1);
    CHECK(status == 1 && strcmp(name, "Cipherloom provider") == 0 && strlen(version) >= 5);
    CHECK(OSSL_PROVIDER_self_test(cipherloom) == 1);
    /* Nothing but ciphers, each once. */
    EVP_CIPHER_do_all_provided(NULL, count, NULL);
    CHECK(seen == (int)ALL);
    CHECK(EVP_CIPHER_fetch(NULL, "DES-EDE3-CBC", "provider=cipherloom,fips=yes") == NULL);
    CHECK(EVP_CIPHER_fetch(NULL, "AES-128-CBC", "provider=cipherloom") == NULL);
    CHECK(EVP_MD_fetch(NULL, "SHA2-256", "provider=cipherloom") == NULL);
    ERR_clear_error();
}

int main(void)
{
    size_t n;
    load();
    for (n = 0; n < ALL; n++) {
        char their_names[400] = "", our_names[400] = "", *oid;
        EVP_CIPHER *theirs = theirs_of(NAMES[n]), *ours = ours_of(NAMES[n]);
        about = NAMES[n];
        EVP_CIPHER_names_do_all(theirs, take_name, their_names);
        EVP_CIPHER_names_do_all(ours, take_name, our_names);
        CHECK(covers(their_names, our_names) && covers(our_names, their_names));
        for (oid = our_names; (oid = strchr(oid, '.')) != NULL; oid = strchr(oid, ':')) {
            while (oid > our_names && oid[-1] != ':') oid--;
            char number[100];
            sscanf(oid, "%99[^:]", number);
            EVP_CIPHER *same = ours_of(number);
            CHECK(EVP_CIPHER_is_a(same, NAMES[n]));
            EVP_CIPHER_free(same);
        }
        compare_numbers(theirs, ours);
        compare_lists(EVP_CIPHER_gettable_params(theirs), EVP_CIPHER_gettable_params(ours));
        compare_lists(EVP_CIPHER_gettable_ctx_params(theirs), EVP_CIPHER_gettable_ctx_params(ours));
        compare_lists(EVP_CIPHER_settable_ctx_params(theirs), EVP_CIPHER_settable_ctx_params(ours));
        /* A length of keys may be set where it may be theirs. */
        CHECK((OSSL_PARAM_locate_const(EVP_CIPHER_settable_ctx_params(theirs), "keylen") == NULL) ==
              (OSSL_PARAM_locate_const(EVP_CIPHER_settable_ctx_params(ours), "keylen") == NULL));
        random_keys(ours);
        EVP_CIPHER_free(theirs);
        EVP_CIPHER_free(ours);
    }
    about = "provider";
    provider();
    unload();
    printf("%d ciphers are alike\n", (int)ALL);
    return 0;
}
