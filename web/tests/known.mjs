// The library that is in the page, called without a browser: known answers, files of OpenSSL in pieces, and
// what is wrong in words.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { knownAnswers, openssl, part, root } from "./page.mjs";

const { Library, Refusal } = new Function(`${part("worker")}; return { Library, Refusal };`)();
const code = Buffer.from(part("wasm"), "base64");
const library = await Library.load(code);

const fillIn = (form) => library.ask("fill_in", JSON.stringify(form));

// Opens a value by a form.
function open(form, value) {
  fillIn(form);
  return library.ask("open", value);
}

// Decrypts a file in pieces of a size.
function decrypt(form, file, size) {
  fillIn(form);
  const isText = form.text === "base64" || form.text === "hex";
  const edge = 8192;
  if (isText || file.length <= 2 * edge) library.ask("sample", file);
  else {
    library.ask("sample", file.subarray(0, edge));
    library.skip(file.length - 2 * edge);
    library.ask("sample", file.subarray(file.length - edge));
  }
  const { notes } = library.ask("begin").report;
  const out = [];
  for (let at = 0; at < file.length; at += size) {
    out.push(library.ask("update", file.subarray(at, at + size)).bytes);
  }
  const { bytes, report } = library.ask("finish");
  return { bytes: Buffer.concat([...out, bytes]), notes, end: report.notes };
}

const refusal = (words) => (error) => error instanceof Refusal && words.test(error.message);
let [count, inPieces] = [0, 0];

// ---- The catalogue

const { ways, ciphers, digests } = library.ask("describe").report;
assert(ciphers.some(({ name }) => name === "des-ede3-cbc") && digests.includes("md5"));
assert(ways[0].name === "openssl" && ways[1].name === "raw");

// ---- Every known answer, and under a wrong secret never the same

const isOpenssl = (way) => way.startsWith("openssl-");
for (const { form, value, plaintext, line } of knownAnswers()) {
  const asked = isOpenssl(form.way) ? { ...form, way: "openssl" } : form;
  assert(ways.some(({ name }) => name === asked.way), line);
  const { bytes, report } = open(asked, value);
  assert.equal(report.status === "passed through" || report.status === "decrypted", true, line);
  assert.deepEqual(Buffer.from(bytes), plaintext, line);
  if (ways.find(({ name }) => name === asked.way).long && !value.startsWith("ENC(")) {
    const pieces = decrypt(asked, Buffer.from(value), 5);
    assert.deepEqual(pieces.bytes, plaintext, `${line}: in pieces`);
    assert.equal(pieces.end.length, 1);
    inPieces++;
  }
  const { guesses } = library.ask("recognise", value).report;
  assert(guesses.some(({ way }) => way === asked.way), `${line}: not recognised`);
  count++;
  // The lines of PEM are one value.
  const file = Buffer.from(value, "base64");
  if (asked.text === "base64" && file.toString("latin1").startsWith("-----BEGIN")) {
    const seen = library.ask("recognise", file).report;
    assert.deepEqual([seen.is_column, seen.guesses[0].way], [false, asked.way], line);
  }

  const { secret } = ways.find(({ name }) => name === asked.way);
  if (secret !== "password" || report.status !== "decrypted") continue;
  try {
    const wrong = open({ ...asked, secret: `${form.secret}~~`.slice(1) }, value);
    assert.notDeepEqual(Buffer.from(wrong.bytes), plaintext, `${line}: under a wrong password`);
  } catch (error) {
    assert(error instanceof Refusal, line);
  }
}

// SQL Server does not say that it was nvarchar: it is seen.
const passphrase = { way: "sqlserver", secret: "hello" };
const nvarchar = "01000000AA959FFB3A8E4B06B734051437E198C8B72000A058ACE91D617123DA102287EB";
assert.equal(open(passphrase, nvarchar).report.text, "world");

// A key may be written as one likes.
const bdk = "0123456789abcdeffedcba9876543210";
const byBdk = { way: "dukpt", salt: "ffff9876543210e00001" };
const opened = [["text", bdk], ["hex", "01:23:45:67:89:ab:cd:ef:fe:dc:ba:98:76:54:32:10"],
  ["base64", Buffer.from(bdk, "hex").toString("base64")]].map(([secret_as, secret]) =>
  Buffer.from(open({ ...byBdk, secret, secret_as }, "8F7777B28C7A459A").bytes).toString("hex"));
assert(opened[0].length === 16 && opened.every((bytes) => bytes === opened[0]), opened);
assert.throws(() => open({ ...byBdk, secret: "x!", secret_as: "base64" }, "8F7777B28C7A459A"), refusal(/^the key: /));

const passed = open({ way: "mysql", secret: "x" }, "68656c6c6f").report;
assert.deepEqual([passed.status, passed.text], ["passed through", "hello"]);
const raw_value = Buffer.from("FF8F7777B28C7A459A", "hex");
assert.equal(Buffer.from(open({ way: "mysql", secret: "sabakala" }, raw_value).bytes).toString(), "dog");
assert.throws(() => open({ way: "dukpt", secret: "00".repeat(16) }, "8F7777B28C7A459A"),
  refusal(/^the KSN is missing; it has 10 bytes$/));

const keyFile = { way: "mysql", secret: "# keys\n5 default_password\n", secret_as: "keyfile" };
const byNumber = open({ ...keyFile, text: "hex" }, "85D6DC8859F9759BBB");
assert.equal(byNumber.report.text, "hello");
assert.throws(() => open({ ...keyFile, secret: "x" }, ""), refusal(/line 1 of the key file/));

// ---- Files of this machine's OpenSSL

const plaintext = Buffer.alloc(300_001);
for (let at = 0; at < plaintext.length; at++) plaintext[at] = "thread by thread\n".charCodeAt(at % 17);
for (const [words, form] of [
  ["-des-ede3-cbc -md md5", {}],
  ["-des-ede3-cbc -md sha256", {}],
  ["-des-ede3-cbc -pbkdf2", {}],
  ["-des-ede3-cbc -pbkdf2 -iter 77", { count: "77" }],
  ["-des-ede3-cbc -md md5 -a", { text: "base64" }],
  ["-des-ede3-cbc -nosalt -md md5", { nosalt: true }],
  ["-des-cbc -md md5", { cipher: "des-cbc" }],
  ["-rc4 -md md5", { cipher: "rc4", digest: "md5" }],
  ["-des-ede3-cfb -md sha1", { cipher: "des-ede3-cfb", digest: "sha1" }],
]) {
  const file = openssl(`${words} -k thread`, plaintext);
  const asked = { way: "openssl", cipher: "des-ede3-cbc", secret: "thread", ...form };
  for (const size of [1 << 20, 4099]) {
    const { bytes, notes, end } = decrypt(asked, file, size);
    assert(plaintext.equals(bytes), `${words}, pieces of ${size}`);
    assert.equal(notes.some((note) => note.startsWith("key derivation found: ")), !asked.digest, words);
    assert.deepEqual(end, []);
  }
  const { guesses } = library.ask("recognise", file.subarray(0, 65536), file.length).report;
  if (!words.includes("-nosalt")) assert.equal(guesses[0].way, "openssl", words);
  count++;
}

// Of a file of more than 4 GiB, the start is judged as that of any other.
const backup = openssl("-des-ede3-cbc -md md5 -k thread", plaintext);
fillIn({ way: "openssl", cipher: "des-ede3-cbc", secret: "thread" });
library.ask("sample", backup.subarray(0, 8192));
library.skip(2 ** 32 + 24 - 2 * 8192);
library.ask("sample", backup.subarray(-8192));
assert.match(library.ask("begin").report.notes[0], /-md md5 \(the padding is right, the start looks like text\)/);

const key = "0123456789abcdeffedcba98765432100011223344556677";
const raw = openssl(`-des-ede3-cbc -K ${key} -iv 0001020304050607`, plaintext);
const byKey = { way: "raw", cipher: "des-ede3-cbc", secret: key, iv: "0001020304050607" };
assert(plaintext.equals(decrypt(byKey, raw, 65_536).bytes));

// A pasted value is hex or base64, whatever it is opened by.
const pasted = openssl(`-des-ede3-cbc -K ${key} -iv 0001020304050607`, Buffer.from("pasted"));
for (const value of [pasted.toString("hex"), pasted.toString("base64"), `X'${pasted.toString("hex")}',`]) {
  assert.equal(open(byKey, value).report.text, "pasted", value);
}
const broken = open({ way: "jasypt", secret: "x" }, "password=ENC(VIYeyCyD9/55Hhd1IajXmA==").report;
assert.equal(broken.words, "damaged: the closing parenthesis is missing");

const sample = readFileSync(`${root}samples/letter.txt.des3`);
const byPassword = { way: "openssl", cipher: "des-ede3-cbc", secret: "thread by thread" };
const letter = readFileSync(`${root}samples/letter.txt`);
assert(letter.equals(decrypt(byPassword, sample, 64).bytes));

// A key in base64 or in characters is the same key.
const base64 = Buffer.from(key, "hex").toString("base64");
assert(plaintext.equals(decrypt({ ...byKey, secret: base64, secret_as: "base64" }, raw, 65_536).bytes));
assert.throws(() => decrypt({ ...byKey, secret: "short", secret_as: "characters" }, raw, 64),
  refusal(/^the key for des-ede3-cbc: 5 bytes in place of 24$/));

// ---- What is wrong, in words

const marked = refusal(/^the password: it begins with a byte order mark/);
assert.throws(() => open({ ...passphrase, secret: "\ufeffhello" }, nvarchar), marked);
assert.throws(() => decrypt({ ...byPassword, secret: "\ufeffthread by thread" }, sample, 64), marked);

const wrong = { ...byPassword, secret: "wrong" };
assert.throws(() => decrypt(wrong, sample, 64), refusal(/the password is wrong, or the data is damaged/));
assert.throws(() => decrypt(byPassword, letter, 64), refusal(/does not start with Salted__/));
assert.throws(() => decrypt(byPassword, sample.subarray(0, 12), 64), refusal(/ends within the 16-byte/));
assert.throws(() => decrypt(byPassword, sample.subarray(0, -3), 64), refusal(/no multiple of 8/));
assert.throws(() => decrypt({ ...byKey, iv: "00" }, raw, 64), refusal(/the IV has 1 bytes/));
assert.throws(() => decrypt({ ...byKey, secret: "0x" }, raw, 64), refusal(/no hex digit/));
assert.throws(() => decrypt({ ...byKey, cipher: "aes" }, raw, 64), refusal(/unknown cipher aes/));
assert.throws(() => open({ way: "none" }, "AAAA"), refusal(/choose what wrote the data/));
assert.throws(() => library.ask("update", "x"), refusal(/wrong order/));
const salvaged = decrypt({ ...byPassword, digest: "md5", salvage: true }, sample.subarray(0, -3), 64);
assert.match(salvaged.end[0], /salvaged, but the last 5 bytes are no whole block/);
assert(letter.subarray(0, 100).equals(salvaged.bytes.subarray(0, 100)));

// ---- Columns are told from values in lines

fillIn(passphrase);
const rows = library.ask("column", [nvarchar, "x", `02${nvarchar.slice(2)}`, nvarchar].join("\n")).report;
assert.deepEqual(rows.map(({ status, plaintext: text }) => [status, text]),
  [["decrypted", "world"], ["damaged", ""], ["other format", ""], ["decrypted", "world"]]);
const isColumn = (text) => library.ask("recognise", text).report.is_column;
assert(isColumn("Yjaqhc7RFds=\nYjaqhc7RFds=\n") && isColumn("FF8F7777B28C7A459A\nFF8F7777B28C7A459A"));
assert(isColumn(`${nvarchar}\n${nvarchar}\n${nvarchar}`) && !isColumn("Yjaqhc7RFds=\n"));
const column = library.ask("recognise", `nothing at all\n${nvarchar}\n${nvarchar}\r\n`).report;
assert.deepEqual([column.guesses[0].way, column.is_column], ["sqlserver", true]);
const lines = openssl("-des-ede3-cbc -md md5 -k thread -a", plaintext.subarray(0, 500));
assert(!isColumn(lines));

// ---- In how long

const megabytes = 64;
const long = Buffer.alloc(1 << 20);
fillIn(byKey);
library.ask("sample", long);
library.ask("begin");
const start = performance.now();
for (let done = 0; done < megabytes; done++) library.ask("update", long);
const speed = megabytes * 1.048576 / ((performance.now() - start) / 1000);
assert(inPieces > 40, `only ${inPieces} in pieces`);
console.log(`${count} values and files opened by the page's library; 3DES-CBC ${speed.toFixed(0)} MB/s`);
