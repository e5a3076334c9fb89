/** Long results that models do not read but can pass on by their addresses. @module */

export type { ReferencesOptions } from "./kept-results.ts";
export { references } from "./references.ts";
