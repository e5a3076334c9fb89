import { majorNamed } from "../../../packages/ai-sdk/test/majors.ts";
import { createGuardHarness } from "../ai-sdk-guard-harness.ts";

export const harness = createGuardHarness(majorNamed("ai 7"));
