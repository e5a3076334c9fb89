import { runConformance } from "@toolrail/conformance";
import { describe, it } from "vitest";
import { majors } from "../majors.ts";
import { createChainingHarness } from "./chaining-harness.ts";
import { createPipeHarness } from "./pipe-harness.ts";
import { createSingleStepHarness } from "./single-step-harness.ts";
import { createToolsHarness } from "./tools-harness.ts";

const harnesses = [
  createToolsHarness,
  createChainingHarness,
  createPipeHarness,
  createSingleStepHarness,
];
for (const major of majors) {
  for (const create of harnesses) runConformance(create(major), { describe, it });
}
