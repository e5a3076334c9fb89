/** Long results that models do not read but can pass on by their addresses. @module */

export { type ReferencesOptions, references } from "./references.ts";
