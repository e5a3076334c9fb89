import { runConformance } from "@toolrail/conformance";
import { describe, it } from "vitest";
import { createTestServer } from "../../../packages/core/test/servers.ts";
import { chains, guarded, pipes } from "./core-harness.ts";

runConformance(chains, { describe, it });
runConformance(pipes, { describe, it });
runConformance(guarded, { describe, it });

const OLD = "This SDK speaks no MCP 2026-07-28, where a server asks with its answer to a call.";
const questions = {
  "input/unanswered": OLD,
  "input/bounded": OLD,
  "input/answered": OLD,
  "input/page": OLD,
  "input/refitted": OLD,
};
const wired = { ...chains, exempt: { ...chains.exempt, ...questions } };

for (const harness of [wired, pipes, guarded]) {
  // The same over a transport, with the server and the client of the MCP SDK.
  const name = `${harness.name}, over the MCP SDK`;
  runConformance(
    { ...harness, name },
    {
      describe,
      it,
      async serve(tools) {
        const { client: port, calls, seen } = await createTestServer(tools);
        return { port, calls, seen };
      },
    },
  );
}
