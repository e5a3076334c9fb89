import { runConformance } from "@toolrail/conformance";
import { describe, it } from "vitest";
import { harness } from "./conformance-harness.ts";

runConformance(harness, { describe, it });
