import { runConformance } from "@toolrail/conformance";
import { describe, it } from "vitest";
import { chainHarnesses } from "./chain-harnesses.ts";

for (const harness of chainHarnesses) runConformance(harness, { describe, it });
