import { checkPipe, type JsonObject } from "@toolrail/core";
import { compilePipe } from "@toolrail/langgraph";
import type { Harness } from "../harness.ts";

/** The graph of a pipe, compiled and invoked. A refused spec has no graph: its verdict is the result. */
export const harness: Harness = {
  name: "langgraph: compilePipe",
  async pipe({ host, spec, signal }) {
    const verdict = checkPipe(spec, host);
    if (!verdict.ok) {
      const { error, problems } = verdict;
      return { result: { ok: false, error: error.message, result: null, steps: {}, problems } };
    }
    const graph = compilePipe(verdict.pipe, host);
    const result: object = await graph.invoke({}, signal ? { signal } : {});
    return { result: result as JsonObject };
  },
};
