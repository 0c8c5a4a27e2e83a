import { provide } from "./instance.js";
import MODULE from "./kron.wasm";

// These hosts compile no bytes: they import a module.
provide(() => MODULE);
