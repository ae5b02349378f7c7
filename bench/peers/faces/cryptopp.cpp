// Crypto++.
#define CRYPTOPP_ENABLE_NAMESPACE_WEAK 1
#include "face.h"

#include <cryptopp/arc4.h>
#include <cryptopp/des.h>
#include <cryptopp/modes.h>

#include <exception>
#include <memory>
#include <string>

DECLARE_FACE(cryptopp);

namespace {

struct State {
    std::unique_ptr<CryptoPP::BlockCipher> block;
    std::unique_ptr<CryptoPP::SymmetricCipher> mode;
    uint8_t iv[BLOCK];
    size_t key_len;
};

State &of(void *state)
{
    return *static_cast<State *>(state);
}

// An exception here has nowhere to go and ends the process.

void from_iv(void *opaque, const uint8_t *, uint8_t *data, size_t len) noexcept
{
    State &state = of(opaque);
    state.mode->Resynchronize(state.iv, BLOCK);
    state.mode->ProcessData(data, data, len);
}

void go_on(void *opaque, const uint8_t *, uint8_t *data, size_t len) noexcept
{
    of(opaque).mode->ProcessData(data, data, len);
}

void block_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len) noexcept
{
    State &state = of(opaque);
    state.block->SetKey(key, state.key_len);
    for (size_t at = 0; at < len; at += BLOCK)
        state.block->ProcessBlock(data + at);
}

void stream_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len) noexcept
{
    State &state = of(opaque);
    state.mode->SetKey(key, state.key_len);
    state.mode->ProcessData(data, data, len);
}

void close_state(void *opaque)
{
    delete static_cast<State *>(opaque);
}

template <class Cipher> void open_block(work &work, State &state, operation operation)
{
    using namespace CryptoPP;
    work.run = from_iv;
    switch (operation) {
    case CBC_ENCRYPT:
        state.mode = std::make_unique<typename CBC_Mode<Cipher>::Encryption>();
        break;
    case CBC_DECRYPT:
        state.mode = std::make_unique<typename CBC_Mode<Cipher>::Decryption>();
        break;
    case CTR_CRYPT:
        state.mode = std::make_unique<typename CTR_Mode<Cipher>::Encryption>();
        break;
    case ECB_ENCRYPT:
        state.mode = std::make_unique<typename ECB_Mode<Cipher>::Encryption>();
        work.run = go_on;
        break;
    default:
        state.block = std::make_unique<typename Cipher::Encryption>();
        work.run = block_new_key;
        break;
    }
}

void open(work &work, State &state, cipher cipher, operation operation, const uint8_t *key)
{
    if (cipher == CIPHER_RC4) {
        state.mode = std::make_unique<CryptoPP::Weak::ARC4>(key, state.key_len);
        work.run = operation == NEW_KEY ? stream_new_key : go_on;
        return;
    }
    if (cipher == CIPHER_DES)
        open_block<CryptoPP::DES>(work, state, operation);
    else
        open_block<CryptoPP::DES_EDE3>(work, state, operation);
    if (state.block)
        state.block->SetKey(key, state.key_len);
    else if (operation == ECB_ENCRYPT)
        state.mode->SetKey(key, state.key_len);
    else
        state.mode->SetKeyWithIV(key, state.key_len, state.iv, BLOCK);
}

} // namespace

const char *cryptopp_load(void)
{
    // 870 is 8.7.0.
    const int number = CryptoPP::LibraryVersion();
    static std::string version;
    version = std::to_string(number / 100) + "." + std::to_string(number / 10 % 10) + "."
              + std::to_string(number % 10);
    return version.c_str();
}

answer cryptopp_open(work *work, cipher cipher, operation operation, const uint8_t *key,
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
