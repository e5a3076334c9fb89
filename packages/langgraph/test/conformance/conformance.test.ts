import { runConformance } from "@toolrail/conformance";
import { describe, it } from "vitest";
import { chainHarnesses } from "./chain-harnesses.ts";
import { pipeHarnesses } from "./pipe-harnesses.ts";
import { singleStepHarnesses } from "./single-step-harnesses.ts";

for (const harness of [...chainHarnesses, ...pipeHarnesses, ...singleStepHarnesses]) {
  runConformance(harness, { describe, it });
}
