import { AI_SDK, AI_SDK_MCP, BY_HAND, HOST, LANGGRAPH, MCP_ADAPTERS } from "../names.ts";

/** One colour for a name in all figures; peers are grey and brown. */
const COLOURS: Readonly<Record<string, string>> = {
  [HOST]: "#0b57d0",
  [AI_SDK]: "#1a73e8",
  [LANGGRAPH]: "#188038",
  [MCP_ADAPTERS]: "#b06000",
  [BY_HAND]: "#a1887f",
  [AI_SDK_MCP]: "#80868b",
  runPipe: "#0b57d0",
  compilePipe: "#188038",
  "the same, with references": "#8430ce",
  "shown to the user alone": "#8430ce",
};

export const GRID = "#dadce0";
export const QUIET = "#5f6368";

export function colourOf(who = ""): string {
  return COLOURS[who] ?? QUIET;
}
