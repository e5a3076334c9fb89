import { createSingleStep, type SingleStepOptions } from "../../src/guard/index.ts";
import { createHost, type Host, type HostOptions } from "../../src/index.ts";
import { createTestServer, type TestTool } from "../servers.ts";

export const outputSchema = {
  type: "object",
  properties: { ok: { type: "boolean" } },
  required: ["ok"],
};
export const good = { content: [], structuredContent: { ok: true }, isError: false };

/** A tool with an output schema, which its answer keeps unless another is given. */
export function typedTool(answer: TestTool["answer"] = () => good): TestTool {
  return { definition: { outputSchema }, answer };
}

interface DeskOptions extends SingleStepOptions {
  readonly host?: Partial<HostOptions>;
}

/** A host with one server, `desk`, under guard; all of its tools are allowed by default. */
export async function openDesk(tools: Record<string, TestTool>, options: DeskOptions = {}) {
  const { host: hostOptions, ...guardOptions } = options;
  const desk = await createTestServer(tools);
  const host: Host = await createHost({ servers: { desk: desk.client }, ...hostOptions });
  const guard = createSingleStep(host, { allow: ["desk.*"], ...guardOptions });
  return { desk, host, guard };
}
