import { majorNamed } from "../../../packages/ai-sdk/test/majors.ts";
import { createChainHarness } from "../ai-sdk-chain-harness.ts";

export const harness = createChainHarness(majorNamed("ai 6"));
