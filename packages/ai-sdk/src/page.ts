// What a page needs to read what it is sent: nothing of it imports the host.

export { isToolOutput } from "./tools/is-tool-output.ts";
export type { ToolOutput } from "./tools/tool-output.ts";
export type { UserContent, UserContentParts } from "./tools/user-content.ts";
