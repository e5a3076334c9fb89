import { runConformance } from "@toolrail/conformance";
import { describe, it } from "vitest";
import { pipeHarnesses } from "./pipe-harnesses.ts";

for (const harness of pipeHarnesses) runConformance(harness, { describe, it });
