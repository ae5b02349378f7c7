// Chromium without a window, by its own protocol over a pipe: no package is needed for that.
// https://chromedevtools.github.io/devtools-protocol/

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
  "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
  "--remote-debugging-pipe",
];

// How long something may take that takes a moment, on a machine that has much else to do.
const PATIENCE = 120_000;

export class Chromium {
  #calls = new Map();
  #last = 0;
  #handlers = [];

  static async start() {
    const chromium = new Chromium();
    chromium.profile = mkdtempSync(join(tmpdir(), "cipherloom-chromium-"));
    const flags = [...FLAGS, `--user-data-dir=${chromium.profile}`, "about:blank"];
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"];
    chromium.process = spawn("chromium", flags, { stdio });
    chromium.#listen(chromium.process.stdio[4]);
    return chromium;
  }

  #listen(pipe) {
    let text = "";
    pipe.setEncoding("utf8").on("data", (more) => {
      const messages = (text + more).split("\0");
      text = messages.pop();
      for (const message of messages) this.#take(JSON.parse(message));
    });
  }

  #take({ id, result, error, method, params, sessionId }) {
    if (id === undefined) {
      for (const handler of this.#handlers) handler(method, params, sessionId);
      return;
    }
    const { resolve, reject, what } = this.#calls.get(id);
    this.#calls.delete(id);
    if (error) reject(new Error(`${what}: ${error.message}`));
    else resolve(result);
  }

  // Has every event told.
  on(handler) {
    this.#handlers.push(handler);
  }

  call(method, params = {}, sessionId = undefined) {
    const id = ++this.#last;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject, what: method }));
  }

  async stop() {
    const isOver = new Promise((resolve) => this.process.on("exit", resolve));
    await this.call("Browser.close").catch(() => {});
    await isOver;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10 });
  }

  // A tab with a page. `requests` are the addresses that it and its workers ask for.
  async open(address) {
    const { targetId } = await this.call("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.call("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, targetId, sessionId);
    this.on((method, params, session) => tab.take(method, params, session));
    await tab.watch(sessionId);
    await tab.call("Page.enable");
    await tab.call("Log.enable");
    await tab.call("Page.navigate", { url: address });
    return tab;
  }
}

class Tab {
  requests = [];
  // What the browser and the page complain of.
  complaints = [];
  #sessions = new Set();
  #chooser = null;

  constructor(chromium, targetId, sessionId) {
    Object.assign(this, { chromium, targetId, sessionId });
  }

  call(method, params) {
    return this.chromium.call(method, params, this.sessionId);
  }

  // Hears of what a page or a worker asks the network for, and of the workers that it starts.
  async watch(session) {
    this.#sessions.add(session);
    const call = (method, params) => this.chromium.call(method, params, session);
    await call("Network.enable");
    await call("Runtime.enable");
    await call("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    await call("Runtime.runIfWaitingForDebugger");
  }

  take(method, params, session) {
    if (!this.#sessions.has(session)) return;
    if (method === "Target.attachedToTarget") {
      // Workers end when their work is done, maybe before this.
      this.watch(params.sessionId).catch(() => {});
    } else if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    else if (method === "Network.webSocketCreated") this.requests.push(params.url);
    else if (method === "Log.entryAdded") this.complaints.push(params.entry.text);
    else if (method === "Runtime.exceptionThrown") {
      this.complaints.push(params.exceptionDetails.exception?.description ?? "an exception");
    } else if (method === "Page.fileChooserOpened") this.#chooser?.(params);
  }

  // The value of an expression in the page; a promise is waited for.
  async value(expression) {
    const asked = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", asked);
    if (exceptionDetails) {
      throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    }
    return result.value;
  }

  // Waits until an expression is true.
  async until(expression) {
    const end = Date.now() + PATIENCE;
    while (!(await this.value(`Boolean(${expression})`))) {
      if (Date.now() > end) throw new Error(`never: ${expression}; ${this.complaints.join("; ")}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async key(key, { code = key, number, text, modifiers = 0 }) {
    const event = { key, code, windowsVirtualKeyCode: number, modifiers };
    await this.call("Input.dispatchKeyEvent", { ...event, type: "keyDown", text });
    await this.call("Input.dispatchKeyEvent", { ...event, type: "keyUp" });
  }

  tab() { return this.key("Tab", { number: 9 }); }
  enter() { return this.key("Enter", { number: 13, text: "\r" }); }
  space() { return this.key(" ", { code: "Space", number: 32, text: " " }); }
  write(text) { return this.call("Input.insertText", { text }); }

  // Presses Tab until an element has the focus.
  async tabTo(id) {
    for (let count = 0; count < 60; count++) {
      if (await this.value(`document.activeElement.id === ${JSON.stringify(id)}`)) return;
      await this.tab();
    }
    throw new Error(`Tab never leads to ${id}`);
  }

  // Gives a file to the element that has the focus, in the dialog that Space opens.
  async chooseByKeyboard(path) {
    await this.call("Page.setInterceptFileChooserDialog", { enabled: true });
    const isOpened = new Promise((resolve) => { this.#chooser = resolve; });
    await this.space();
    const { backendNodeId } = await isOpened;
    await this.call("DOM.setFileInputFiles", { files: [path], backendNodeId });
    await this.call("Page.setInterceptFileChooserDialog", { enabled: false });
  }

  async choose(id, path) {
    const { root } = await this.call("DOM.getDocument");
    const { nodeId } = await this.call("DOM.querySelector", { nodeId: root.nodeId, selector: `#${id}` });
    await this.call("DOM.setFileInputFiles", { files: [path], nodeId });
  }

  async picture() {
    const { data } = await this.call("Page.captureScreenshot", { captureBeyondViewport: true });
    return Buffer.from(data, "base64");
  }
}
