// What the page shows: bytes, columns, sizes, names.

const byId = (id) => document.getElementById(id);

// Bytes of a plaintext that are shown.
const SHOWN = 4096;
// Rows of a column that are shown; what is saved has all.
const MOST_ROWS = 200;

// Bytes as text, or null. The last character may be cut.
function asText(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    // Control characters are of no text.
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

// Bytes as rows of 16: place, hex, characters.
function asHex(bytes) {
  const rows = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(47);
    const characters = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "."));
    rows.push(`${at.toString(16).padStart(6, "0")}  ${hex}  ${characters.join("")}`);
  }
  return rows.join("\n");
}

function size(bytes) {
  if (bytes < 10_000) return `${bytes} bytes`;
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${["", "kB", "MB", "GB"][power]}`;
}

// The name of what a file of this name is decrypted to.
function plainName(name) {
  const bare = name.replace(/\.(enc|des3?|3des|rc4|b64|crypt|encrypted)$/i, "");
  return bare === name ? `${name}.decrypted` : bare;
}

// An element with a text, and nothing of it read as HTML.
function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, properties);
}

// The rows of a column as a table.
class Table {
  #body;
  #counts = new Map();
  total = 0;

  constructor(place) {
    const table = element("table", "");
    const head = table.createTHead().insertRow();
    for (const title of ["Line", "Status", "Plaintext", "Why"]) {
      head.append(element("th", title, { scope: "col" }));
    }
    this.#body = table.createTBody();
    place.replaceChildren(table);
  }

  add(rows) {
    this.total += rows.length;
    for (const { line, status, words, plaintext } of rows) {
      this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
      if (this.#body.rows.length >= MOST_ROWS) continue;
      const row = this.#body.insertRow();
      for (const text of [line, status, plaintext.slice(0, SHOWN), words]) row.insertCell().textContent = text;
      row.className = status === "decrypted" ? "" : "odd";
    }
  }

  // How many of each status.
  summary() {
    const parts = [...this.#counts].map(([status, count]) => `${count} ${status}`);
    const more = this.total > MOST_ROWS ? ` The first ${MOST_ROWS} are shown; what you save has all.` : "";
    return `${this.total} values: ${parts.join(", ")}.${more}`;
  }
}

// Rows as CSV (RFC 4180). An apostrophe keeps spreadsheets from taking a plaintext for a formula, as the
// command does by --escape-formulas; the values are as they were.
function asCsv(rows) {
  const field = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const escaped = (text) => (/^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n']/.test(text) ? `'${text}` : text);
  return rows.map(({ line, value, status, plaintext, words }) =>
    [String(line), value, status, escaped(plaintext), escaped(words)].map(field).join(",") + "\r\n").join("");
}
