/** What a page in a browser needs to read the outputs that it is sent, without the host. @module */

export { isToolOutput } from "./tools/is-tool-output.ts";
export type { ToolOutput } from "./tools/tool-output.ts";
export type { UserContent, UserContentParts } from "./tools/user-content.ts";
