import type { JsonObject } from "@toolrail/core/json";
import type { Caller, OfferedTool } from "./clients.ts";

/** One scenario of the suite, whose server waits at `url`. */
export interface Scenario {
  readonly scenario: string;
  readonly url: string;
  /** JSON: the calls that the scenario wants. */
  readonly context?: string;
}

interface WantedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Makes the calls of a scenario. A call that fails is no failure of it: the suite judges by what was sent. */
export async function drive(caller: Caller, scenario: Scenario): Promise<void> {
  const tools = await caller.list();
  for (const call of wantedCalls(scenario, tools)) {
    await caller.call(call.name, call.arguments).catch(() => {});
  }
}

function wantedCalls({ scenario, context }: Scenario, tools: readonly OfferedTool[]): WantedCall[] {
  if (context !== undefined) return JSON.parse(context).toolCalls;
  if (scenario === "json-schema-2020-12-preservation") {
    const shown = tools.find(({ name }) => name === "json_schema_2020_12_tool");
    return [{ name: "json_schema_echo", arguments: { schema: shown?.inputSchema } }];
  }
  return tools.map(({ name, inputSchema }) => ({ name, arguments: sampleOf(inputSchema) }));
}

/** The least arguments that fit the plain schemas of the suite. */
function sampleOf({ properties = {}, required = [] }: JsonObject): JsonObject {
  const types = properties as Record<string, { type?: string }>;
  const sample = (name: string) =>
    types[name]?.type === "number" ? 1 : types[name]?.type === "object" ? {} : "text";
  return Object.fromEntries((required as string[]).map((name) => [name, sample(name)]));
}
