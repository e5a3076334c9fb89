import { majorNamed } from "../../../packages/ai-sdk/test/majors.ts";
import { createToolsHarness } from "../ai-sdk-harness.ts";

export const harness = createToolsHarness(majorNamed("ai 6"));
