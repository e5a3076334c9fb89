import { testProperties } from "./test-properties.ts";

testProperties({ seed: 20, numRuns: 10 });
