/** Addresses of results that are kept out of a conversation. @module */

export type { KeptResult } from "../types/services.ts";
export { findIds, isAddressId, parseAddress } from "./address.ts";
export { partsOf } from "./kept-result.ts";
