/** Makes each call once, even if several workers try. @module */

export { type OnceOptions, once } from "./once.ts";
