import { runConformance } from "@toolrail/conformance";
import { describe, it } from "vitest";
import { singleStepHarnesses } from "./single-step-harnesses.ts";

for (const harness of singleStepHarnesses) runConformance(harness, { describe, it });
