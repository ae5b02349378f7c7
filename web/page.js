// The page: what is filled in, and what is done with it. The work itself is the worker's.

// Up to so many bytes a file is decrypted as it is opened, and saved when that is asked for. Of a longer one
// only the start is opened, and all is decrypted while it is saved.
const LARGE = 256 << 20;
// Values of a preset that are longer go through in pieces, where it has a form that allows that.
const WHOLE = 16 << 20;
// Bytes of a large file that are opened.
const START = 64 << 10;

const workerAddress = URL.createObjectURL(
  new Blob(["\"use strict\";", byId("worker").textContent], { type: "text/javascript" }));
const code = Uint8Array.from(atob(byId("wasm").textContent.replace(/\s/g, "")), (c) => c.charCodeAt(0));
const module = await WebAssembly.compile(code).catch((error) => {
  fail("This browser is too old for the page: its WebAssembly has no vectors of 128 bits.");
  throw error;
});

// What was dropped, chosen or pasted.
let source = null;
// What it may be.
let guesses = [];
// What was opened, to be saved.
let opened = null;
// Ends the job at work.
let cancel = null;
// How a password or a key may be written.
const SECRETS = {
  password: { text: "text (UTF-8)", latin1: "text (Latin-1)", hex: "hex", base64: "base64" },
  key: { text: "usual for the format", hex: "hex", base64: "base64", characters: "characters" },
};
const CANCELLED = Symbol("cancelled");

// Runs a job in a worker of its own, so that memory with secrets goes with it. `take` gets what comes in
// between, and the worker waits for it.
function run(message, take = () => {}) {
  const worker = new Worker(workerAddress);
  return new Promise((resolve, reject) => {
    cancel = () => reject(CANCELLED);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = async ({ data }) => {
      try {
        if (data.kind === "done") resolve(data.report);
        else if (data.kind === "failed") reject(new Error(data.words));
        else if (data.kind === "progress") progress(data.done, data.total);
        else {
          await take(data);
          worker.postMessage({ kind: "more" });
        }
      } catch (error) {
        reject(error);
      }
    };
    worker.postMessage({ ...message, module });
  }).finally(() => {
    worker.terminate();
    cancel = null;
  });
}

const catalogue = await run({ job: "describe" });
const wayOf = (name) => catalogue.ways.find((way) => way.name === name);
const isInPieces = () => ["openssl", "raw"].includes(byId("way").value);

// ---- Work that one can see

function progress(done, total) {
  byId("bar").max = Math.max(total, 1);
  byId("bar").value = done;
  byId("part").textContent = `${Math.floor(100 * done / Math.max(total, 1))} %`;
}

// Does some work with the form locked, and says what went wrong.
async function work(action) {
  fail(null);
  progress(0, 1);
  const lock = (isLocked) => {
    for (const part of byId("form").querySelectorAll("input, select, textarea, button:not(#cancel)")) {
      part.disabled = isLocked;
    }
    byId("form").setAttribute("aria-busy", isLocked);
  };
  lock(true);
  // What is over in a moment shows no bar.
  const bar = setTimeout(() => {
    byId("working").hidden = false;
    byId("cancel").focus();
  }, 300);
  try {
    const after = await action();
    lock(false);
    after?.();
  } catch (error) {
    lock(false);
    if (error === CANCELLED) fail("Cancelled: nothing was saved.");
    // The user closed the dialog that asks where to save.
    else if (error.name !== "AbortError") fail(error.message);
  } finally {
    clearTimeout(bar);
    byId("working").hidden = true;
  }
}

function fail(words) {
  byId("error").hidden = words === null;
  byId("error").textContent = words ?? "";
  if (words !== null) byId("error").focus();
}

function forget() {
  opened = null;
  byId("result").hidden = true;
  byId("saved").textContent = "";
  fail(null);
}

// ---- Data

async function take(blob, name) {
  forget();
  source = blob.size > 0 ? { blob, name } : null;
  byId("what").hidden = byId("key").hidden = source === null;
  byId("found").textContent = name !== null && source === null ? "The file is empty." : "";
  if (source === null) return;
  const mine = source;
  const report = await run({ job: "recognise", blob }).catch((error) => fail(error.message));
  if (report === undefined || source !== mine) return;
  guesses = report.guesses;
  byId("column").checked = report.is_column;
  const [first] = guesses;
  const whose = report.is_column ? " A column; its first value:" : "";
  const what = first ? `${whose} ${first.why}.` : " Nothing known here: if you know more, choose it below.";
  byId("found").textContent = `${name ?? "The text"}, ${size(blob.size)}.${what}`;
  fillWays();
}

// The formats: likely ones, others, and those that nobody here opens are said.
function fillWays() {
  const option = ({ name, title }) => element("option", `${title} (${name})`, { value: name });
  const likely = guesses.filter(({ way }) => way).map(({ way }) => wayOf(way));
  const groups = [
    ["It may be", likely],
    ["Others", catalogue.ways.filter((way) => !likely.includes(way))],
  ];
  byId("way").replaceChildren(...groups.filter(([, ways]) => ways.length > 0).map(([label, ways]) => {
    const group = element("optgroup", "", { label });
    group.append(...ways.map(option));
    return group;
  }));
  const foreign = guesses.find(({ way, sure }) => !way && sure);
  if (likely.length === 0) byId("way").value = "raw";
  showWay(foreign?.why);
}

// The fields that a format needs.
function showWay(foreign) {
  const way = wayOf(byId("way").value);
  const guess = guesses.find((guess) => guess.way === way.name);
  byId("why").textContent = [
    foreign,
    guess === guesses[0] ? null : guess?.why,
    `A wrong key is shown by: ${way.shown_by}`,
    way.is_checked === false ? "No value of the real program was at hand to check this format" : null,
  ].filter(Boolean).join(". ") + ".";
  byId("text").value = guess?.text ?? "";

  const names = way.ciphers.length > 0 ? way.ciphers : catalogue.ciphers.map(({ name }) => name);
  const isChosen = way.ciphers.length > 1 || isInPieces();
  byId("cipher-field").hidden = !isChosen;
  byId("cipher").replaceChildren(...names.map((name) => element("option", name, { value: name })));
  if (isInPieces()) byId("cipher").value = "des-ede3-cbc";

  const [what, ...how] = way.secret.split(" ");
  byId("secret-field").hidden = way.secret === "none";
  byId("secret-label").textContent = [what[0].toUpperCase() + what.slice(1), ...how].join(" ");
  byId("key-file-field").hidden = !way.key_file;
  byId("digest-field").hidden = !way.digest;
  byId("count-field").hidden = !way.count;
  byId("padding").parentElement.hidden = !way.padding;
  byId("secret-as").parentElement.hidden = !SECRETS[what];
  byId("secret-as-label").textContent = `The ${what} is written as`;
  byId("secret-as").replaceChildren(...Object.entries(SECRETS[what] ?? {}).map(([value, title]) =>
    element("option", title, { value })));
  // Presets have others.
  const iso7816 = byId("padding").querySelector("[value=iso7816]");
  iso7816.hidden = iso7816.disabled = !isInPieces();
  if (iso7816.hidden && iso7816.selected) byId("padding").value = "";
  // What is seldom needed stands with what else is.
  byId(way.salt === "optional" ? "more" : "fields").append(byId("salt-field"));
  byId("salt-field").hidden = way.salt === "none";
  byId("salt-label").textContent =
    { KSN: "KSN in hex", optional: "Salt in hex, if the data has none" }[way.salt] ?? "Salt in hex";
  for (const field of document.querySelectorAll(".openssl")) field.hidden = way.name !== "openssl";
  for (const field of document.querySelectorAll(".file")) field.hidden = !isInPieces();
  byId("iv-label").textContent = way.iv === "optional" ? "IV in hex, if it is not zeros" : "IV in hex";
  showCipher();
}

function showCipher() {
  const { iv } = wayOf(byId("way").value);
  const cipher = catalogue.ciphers.find(({ name }) => name === byId("cipher").value);
  const hasNone = !byId("cipher-field").hidden && cipher.iv === 0;
  byId("iv-field").hidden = iv === "none" || hasNone;
}

// What is filled in. What is hidden is not.
function form() {
  const field = (id) => (byId(id).closest("[hidden]") ? "" : byId(id).value);
  const check = (id) => !byId(id).closest("[hidden]") && byId(id).checked;
  return {
    way: byId("way").value,
    cipher: field("cipher"),
    secret: field("secret"),
    secret_as: field("secret-as"),
    iv: field("iv"),
    salt: field("salt"),
    text: field("text"),
    digest: field("digest"),
    count: field("count"),
    padding: field("padding"),
    pbkdf2: check("pbkdf2"),
    nosalt: check("nosalt"),
    salvage: check("salvage"),
  };
}

// ---- Opening

// Takes bytes as they come, on disk where the browser likes that, and keeps the start.
class Collected {
  parts = [];
  start = new Uint8Array();
  size = 0;

  add({ bytes }) {
    if (this.start.length < SHOWN) {
      const more = bytes.subarray(0, SHOWN - this.start.length);
      const start = new Uint8Array(this.start.length + more.length);
      start.set(this.start);
      start.set(more, this.start.length);
      this.start = start;
    }
    this.size += bytes.length;
    this.parts.push(new Blob([bytes]));
  }

  blob() {
    return new Blob(this.parts, { type: "application/octet-stream" });
  }
}

async function open() {
  forget();
  const { blob, name } = source;
  const values = form();
  const [keys] = byId("key-file-field").hidden ? [] : byId("key-file").files;
  if (keys) Object.assign(values, { secret: await keys.text(), secret_as: "keyfile" });
  if (byId("column").checked) return openColumn(blob, values, name ?? "column");
  const isLong = wayOf(values.way).long && blob.size > WHOLE;
  if (!isInPieces() && !isLong || name === null) return openValue(blob, values, name ?? "value");
  return openFile(blob, values, name);
}

async function openValue(blob, values, name) {
  const collected = new Collected();
  const report = await run({ job: "open", blob, form: values }, (data) => collected.add(data));
  const isPlain = ["decrypted", "passed through"].includes(report.status);
  if (!isPlain) throw new Error(report.words);
  opened = { blob: collected.blob(), name: plainName(name) };
  const looks = report.looks ? `, ${report.looks}` : "";
  return show(`${size(collected.size)}${looks}.`, [report.words], collected, report.text);
}

async function openFile(blob, values, name) {
  const limit = blob.size > LARGE ? START : undefined;
  const collected = new Collected();
  const { notes, end } = await run({ job: "decrypt", blob, form: values, limit }, (data) => collected.add(data));
  opened = { blob: collected.blob(), name: plainName(name) };
  if (limit !== undefined) {
    opened = { encrypted: blob, form: values, name: plainName(name) };
    notes.push("This is the start. All of the file is decrypted, and its end is judged, when you save it.");
  }
  notes.push(...end);
  return show(limit ? "The file is large." : `${size(collected.size)}.`, notes, collected);
}

async function openColumn(blob, values, name) {
  const table = new Table(byId("rows"));
  const csv = [];
  await run({ job: "column", blob, form: values }, ({ rows }) => {
    table.add(rows);
    csv.push(new Blob([asCsv(rows)]));
  });
  const head = "line,value,status,plaintext,why\r\n";
  opened = { blob: new Blob([head, ...csv], { type: "text/csv" }), name: `${name}.csv` };
  return show(table.summary(), []);
}

// Shows what was opened: bytes, or the rows of a column, which are there.
function show(outcome, notes, collected, text) {
  return () => {
    byId("outcome").textContent = outcome;
    byId("notes").replaceChildren(...notes.filter(Boolean).map((note) => element("li", note)));
    byId("shown").hidden = !collected;
    byId("rows").hidden = Boolean(collected);
    if (collected) {
      const known = text ?? asText(collected.start);
      byId("shown").textContent = known?.slice(0, SHOWN) ?? asHex(collected.start.subarray(0, 512));
    }
    byId("result").hidden = false;
    byId("result-title").focus();
  };
}

// ---- Saving

async function save() {
  byId("saved").textContent = "";
  const { blob, encrypted, form: values, name } = opened;
  // Where the browser can, bytes go to the file as they come; it gets its name when it is complete.
  const file = window.showSaveFilePicker
    ? await (await showSaveFilePicker({ suggestedName: name })).createWritable()
    : null;
  const collected = new Collected();
  const told = [];
  try {
    if (encrypted) {
      const sink = file ? ({ bytes }) => file.write(bytes) : (data) => collected.add(data);
      const { end } = await run({ job: "decrypt", blob: encrypted, form: values }, sink);
      told.push(...end);
    } else if (file) await file.write(blob);
    await file?.close();
  } catch (error) {
    await file?.abort();
    throw error;
  }
  if (!file) download(blob ?? collected.blob(), name);
  byId("saved").textContent = ["Saved.", ...told].join(" ");
  return () => byId("save").focus();
}

function download(blob, name) {
  const link = element("a", "", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// ---- Who does what

byId("digest").append(
  element("option", "find it out, or the usual one", { value: "" }),
  ...catalogue.digests.map((name) => element("option", name, { value: name })));
byId("file").addEventListener("change", () => {
  const [file] = byId("file").files;
  if (file) byId("value").value = "";
  take(file ?? new Blob(), file?.name ?? null);
});
byId("value").addEventListener("input", () => {
  byId("file").value = "";
  take(new Blob([byId("value").value]), null);
});
byId("way").addEventListener("change", () => showWay());
byId("cipher").addEventListener("change", showCipher);
byId("show").addEventListener("change", () => {
  byId("secret").type = byId("show").checked ? "text" : "password";
});
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  work(open);
});
byId("save").addEventListener("click", () => work(save));
byId("cancel").addEventListener("click", () => cancel?.());
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    byId("drop").classList.toggle("over", kind === "dragover");
  });
}
document.addEventListener("dragleave", () => byId("drop").classList.remove("over"));
document.addEventListener("drop", ({ dataTransfer }) => {
  const [file] = dataTransfer.files;
  if (!file) return;
  byId("file").files = dataTransfer.files;
  byId("value").value = "";
  take(file, file.name);
});
document.documentElement.dataset.ready = "";
