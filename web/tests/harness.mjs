// What is done with the page, for the tests in the browser: tabs, fields, files, downloads, and a server that
// should hear of nothing.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Chromium } from "./chromium.mjs";
import { page } from "./page.mjs";

export const folder = mkdtempSync(join(tmpdir(), "cipherloom-page-"));
export const chromium = await Chromium.start();
export const address = pathToFileURL(page).href;

// What arrives at this machine: of the page nothing may.
export const arrived = [];
const server = createServer(({ url }, answer) => {
  arrived.push(url);
  answer.writeHead(200, { "access-control-allow-origin": "*" }).end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
export const elsewhere = `http://127.0.0.1:${server.address().port}`;

// Downloads that are complete, by the names that the page gave. The two events come in any order.
const downloads = new Map();
const names = new Map();
const complete = new Set();
chromium.on((method, { guid, state, suggestedFilename }) => {
  if (method === "Browser.downloadWillBegin") names.set(guid, suggestedFilename);
  if (method === "Browser.downloadProgress" && state === "completed") complete.add(guid);
  if (names.has(guid) && complete.has(guid)) downloads.set(names.get(guid), join(folder, guid));
});
const downloading = { behavior: "allowAndName", downloadPath: folder, eventsEnabled: true };
await chromium.call("Browser.setDownloadBehavior", downloading);

export const tabs = [];
export async function fresh({ picker = false } = {}) {
  const tab = await chromium.open(address);
  tabs.push(tab);
  await tab.until(`document.documentElement?.dataset.ready === ""`);
  // No one is there to answer a dialog of the system: this one says yes, and takes what is written.
  if (picker) await tab.value(PICKER);
  else await tab.value("delete window.showSaveFilePicker, delete Window.prototype.showSaveFilePicker, 0");
  return tab;
}

export const PICKER = `
  window.written = { size: 0, parts: 0, state: "open", last: null };
  window.showSaveFilePicker = async ({ suggestedName }) => ({
    createWritable: async () => {
      Object.assign(written, { size: 0, parts: 0, state: "open", name: suggestedName });
      return {
        write: async (bytes) => {
          written.size += bytes.size ?? bytes.length;
          written.parts++;
          written.last = bytes;
        },
        close: async () => { written.state = "closed"; },
        abort: async () => { written.state = "aborted"; },
      };
    },
  });
  0`;

export const set = (tab, id, value, event) => tab.value(`{
  const field = document.getElementById(${JSON.stringify(id)});
  if (field.closest("[hidden]")) throw new Error(field.id + " is hidden");
  if (field.type === "checkbox") field.checked = ${JSON.stringify(value)};
  else field.value = ${JSON.stringify(value)};
  if (field.value !== ${JSON.stringify(value)} && field.type !== "checkbox") throw new Error(field.id + " has no such value");
  field.dispatchEvent(new Event(${JSON.stringify(event)}, { bubbles: true }));
}`);
export const select = (tab, id, value) => set(tab, id, value, "change");
export const isRecognised = (tab) => tab.until("document.querySelectorAll('#way option').length > 0 && !what.hidden");

// Submits the form, and gives what it came to: the error, or what is shown.
export async function open(tab) {
  await tab.value("document.getElementById('open').click()");
  await tab.until("form.getAttribute('aria-busy') === 'false'");
  return tab.value(`({
    error: error.hidden ? null : error.textContent,
    outcome: result.hidden ? null : outcome.textContent,
    notes: notes.textContent, shown: shown.textContent, rows: rows.textContent,
    focus: document.activeElement.id,
  })`);
}

export async function choose(tab, name, bytes) {
  const path = join(folder, name);
  if (bytes) writeFileSync(path, bytes);
  await tab.choose("file", path);
  await tab.until(`found.textContent.startsWith(${JSON.stringify(`${name}, `)})`);
}

// What the page saves under a name, when it is there.
export async function saved(tab, name) {
  downloads.delete(name);
  await tab.value("save.click()");
  await tab.until("saved.textContent.startsWith('Saved.') || !error.hidden");
  const end = Date.now() + 60_000;
  while (!downloads.has(name)) {
    if (Date.now() > end) throw new Error(`${name} is never saved: ${[...names.values()]}; ${await tab.value("error.textContent")}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return downloads.get(name);
}

// The most memory that a process of a page ever had, in bytes.
export async function most() {
  const { processInfo } = await chromium.call("SystemInfo.getProcessInfo");
  const peaks = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => {
    const [, kibibytes] = readFileSync(`/proc/${id}/status`, "utf8").match(/VmHWM:\s+(\d+) kB/);
    return 1024 * kibibytes;
  });
  return Math.max(...peaks);
}

export async function picture(tab, name) {
  const pictures = process.env.CIPHERLOOM_PICTURES;
  if (pictures) writeFileSync(join(pictures, `${name}.png`), await tab.picture());
}

export async function stop() {
  await chromium.stop();
  server.close();
  rmSync(folder, { recursive: true });
}
