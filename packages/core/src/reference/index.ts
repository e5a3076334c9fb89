/** Addresses of results that are kept out of a conversation. @module */

export { findIds, isAddressId, parseAddress } from "./address.ts";
export type { KeptResult } from "./kept-result.ts";
export { partsOf } from "./kept-result.ts";
