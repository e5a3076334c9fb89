import type { Mode } from "../protocol.ts";
import { createAiSdkAgent } from "./ai-sdk-agent.ts";
import type { CreateWebAgent } from "./web-agent.ts";

/** The frameworks that the page can switch between. */
export const WEB_AGENTS: Partial<Record<Mode, CreateWebAgent>> = { "ai-sdk": createAiSdkAgent };
