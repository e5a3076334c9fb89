import type { Mode } from "../protocol.ts";
import { createAiSdkAgent } from "./ai-sdk-agent.ts";
import { createGuardAgent } from "./guard-agent.ts";
import { createLangGraphAgent } from "./langgraph-agent.ts";
import type { CreateWebAgent } from "./web-agent.ts";

/** What the page can switch between. */
export const WEB_AGENTS: Readonly<Record<Mode, CreateWebAgent>> = {
  "ai-sdk": createAiSdkAgent,
  langgraph: createLangGraphAgent,
  guard: createGuardAgent,
};
