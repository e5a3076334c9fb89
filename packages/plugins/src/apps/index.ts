/** Apps of servers (MCP Apps): their pages, and the calls that they make. @module */

export { type AppRef, type AppView, appUri } from "./app-view.ts";
export {
  type AppAnswer,
  type AppCallOptions,
  type AppCalls,
  type AppRequestOptions,
  createAppCalls,
} from "./create-app-calls.ts";
