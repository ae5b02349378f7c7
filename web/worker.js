// The work, beside the page: one job at a time. The page ends this worker to cancel a job, and after each one
// that had a secret, so that nothing of it is left.

// Bytes that are read at a time.
const PIECE = 1 << 20;
// What is looked at of a file's start and end before its key is known.
const EDGE = 8 << 10;
// What is looked at to see what a file is.
const START = 64 << 10;
// Values are opened in one piece.
const MOST = 256 << 20;
// Values of a column that the page hears of at once.
const ROWS = 500;

let library;
let goOn;

// Pieces of `blob`, from its start to `end`.
async function* pieces(blob, end) {
  for (let at = 0; at < end; at += PIECE) {
    yield new Uint8Array(await blob.slice(at, Math.min(at + PIECE, end)).arrayBuffer());
  }
}

async function whole(blob) {
  if (blob.size > MOST) {
    throw new Refusal(`the data has ${blob.size} bytes, and this format is one of values, which are opened whole, ` +
      `up to ${MOST}`);
  }
  return new Uint8Array(await blob.arrayBuffer());
}

// Hands bytes to the page, and waits until it wants more.
async function give(message, transfer) {
  const isTaken = new Promise((resolve) => { goOn = resolve; });
  postMessage(message, transfer);
  await isTaken;
}

async function giveBytes(bytes) {
  if (bytes.length > 0) await give({ kind: "bytes", bytes }, [bytes.buffer]);
}

const JOBS = {
  describe: async () => library.ask("describe").report,

  // What the data may be.
  recognise: async ({ blob }) => {
    const start = new Uint8Array(await blob.slice(0, START).arrayBuffer());
    return library.ask("recognise", start, blob.size).report;
  },

  // A value, opened in one piece.
  open: async ({ blob, form }) => {
    const value = await whole(blob);
    library.ask("fill_in", JSON.stringify(form));
    const { bytes, report } = library.ask("open", value);
    await giveBytes(bytes);
    return report;
  },

  // A file in pieces, up to `limit`: all of it if there is none.
  decrypt: async ({ blob, form, limit }) => {
    library.ask("fill_in", JSON.stringify(form));
    // Of a preset the start is enough.
    const isText = ["openssl", "raw"].includes(form.way) && ["base64", "hex"].includes(form.text);
    const end = limit ?? blob.size;
    const total = end + (isText ? blob.size : 0);
    let done = 0;
    const progress = (count) => postMessage({ kind: "progress", done: done += count, total });
    if (isText || blob.size <= 2 * EDGE) {
      for await (const piece of pieces(blob, blob.size)) {
        library.ask("sample", piece);
        if (isText) progress(piece.length);
      }
    } else {
      const edge = async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer());
      library.ask("sample", await edge(0, EDGE));
      library.skip(blob.size - 2 * EDGE);
      library.ask("sample", await edge(blob.size - EDGE, blob.size));
    }
    const { notes } = library.ask("begin").report;
    for await (const piece of pieces(blob, end)) {
      await giveBytes(library.ask("update", piece).bytes);
      progress(piece.length);
    }
    if (limit !== undefined) return { notes, end: [] };
    const { bytes, report } = library.ask("finish");
    await giveBytes(bytes);
    return { notes, end: report.notes };
  },

  // A value in each line: what became of each.
  column: async ({ blob, form }) => {
    library.ask("fill_in", JSON.stringify(form));
    let line = 0;
    const serve = async (lines) => {
      for (let at = 0; at < lines.length; at += ROWS) {
        const rows = lines.slice(at, at + ROWS).map((value, row) => ({ line: line + at + row + 1, value }));
        const filled = rows.filter(({ value }) => value.trim() !== "");
        if (filled.length === 0) continue;
        const { report } = library.ask("column", filled.map(({ value }) => value).join("\n"));
        await give({ kind: "rows", rows: filled.map((row, at) => ({ ...row, ...report[at] })) });
      }
      line += lines.length;
    };
    const decoder = new TextDecoder();
    let [rest, done] = ["", 0];
    for await (const piece of pieces(blob, blob.size)) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r?\n/);
      rest = lines.pop();
      if (rest.length > MOST) throw new Refusal(`line ${line + lines.length + 1} has more than ${MOST} bytes`);
      await serve(lines);
      postMessage({ kind: "progress", done: done += piece.length, total: blob.size });
    }
    await serve([rest + decoder.decode()]);
    return {};
  },
};

onmessage = async ({ data }) => {
  if (data.kind === "more") return goOn();
  try {
    library ??= await Library.load(data.module);
    const report = await JOBS[data.job](data);
    postMessage({ kind: "done", report });
  } catch (error) {
    // Of a defect, all is said that there is to say.
    const words = error instanceof Refusal ? error.message : `${error.name}: ${error.message}`;
    postMessage({ kind: "failed", words });
  }
};
