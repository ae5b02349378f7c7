// The page in Chromium, from its file, without a server.
//
// CIPHERLOOM_PICTURES=FOLDER puts pictures of the page there.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createReadStream, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { accessibility } from "./accessibility.mjs";
import {
  PICKER, address, arrived, choose, chromium, elsewhere, folder, fresh, isRecognised, most, open, picture,
  saved, select, set, stop, tabs,
} from "./harness.mjs";
import { knownAnswers, openssl, page } from "./page.mjs";

const hashOf = async (path) => {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
};

const text = Buffer.from("Dear Ruth,\nthe loom stands still.\n".repeat(3000));
const BACKUP = "-des-ede3-cbc -md md5 -k thread";

const TESTS = {
  "files of OpenSSL are opened and saved": async () => {
    const tab = await fresh();
    for (const [name, words, fields] of [
      ["old.txt.des3", "-des-ede3-cbc -md md5", {}],
      ["new.txt.des3", "-des-ede3-cbc -pbkdf2", {}],
      ["armed.txt.b64", "-des-ede3-cbc -md sha256 -a", {}],
      ["single.txt.enc", "-des-cbc -md md5", { cipher: "des-cbc" }],
      ["stream.txt.rc4", "-rc4 -md md5", { cipher: "rc4", digest: "md5" }],
    ]) {
      await choose(tab, name, openssl(`${words} -k thread`, text));
      for (const [id, value] of Object.entries({ digest: "", ...fields })) await select(tab, id, value);
      await set(tab, "secret", "thread", "input");
      const { error, notes, shown, focus } = await open(tab);
      assert.equal(error, null, name);
      assert(shown.startsWith("Dear Ruth,\nthe loom"), name);
      assert(fields.digest || notes.includes("key derivation found: "), `${name}: ${notes}`);
      assert.equal(focus, "result-title");
      const file = await saved(tab, name.replace(/\.[a-z0-9]+$/, ""));
      assert(text.equals(readFileSync(file)), name);
    }
    await picture(tab, "opened");

    // Dropped, as a hand would.
    await tab.value(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["Salted__12345678"], "dropped.enc"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }`);
    await tab.until("found.textContent.startsWith('dropped.enc, 16 bytes. ')");
    assert.match((await open(tab)).error, /there is no ciphertext in the input/);
  },

  "every known answer of every preset is opened": async () => {
    const tab = await fresh({ picker: true });
    let opened = 0;
    for (const { form, value, plaintext, line } of knownAnswers()) {
      await set(tab, "value", value, "input");
      await isRecognised(tab);
      // The guess comes a moment later than the text.
      await tab.until(`found.textContent.startsWith("The text, ${Buffer.byteLength(value)} bytes.")`);
      await select(tab, "way", form.way.startsWith("openssl-") ? "openssl" : form.way);
      if (form.cipher && !(await tab.value("document.getElementById('cipher-field').hidden"))) {
        await select(tab, "cipher", form.cipher);
      }
      // By hand: a row of the table says what is not as usual, and the page guesses.
      await select(tab, "text", form.text);
      if (form.way.startsWith("openssl-")) await select(tab, "text", form.text || "base64");
      for (const id of ["iv", "salt"]) if (form[id]) await set(tab, id, form[id], "input");
      if (form.secret) {
        await tab.value("document.querySelector('details').open = true");
        await select(tab, "secret-as", form.secret_as || "text");
        await set(tab, "secret", form.secret, "input");
      }
      await tab.value("column.checked = false");
      const { error, outcome } = await open(tab);
      assert.equal(error, null, line);
      assert(outcome.startsWith(`${plaintext.length} bytes`), `${line}: ${outcome}`);
      await tab.value("save.click()");
      await tab.until("saved.textContent === 'Saved.'");
      const bytes = await tab.value("written.last.arrayBuffer().then((bytes) => [...new Uint8Array(bytes)])");
      assert.deepEqual(Buffer.from(bytes), plaintext, line);
      opened++;
      for (const id of ["iv", "salt", "secret"]) await tab.value(`document.getElementById("${id}").value = ""`);
    }
    assert(opened > 40, `only ${opened}`);
  },

  "what is wrong is said, and nothing is shown": async () => {
    const tab = await fresh();
    const file = openssl(BACKUP, text);
    await choose(tab, "letter.des3", file);
    await set(tab, "secret", "wrong", "input");
    let said = await open(tab);
    assert.match(said.error, /the password is wrong, or the data is damaged/);
    assert.equal(said.outcome, null);
    assert.equal(said.focus, "error");
    await picture(tab, "wrong");

    await set(tab, "secret", "thread", "input");
    assert.equal((await open(tab)).error, null);
    await choose(tab, "cut.des3", file.subarray(0, -5));
    said = await open(tab);
    assert.match(said.error, /no multiple of 8: it is truncated/);
    assert.equal(said.outcome, null);

    await tab.value("document.querySelector('details').open = true");
    await set(tab, "salvage", true, "change");
    said = await open(tab);
    assert.equal(said.error, null);
    assert.match(said.notes, /salvaged, but the last 3 bytes are no whole block/);
    await set(tab, "salvage", false, "change");

    writeFileSync(join(folder, "empty.bin"), "");
    await tab.choose("file", join(folder, "empty.bin"));
    await tab.until("found.textContent === 'The file is empty.'");
    await set(tab, "value", "01000000AA959FFB3A8E4B06B734051437E198C8B72000A058ACE91D617123DA102287EB", "input");
    await tab.until("found.textContent.startsWith('The text, 72 bytes.') && way.value === 'sqlserver'");
    await set(tab, "secret", "goodbye", "input");
    assert.match((await open(tab)).error, /wrong key/);
  },

  "a column has a status for each value": async () => {
    const tab = await fresh();
    const lines = ["Yjaqhc7RFds=", "7KjhZxBV5apjHkuW/NzuGA==", "not a value", "Yjaqhc7RFds="];
    await set(tab, "value", lines.join("\n"), "input");
    await isRecognised(tab);
    await tab.until("column.checked");
    await select(tab, "way", "dotnet-md5");
    await select(tab, "text", "base64");
    await set(tab, "secret", "123456", "input");
    const { error, outcome, rows } = await open(tab);
    assert.equal(error, null);
    assert.equal(outcome, "4 values: 2 decrypted, 1 wrong key, 1 damaged.");
    assert.match(rows, /1decryptedtest/);
    const csv = readFileSync(await saved(tab, "column.csv"), "utf8").split("\r\n");
    assert.match(csv[1], /^1,[^,]+,decrypted,test,decrypted: 4 bytes of padding are right$/);
    assert.match(csv[3], /^3,[^,]+,damaged,,/);
    await picture(tab, "column");

    // In a file, of more rows than are shown.
    const value = "01000000AA959FFB3A8E4B06B734051437E198C8B72000A058ACE91D617123DA102287EB";
    const kinds = [value, `02${value.slice(2)}`, value.slice(0, -2), `${value.slice(0, 8)}BB${value.slice(10)}`];
    const rowsOf = (count) => Array.from({ length: count }, (_, row) => kinds[row % 4]).join("\r\n");
    await choose(tab, "mixed.txt", rowsOf(20_000));
    await tab.until("column.checked && way.value === 'sqlserver'");
    await set(tab, "secret", "hello", "input");
    const all = await open(tab);
    assert.equal(all.error, null);
    assert.equal(all.outcome, "20000 values: 5000 decrypted, 5000 other format, 5000 damaged, 5000 wrong key. " +
      "The first 200 are shown; what you save has all.");
    const whole = readFileSync(await saved(tab, "mixed.txt.csv"), "utf8").split("\r\n");
    assert.equal(whole.length, 20_002);
    assert.equal(whole[19_997], `19997,${value},decrypted,world,decrypted: the magic number is right`);
  },

  "MySQL's key file is taken in place of a password": async () => {
    const tab = await fresh();
    await set(tab, "value", "85D6DC8859F9759BBB", "input");
    await tab.until("found.textContent.startsWith('The text, 18 bytes.') && !what.hidden");
    await select(tab, "way", "mysql");
    writeFileSync(join(folder, "des_key_file"), "0 other\n5 default_password\n");
    await tab.choose("key-file", join(folder, "des_key_file"));
    const { error, shown } = await open(tab);
    assert.deepEqual([error, shown], [null, "hello"]);
  },

  "a file of 300 MB goes through in pieces": async () => {
    const plain = Buffer.alloc(300 << 20, "a line of sixteen bytes or more\n");
    writeFileSync(join(folder, "large.enc"), openssl("-des-cbc -md md5 -k thread", plain));
    const tab = await fresh();
    await choose(tab, "large.enc");
    await select(tab, "cipher", "des-cbc");
    await set(tab, "secret", "thread", "input");
    const { error, notes, shown } = await open(tab);
    assert.equal(error, null);
    assert.match(notes, /This is the start/);
    assert(shown.startsWith("a line of sixteen"));

    const before = await most();
    const file = await saved(tab, "large");
    assert.equal(await hashOf(file), createHash("sha256").update(plain).digest("hex"));
    const grown = ((await most()) - before) >> 20;
    assert(grown < 150, `a renderer grew by ${grown} MiB for a file of 300`);
    rmSync(file);

    // Where the browser lets a page write to a file, piece by piece.
    await tab.value(PICKER);
    await tab.value("save.click()");
    await tab.until("saved.textContent.startsWith('Saved.') || !error.hidden");
    const { size, parts, state } = await tab.value("written");
    assert.deepEqual([size, state], [plain.length, "closed"]);
    assert(parts >= 300);

    // Cancelled, it leaves nothing.
    await tab.value("save.click()");
    await tab.until("!working.hidden && written.parts > 3");
    await picture(tab, "working");
    await tab.value("cancel.click()");
    await tab.until("error.textContent.startsWith('Cancelled')");
    assert.equal(await tab.value("written.state"), "aborted");

    // A preset's: a wrong password shows when all of it went by, and nothing is saved.
    const password = "open sesame";
    const key = createHash("md5").update(password).digest("hex");
    writeFileSync(join(folder, "large.bin"), openssl(`-des-ede-ecb -K ${key}`, plain));
    await choose(tab, "large.bin");
    await select(tab, "way", "dotnet-md5");
    await set(tab, "secret", "wrong", "input");
    assert.equal((await open(tab)).error, null);
    await tab.value("save.click()");
    await tab.until("saved.textContent.startsWith('Saved.') || !error.hidden");
    assert.match(await tab.value("error.textContent"), /wrong key/);
    assert.equal(await tab.value("written.state"), "aborted");
    await set(tab, "secret", password, "input");
    assert((await open(tab)).shown.startsWith("a line of sixteen"));
    await tab.value("save.click()");
    await tab.until("saved.textContent.startsWith('Saved.') || !error.hidden");
    assert.match(await tab.value("saved.textContent"), /^Saved. 8 bytes of padding are right$/);
    assert.deepEqual((({ size, state }) => [size, state])(await tab.value("written")), [plain.length, "closed"]);
    // Pieces of five passes, as far as they are not yet collected; no file whole.
    const allOf = ((await most()) - before) >> 20;
    assert(allOf < 280, `a renderer grew by ${allOf} MiB for files of 300`);
  },

  "the keyboard alone is enough": async () => {
    const tab = await fresh({ picker: true });
    writeFileSync(join(folder, "keys.txt.des3"), openssl(BACKUP, text));
    await tab.tabTo("file");
    await tab.chooseByKeyboard(join(folder, "keys.txt.des3"));
    await tab.until("found.textContent.startsWith('keys.txt.des3, ')");
    await tab.tabTo("way");
    assert.equal(await tab.value("way.value"), "openssl");
    await tab.tabTo("secret");
    await tab.write("thread");
    await tab.enter();
    await tab.until("document.activeElement.id === 'result-title'");
    assert(await tab.value("shown.textContent.startsWith('Dear Ruth,')"));
    await tab.tabTo("save");
    await tab.space();
    await tab.until("saved.textContent === 'Saved.'");
    const { name, state, size } = await tab.value("written");
    assert.deepEqual([name, state, size], ["keys.txt", "closed", text.length]);
    await tab.until("document.activeElement.id === 'save'");
  },

  "nothing can leave": async () => {
    const ways = (to) => `(async () => {
      const asked = {
        fetch: fetch("${to}/fetch").then(() => "sent", () => "refused"),
        beacon: Promise.resolve(navigator.sendBeacon("${to}/beacon")),
        image: new Promise((resolve) => {
          const image = new Image();
          image.onload = image.onerror = () => resolve("over");
          image.src = "${to}/image";
        }),
        worker: new Promise((resolve) => {
          const source = 'fetch("${to}/worker").then(() => postMessage("sent"), () => postMessage("refused"))';
          const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = () => resolve("no worker");
        }),
        script: new Promise((resolve) => {
          const script = document.createElement("script");
          script.onload = script.onerror = () => resolve("over");
          script.src = "${to}/script";
          document.body.append(script);
        }),
      };
      return Object.fromEntries(await Promise.all(
        Object.entries(asked).map(async ([name, result]) => [name, await result])));
    })()`;
    // The same page without its policy: all of it arrives, so this test would see it.
    const bare = join(folder, "bare.html");
    writeFileSync(bare, readFileSync(page, "utf8").replace(/<meta http-equiv[^>]*>/, ""));
    const other = await chromium.open(pathToFileURL(bare).href);
    await other.until(`document.documentElement?.dataset.ready === ""`);
    await other.value(ways(elsewhere));
    assert.deepEqual([...new Set(arrived)].sort(), ["/beacon", "/fetch", "/image", "/script", "/worker"]);
    assert(other.requests.some((request) => request.startsWith(elsewhere)));

    arrived.length = 0;
    const tab = await fresh();
    const answers = await tab.value(ways(elsewhere));
    assert.equal(answers.fetch, "refused");
    assert.equal(answers.worker, "refused");
    assert.deepEqual(arrived, []);
    assert(tab.complaints.some((complaint) => complaint.includes("Content Security Policy")));
    // It tried, and that is all that it ever did.
    tabs.splice(tabs.indexOf(tab), 1);
  },

  "all can be read out and seen": async () => {
    for (const scheme of ["light", "dark"]) {
      const tab = await fresh();
      await tab.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
      await picture(tab, `empty-${scheme}`);
      await accessibility(tab, `${scheme}, empty`);
      await choose(tab, "seen.txt.des3", openssl(BACKUP, text));
      await tab.value("document.querySelector('details').open = true");
      await set(tab, "secret", "wrong", "input");
      await open(tab);
      await accessibility(tab, `${scheme}, an error`);
      await set(tab, "secret", "thread", "input");
      await open(tab);
      await picture(tab, `opened-${scheme}`);
      // As narrow as WCAG asks for: nothing has to be moved sideways.
      const narrow = { width: 320, height: 640, deviceScaleFactor: 1, mobile: false };
      await tab.call("Emulation.setDeviceMetricsOverride", narrow);
      await picture(tab, `narrow-${scheme}`);
      const root = "document.documentElement";
      assert(await tab.value(`${root}.scrollWidth <= ${root}.clientWidth`));
      await tab.call("Emulation.clearDeviceMetricsOverride");
      await accessibility(tab, `${scheme}, opened`);
    }
  },
};

let failed = 0;
const wanted = process.argv[2] ?? "";
for (const [name, test] of Object.entries(TESTS).filter(([name]) => name.includes(wanted))) {
  const start = Date.now();
  try {
    await test();
    console.log(`ok      ${((Date.now() - start) / 1000).toFixed(1).padStart(5)} s  ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}

// Over all of that, no page asked for anything but itself and what it made.
for (const { requests, complaints } of tabs) {
  const outside = requests.filter((request) => request !== address && !/^(blob|data):/.test(request));
  if (outside.length > 0 || complaints.length > 0) {
    failed++;
    console.log("FAILED  the page asked for", outside, "or complained:", complaints);
  }
}
const watched = tabs.reduce((sum, { requests }) => sum + requests.length, 0);
console.log(`${watched} requests of ${tabs.length} pages and their workers: all of the page itself`);

await stop();
process.exit(failed === 0 && watched >= tabs.length ? 0 : 1);
