/** Validators of JSON Schema, whose work is bounded: Ajv on Node, and a validator without generated code on edge runtimes. @module */

export { createValidator } from "#validator";
