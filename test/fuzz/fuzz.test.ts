import { testProperties } from "./test-properties.ts";

// More inputs are in `fuzz.slow.test.ts`, and the long run, with other seeds, is `npm run fuzz`.
testProperties({ seed: 22, numRuns: 4 });
