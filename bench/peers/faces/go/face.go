// Go's crypto/des and crypto/rc4, as an archive that is linked into the harness.
//
// A call from C into Go costs as much as several blocks, so the repetition is on this side.
package main

/*
#include <stddef.h>
#include <stdint.h>
*/
import "C"

import (
	"crypto/cipher"
	"crypto/des"
	"crypto/rc4"
	"runtime"
	"runtime/cgo"
	"unsafe"
)

// As in face.h.
const (
	cipherDES = iota
	cipherDES3
	cipherRC4
)

const (
	cbcEncrypt = iota
	cbcDecrypt
	ecbEncrypt
	ctrCrypt
	stream
	newKey
)

var keyLen = [...]int{8, 24, 16}

// A work is one call, in place; key is for newKey alone.
type work func(key, data []byte)

//export go_version
func go_version() *C.char {
	return C.CString(runtime.Version())
}

// go_open gives 0 if Go has no such operation.
//
//export go_open
func go_open(which, operation C.int, key, iv *C.uint8_t) C.uintptr_t {
	w := open(int(which), int(operation), copied(key, keyLen[which]), copied(iv, des.BlockSize))
	if w == nil {
		return 0
	}
	return C.uintptr_t(cgo.NewHandle(w))
}

// go_run makes `calls` calls; number n takes key number (first + n) mod count.
//
//export go_run
func go_run(handle C.uintptr_t, keys *C.uint8_t, len, count, first, calls C.size_t, data *C.uint8_t, dataLen C.size_t) {
	w := cgo.Handle(handle).Value().(work)
	all := unsafe.Slice((*byte)(keys), int(len*count))
	buf := unsafe.Slice((*byte)(data), int(dataLen))
	for n := C.size_t(0); n < calls; n++ {
		at := (first + n) % count * len
		w(all[at:at+len], buf)
	}
}

//export go_close
func go_close(handle C.uintptr_t) {
	cgo.Handle(handle).Delete()
}

func copied(p *C.uint8_t, len int) []byte {
	return C.GoBytes(unsafe.Pointer(p), C.int(len))
}

func open(which, operation int, key, iv []byte) work {
	if which == cipherRC4 {
		if operation == newKey {
			return func(key, data []byte) { rc4Of(key).XORKeyStream(data, data) }
		}
		c := rc4Of(key)
		return func(_, data []byte) { c.XORKeyStream(data, data) }
	}
	block := blockOf(which, key)
	switch operation {
	case cbcEncrypt:
		return func(_, data []byte) { cipher.NewCBCEncrypter(block, iv).CryptBlocks(data, data) }
	case cbcDecrypt:
		return func(_, data []byte) { cipher.NewCBCDecrypter(block, iv).CryptBlocks(data, data) }
	case ctrCrypt:
		return func(_, data []byte) { cipher.NewCTR(block, iv).XORKeyStream(data, data) }
	case ecbEncrypt:
		return func(_, data []byte) { ecb(block, data) }
	case newKey:
		return func(key, data []byte) { ecb(blockOf(which, key), data) }
	}
	return nil
}

func ecb(block cipher.Block, data []byte) {
	for len(data) > 0 {
		block.Encrypt(data, data)
		data = data[des.BlockSize:]
	}
}

func blockOf(which int, key []byte) cipher.Block {
	make := des.NewCipher
	if which == cipherDES3 {
		make = des.NewTripleDESCipher
	}
	block, err := make(key)
	if err != nil {
		panic(err)
	}
	return block
}

func rc4Of(key []byte) *rc4.Cipher {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err)
	}
	return c
}

func main() {}
