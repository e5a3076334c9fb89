/** Makes calls once, whichever worker comes to them first. @module */

export { type OnceOptions, once } from "./once.ts";
