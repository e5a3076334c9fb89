/** Long results that stay out of models, and remain usable by their addresses. @module */

export { type ReferencesOptions, references } from "./references.ts";
