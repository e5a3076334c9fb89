import { type JsonObject, runPipe } from "@toolrail/core";
import type { Harness } from "../harness.ts";

/** `runPipe` alone: no framework, and no model. */
export const harness: Harness = {
  name: "core: runPipe",
  pipe: async ({ host, spec, signal }) => ({
    result: { ...(await runPipe(spec, host, { signal })) } as JsonObject,
  }),
};
