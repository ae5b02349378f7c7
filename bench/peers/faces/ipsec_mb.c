/* Intel's ipsec-mb: jobs, many of which are in flight at once, a lane each. It has DES in CBC alone.
 *
 * Jobs are submitted unchecked, which is its fastest way: the harness has compared every result. */
#include "face.h"

#include <intel-ipsec-mb.h>
#include <string.h>

DECLARE_FACE(ipsec_mb_one);
DECLARE_FACE(ipsec_mb_jobs);
DECLARE_EACH(ipsec_mb_jobs);
DECLARE_FACE(ipsec_mb_ready);
DECLARE_EACH(ipsec_mb_ready);

enum {
    /* Jobs that its widest kernel takes at once. */
    LANES = 16,
    /* Bytes of a job at most: the scheduler's lengths have 16 bits. */
    LONGEST = 16 << 10,
    /* Jobs of one long message at most. */
    PIECES = 64,
    /* Key schedules for jobs in flight: twice what can be, small enough for the nearest cache. */
    RING = 2 * LANES
};

/* The schedules of a key, and how a job of 3DES is told where they are. */
struct schedule {
    uint64_t ks[3][IMB_DES_KEY_SCHED_SIZE / sizeof(uint64_t)];
    const void *list[3];
};

struct state {
    IMB_MGR *manager;
    enum cipher cipher;
    IMB_CIPHER_DIRECTION direction;
    /* For one key, for jobs in flight, or for all records. */
    struct schedule *schedules;
    uint8_t iv[BLOCK];
    /* The keys of which there are schedules. */
    uint8_t *keys;
    size_t key_count;
    /* Jobs submitted and done. */
    uint64_t submitted, done;
};

/* One for each thread, as it holds the jobs in flight; never freed. */
static IMB_MGR *manager(void)
{
    static _Thread_local IMB_MGR *manager;
    if (!manager) {
        manager = alloc_mb_mgr(0);
        if (manager)
            init_mb_mgr_auto(manager, NULL);
        if (manager && imb_get_errno(manager) != 0)
            manager = NULL;
    }
    return manager;
}

/* Without AVX-512 it has one lane, and is ten times slower than it is here for. */
static int has_lanes(void)
{
    return manager() && manager()->used_arch == IMB_ARCH_AVX512;
}

/* The version of the library that is linked, whatever the header said. */
const char *ipsec_mb_one_load(void)
{
    return manager() ? imb_get_version_str() : NULL;
}

static void set_key(struct state *state, struct schedule *schedule, const uint8_t *key)
{
    for (int n = 0; n < key_len(state->cipher) / DES_KEY; n++)
        IMB_DES_KEYSCHED(state->manager, schedule->ks[n], key + n * DES_KEY);
}

static void finish(struct state *state, const IMB_JOB *job)
{
    if (job) {
        need(job->status == IMB_STATUS_COMPLETED, "a job of ipsec-mb");
        state->done++;
    }
}

/* `iv` and `schedule` must stay until the job is done. */
static void submit(struct state *state, const struct schedule *schedule, const uint8_t *iv,
                   uint8_t *data, size_t len)
{
    const int is_des = state->cipher == CIPHER_DES;
    IMB_JOB *job = IMB_GET_NEXT_JOB(state->manager);
    job->cipher_mode = is_des ? IMB_CIPHER_DES : IMB_CIPHER_DES3;
    job->cipher_direction = state->direction;
    job->chain_order = state->direction == IMB_DIR_ENCRYPT ? IMB_ORDER_CIPHER_HASH
                                                           : IMB_ORDER_HASH_CIPHER;
    job->hash_alg = IMB_AUTH_NULL;
    job->enc_keys = job->dec_keys = is_des ? schedule->ks[0] : (const void *)schedule->list;
    job->key_len_in_bytes = (uint64_t)key_len(state->cipher);
    job->iv = iv;
    job->iv_len_in_bytes = BLOCK;
    job->src = job->dst = data;
    job->cipher_start_src_offset_in_bytes = 0;
    job->msg_len_to_cipher_in_bytes = len;
    state->submitted++;
    finish(state, IMB_SUBMIT_JOB_NOCHECK(state->manager));
}

static void flush(struct state *state)
{
    while (state->done < state->submitted) {
        const IMB_JOB *job = IMB_FLUSH_JOB(state->manager);
        need(job != NULL, "flushing jobs of ipsec-mb");
        finish(state, job);
    }
}

/* One message, one job at a time. */
static void one(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    uint8_t iv[BLOCK], last[BLOCK];
    (void)key;
    memcpy(iv, state->iv, BLOCK);
    for (size_t at = 0; at < len; at += LONGEST) {
        const size_t piece = len - at < LONGEST ? len - at : LONGEST;
        const uint8_t *end = data + at + piece - BLOCK;
        memcpy(last, end, BLOCK);
        submit(state, state->schedules, iv, data + at, piece);
        flush(state);
        memcpy(iv, state->direction == IMB_DIR_ENCRYPT ? end : last, BLOCK);
    }
}

/* CBC decryption of one message in so many jobs of one length that all lanes are busy. */
static void pieces(struct state *state, const uint8_t *first_iv, uint8_t *data, size_t len)
{
    uint8_t ivs[PIECES][BLOCK];
    const size_t turns = (len + LANES * LONGEST - 1) / (LANES * LONGEST);
    const size_t blocks = len / BLOCK, jobs = LANES * turns;
    const size_t piece = (blocks + jobs - 1) / jobs * BLOCK;
    size_t count = 0;
    /* Jobs overwrite what is the next one's IV. */
    for (size_t at = 0; at < len; at += piece, count++)
        memcpy(ivs[count], at ? data + at - BLOCK : first_iv, BLOCK);
    for (size_t n = 0; n < count; n++) {
        const size_t left = len - n * piece;
        submit(state, state->schedules, ivs[n], data + n * piece, left < piece ? left : piece);
    }
    flush(state);
}

static void all_lanes(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    const size_t most = (size_t)PIECES * LONGEST;
    uint8_t iv[BLOCK], next[BLOCK];
    (void)key;
    memcpy(iv, state->iv, BLOCK);
    for (; len > 0; memcpy(iv, next, BLOCK)) {
        const size_t part = len < most ? len : most;
        memcpy(next, data + part - BLOCK, BLOCK);
        pieces(state, iv, data, part);
        data += part;
        len -= part;
    }
}

/* Keys are set up when their jobs come. */
static void each_new_key(void *opaque, const struct records *records)
{
    struct state *state = opaque;
    const size_t key_bytes = (size_t)key_len(state->cipher);
    for (size_t n = 0; n < records->count; n++) {
        struct schedule *schedule = &state->schedules[state->submitted % RING];
        need(state->submitted - state->done < RING, "keeping few jobs in flight");
        set_key(state, schedule, records->keys + n * key_bytes);
        submit(state, schedule, records->ivs + n * BLOCK, records->data + n * records->len,
               records->len);
    }
    flush(state);
}

static int make_schedules(struct state *state, size_t count)
{
    free(state->schedules);
    state->schedules = calloc(count, sizeof *state->schedules);
    for (size_t n = 0; state->schedules && n < count; n++)
        for (int k = 0; k < 3; k++)
            state->schedules[n].list[k] = state->schedules[n].ks[k];
    return state->schedules != NULL;
}

/* Keys are set up once for all calls: to compare them costs next to nothing. */
static void each_ready(void *opaque, const struct records *records)
{
    struct state *state = opaque;
    const size_t key_bytes = (size_t)key_len(state->cipher);
    const size_t all = records->count * key_bytes;
    if (state->key_count != records->count || memcmp(state->keys, records->keys, all) != 0) {
        free(state->keys);
        state->keys = malloc(all);
        need(state->keys && make_schedules(state, records->count), "getting memory");
        memcpy(state->keys, records->keys, all);
        state->key_count = records->count;
        for (size_t n = 0; n < records->count; n++)
            set_key(state, &state->schedules[n], records->keys + n * key_bytes);
    }
    for (size_t n = 0; n < records->count; n++)
        submit(state, &state->schedules[n], records->ivs + n * BLOCK,
               records->data + n * records->len, records->len);
    flush(state);
}

static void close_state(void *opaque)
{
    struct state *state = opaque;
    free(state->schedules);
    free(state->keys);
    free(state);
}

static struct state *new_state(enum cipher cipher, int encrypts, size_t schedules)
{
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->manager = manager();
    state->cipher = cipher;
    state->direction = encrypts ? IMB_DIR_ENCRYPT : IMB_DIR_DECRYPT;
    if (!state->manager || !make_schedules(state, schedules)) {
        close_state(state);
        return NULL;
    }
    return state;
}

static enum answer open_one_key(struct work *work, enum cipher cipher, int encrypts,
                                const uint8_t *key, const uint8_t *iv)
{
    struct state *state = new_state(cipher, encrypts, 1);
    if (!state)
        return FAILED;
    set_key(state, state->schedules, key);
    memcpy(state->iv, iv, BLOCK);
    work->close = close_state;
    work->state = state;
    return READY;
}

enum answer ipsec_mb_one_open(struct work *work, enum cipher cipher, enum operation operation,
                              const uint8_t *key, const uint8_t *iv)
{
    if (cipher == CIPHER_RC4 || (operation != CBC_ENCRYPT && operation != CBC_DECRYPT))
        return ABSENT;
    work->run = one;
    return open_one_key(work, cipher, operation == CBC_ENCRYPT, key, iv);
}

const char *ipsec_mb_jobs_load(void)
{
    return ipsec_mb_one_load();
}

enum answer ipsec_mb_jobs_open(struct work *work, enum cipher cipher, enum operation operation,
                               const uint8_t *key, const uint8_t *iv)
{
    if (cipher == CIPHER_RC4 || operation != CBC_DECRYPT || !has_lanes())
        return ABSENT;
    work->run = all_lanes;
    return open_one_key(work, cipher, 0, key, iv);
}

static enum answer open_each(struct each *each, enum cipher cipher, int encrypts,
                             void (*run)(void *, const struct records *))
{
    if (!has_lanes())
        return ABSENT;
    struct state *state = new_state(cipher, encrypts, RING);
    if (!state)
        return FAILED;
    each->run = run;
    each->close = close_state;
    each->state = state;
    return READY;
}

enum answer ipsec_mb_jobs_open_each(struct each *each, enum cipher cipher, int encrypts)
{
    return open_each(each, cipher, encrypts, each_new_key);
}

const char *ipsec_mb_ready_load(void)
{
    return ipsec_mb_one_load();
}

enum answer ipsec_mb_ready_open(struct work *work, enum cipher cipher, enum operation operation,
                                const uint8_t *key, const uint8_t *iv)
{
    (void)work, (void)cipher, (void)operation, (void)key, (void)iv;
    return ABSENT;
}

enum answer ipsec_mb_ready_open_each(struct each *each, enum cipher cipher, int encrypts)
{
    /* Key set-up is part of decrypting records. */
    return encrypts ? open_each(each, cipher, encrypts, each_ready) : ABSENT;
}
