export * from "./index.js";

/** Loads the module, whose file is `kron-js/kron.wasm`: compiled, as bytes, as a response, or from an address. Await it before anything else. */
export declare function init(source: WebAssembly.Module | ArrayBuffer | ArrayBufferView | URL | string | { arrayBuffer(): Promise<ArrayBuffer> }): Promise<void>;
