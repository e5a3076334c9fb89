/** Single-step guard for the clients of a served host. It needs `@toolrail/guard`. @module */

export { singleStep } from "./single-step.ts";
