// Runs a program for WASI, with its arguments, the environment and all files: node wasi.mjs PROGRAM [ARG...]
import { readFile } from "node:fs/promises";
import process from "node:process";
import { WASI } from "node:wasi";

const args = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args, env: process.env, preopens: { "/": "/" } });
const program = await WebAssembly.compile(await readFile(args[0]));
process.exitCode = wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
