// What the tests of the page share: its parts, known answers, OpenSSL.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const page = `${root}web/cipherloom.html`;

// The text of a part of the page.
export function part(id) {
  const [, rest] = readFileSync(page, "utf8").split(`<script type="text/plain" id="${id}">`);
  return rest.split("</script>")[0];
}

// A line of the presets' known answers, as the form has it.
export function knownAnswers() {
  const lines = readFileSync(`${root}crates/formats/tests/presets/known.txt`, "utf8").split("\n");
  const known = lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => {
    const [way, cipher, text, secret, salt, iv, value, plaintext] =
      line.split(" |").map((column) => column.trim());
    const isHex = secret.startsWith("hex:");
    return {
      form: {
        way, cipher, text, salt, iv,
        secret: isHex ? secret.slice(4) : secret,
        secret_as: isHex ? "hex" : "text",
      },
      value,
      plaintext: bytesOf(plaintext),
      line,
    };
  });
  // Fewer would mean that the table is read wrongly.
  if (known.length < 40) throw new Error(`only ${known.length} known answers were read`);
  return known;
}

function bytesOf(plaintext) {
  const [, kind, text] = plaintext.match(/^(?:(utf16|hex):)?(.*)$/s);
  const encoding = { utf16: "utf16le", hex: "hex" }[kind] ?? "utf8";
  return Buffer.from(text, encoding);
}

// What `openssl enc` makes of bytes.
export function openssl(words, input) {
  const all = ["enc", ...words.split(" "), "-provider", "legacy", "-provider", "default"];
  const options = { input, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "ignore"] };
  return execFileSync(process.env.CIPHERLOOM_OPENSSL ?? "openssl", all, options);
}
