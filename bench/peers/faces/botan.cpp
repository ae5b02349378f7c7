// Botan by its C++ interface. The C interface copies messages in small pieces, which would not be
// Botan's speed.
#include "face.h"

#include <botan/block_cipher.h>
#include <botan/cipher_mode.h>
#include <botan/stream_cipher.h>
#include <botan/version.h>

#include <exception>
#include <memory>
#include <string>

DECLARE_FACE(botan);

namespace {

struct State {
    std::unique_ptr<Botan::BlockCipher> block;
    std::unique_ptr<Botan::Cipher_Mode> mode;
    std::unique_ptr<Botan::StreamCipher> stream;
    uint8_t iv[BLOCK];
    size_t key_len;
};

State &of(void *state)
{
    return *static_cast<State *>(state);
}

// An exception here has nowhere to go and ends the process.

void cbc(void *opaque, const uint8_t *, uint8_t *data, size_t len) noexcept
{
    State &state = of(opaque);
    state.mode->start(state.iv, BLOCK);
    state.mode->process(data, len);
}

void ecb(void *opaque, const uint8_t *, uint8_t *data, size_t len) noexcept
{
    of(opaque).block->encrypt_n(data, data, len / BLOCK);
}

void ctr(void *opaque, const uint8_t *, uint8_t *data, size_t len) noexcept
{
    State &state = of(opaque);
    state.stream->set_iv(state.iv, BLOCK);
    state.stream->cipher1(data, len);
}

void stream(void *opaque, const uint8_t *, uint8_t *data, size_t len) noexcept
{
    of(opaque).stream->cipher1(data, len);
}

void block_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len) noexcept
{
    State &state = of(opaque);
    state.block->set_key(key, state.key_len);
    state.block->encrypt_n(data, data, len / BLOCK);
}

void stream_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len) noexcept
{
    State &state = of(opaque);
    state.stream->set_key(key, state.key_len);
    state.stream->cipher1(data, len);
}

void close_state(void *opaque)
{
    delete static_cast<State *>(opaque);
}

void open(work &work, State &state, cipher cipher, operation operation, const uint8_t *key)
{
    const std::string name = cipher == CIPHER_DES ? "DES" : "TripleDES";
    const bool is_rc4 = cipher == CIPHER_RC4;
    switch (operation) {
    case CBC_ENCRYPT:
    case CBC_DECRYPT:
        state.mode = Botan::Cipher_Mode::create_or_throw(
            name + "/CBC/NoPadding",
            operation == CBC_ENCRYPT ? Botan::ENCRYPTION : Botan::DECRYPTION);
        state.mode->set_key(key, state.key_len);
        work.run = cbc;
        return;
    case CTR_CRYPT:
        state.stream = Botan::StreamCipher::create_or_throw("CTR-BE(" + name + ")");
        work.run = ctr;
        break;
    case ECB_ENCRYPT:
        work.run = ecb;
        break;
    case STREAM:
        work.run = stream;
        break;
    case NEW_KEY:
        work.run = is_rc4 ? stream_new_key : block_new_key;
        break;
    }
    if (is_rc4)
        state.stream = Botan::StreamCipher::create_or_throw("RC4");
    if (state.stream) {
        state.stream->set_key(key, state.key_len);
    } else {
        state.block = Botan::BlockCipher::create_or_throw(name);
        state.block->set_key(key, state.key_len);
    }
}

} // namespace

const char *botan_load(void)
{
    static const std::string version = Botan::short_version_string();
    return version.c_str();
}

answer botan_open(work *work, cipher cipher, operation operation, const uint8_t *key,
                  const uint8_t *iv)
{
    try {
        auto state = std::make_unique<State>();
        state->key_len = static_cast<size_t>(key_len(cipher));
        std::copy_n(iv, BLOCK, state->iv);
        open(*work, *state, cipher, operation, key);
        work->close = close_state;
        work->state = state.release();
        return READY;
    } catch (const std::exception &) {
        return FAILED;
    }
}
