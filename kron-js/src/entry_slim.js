import { provide } from "./instance.js";

async function load(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
    const url = new URL(source, globalThis.document?.baseURI);
    if (url.protocol === "file:" && typeof process !== "undefined") {
        const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
        return WebAssembly.compile(await readFile(url));
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

export async function init(source) {
    const module = await load(source);
    provide(() => module);
}
