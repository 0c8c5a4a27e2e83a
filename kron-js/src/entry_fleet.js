import { provide } from "./instance.js";
import MODULE from "./module_fleet.js";

/** The bytes of the module. A loop is far faster than `Uint8Array.from` with a function. */
function bytes() {
    if (typeof Buffer !== "undefined") return Buffer.from(MODULE, "base64");
    const text = atob(MODULE);
    const found = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index++) found[index] = text.charCodeAt(index);
    return found;
}

let embedded = null;
// At its first use, and not while the package is loaded.
provide(() => (embedded ??= new WebAssembly.Module(bytes())));
