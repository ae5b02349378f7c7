// The library, called: bytes go in, bytes and a report come out.
class Library {
  #exports;

  // `code` is the WebAssembly, as bytes or compiled.
  static async load(code) {
    const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
    const library = new Library();
    library.#exports = (await WebAssembly.instantiate(module, {})).exports;
    return library;
  }

  // Asks a question that has bytes, or a text, and sometimes a number.
  ask(question, bytes = "", number = 0) {
    if (typeof bytes === "string") bytes = new TextEncoder().encode(bytes);
    const place = this.#exports.room(bytes.length) >>> 0;
    new Uint8Array(this.#exports.memory.buffer, place, bytes.length).set(bytes);
    return this.#answer(this.#exports[question](bytes.length, number));
  }

  // Tells of bytes that are not shown.
  skip(count) {
    return this.#answer(this.#exports.skip(count));
  }

  // A copy of the answer; an error of the library is thrown.
  #answer(isAnswered) {
    const bytes = this.#reply(0);
    if (!isAnswered) throw new Refusal(new TextDecoder().decode(bytes));
    const report = this.#reply(1);
    return { bytes, report: JSON.parse(new TextDecoder().decode(report)) };
  }

  #reply(which) {
    const place = this.#exports.reply(which) >>> 0;
    return new Uint8Array(this.#exports.memory.buffer, place, this.#exports.size(which)).slice();
  }
}

// What the library says is wrong with the data or the form.
class Refusal extends Error {}
