/** The functions for Toolrail's plugins, in addition to the public `Plugin`. It may change in any release. @module */

export { resolveLimits } from "./call/limits.ts";
export { createMemoryStore, toConversationKey } from "./call/memory-store.ts";
export { createPauses } from "./call/pauses.ts";
export { askStore } from "./call/store.ts";
export { toPattern } from "./call/tool-patterns.ts";
export { toNextTool } from "./chain/next-tool.ts";
export { oneOf } from "./check-options.ts";
export { engineOf } from "./host/host-engine.ts";
export { suggestName } from "./nearest-name.ts";
export { type Address, parseAddress, toAddressId } from "./result/address.ts";
export { isForModel, isForUserAlone, modelText, plainBlock } from "./result/content-block.ts";
export { isLeftOut, toRef } from "./result/hop.ts";
export { visibleBlocks } from "./result/model-view.ts";
export type { HostReport } from "./types/events.ts";
export type { HostUse, NextCall, PluginKit } from "./types/plugin.ts";
export type { ClaimingStore } from "./types/store.ts";
export { type NamedTools, toolId } from "./types/tool.ts";
