import { majorNamed } from "../../../packages/ai-sdk/test/majors.ts";
import { createSdkPipeHarness } from "../pipe-tool-harness.ts";

export const harness = createSdkPipeHarness(majorNamed("ai 7"));
