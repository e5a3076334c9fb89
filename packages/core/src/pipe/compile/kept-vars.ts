import { ToolrailError } from "../../errors.ts";
import type { Host } from "../../host/host.ts";
import { engineOf } from "../../host/host-engine.ts";
import { isJsonObject, type JsonObject, measure } from "../../json/json.ts";
import { readSpec } from "../spec/read-spec.ts";
import { keptAddress, mapReferences } from "../spec/references.ts";

/** The maximum number of addresses of kept results in one spec. */
const MAX_ADDRESSES = 20;
const MAX_SPEC = { maxBytes: 1_048_576, maxDepth: 64 };

/** The values of kept results by the addresses in a spec, or the reason why there is none. */
export interface KeptValues {
  readonly values: JsonObject;
  readonly problems: { readonly [address: string]: string };
}

/** Finds the values of the addresses of kept results that a model's spec contains. They become vars of its pipe. */
export async function findKept(
  host: Host,
  { spec, conversation }: { readonly spec: unknown; readonly conversation: string | undefined },
): Promise<KeptValues> {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  if (!engineOf(host).changesArguments || conversation === undefined) return { values, problems };
  for (const address of findAddresses(spec).slice(0, MAX_ADDRESSES)) {
    const written = `\${${address}}`;
    const made = { callId: "", runId: "", origin: { by: "model" }, tool: PIPE_TOOL } as const;
    const call = { ...made, arguments: { value: written }, conversation };
    try {
      const { value } = await engineOf(host).transformArguments(call);
      if (value !== written) values[address] = value;
    } catch (cause) {
      if (!ToolrailError.isInstance(cause)) throw cause;
      problems[address] = cause.message;
    }
  }
  return { values, problems };
}

function findAddresses(given: unknown): readonly string[] {
  if (measure(given, MAX_SPEC)) return [];
  const found = new Set<string>();
  const read = ({ raw }: { readonly raw: unknown }) => {
    const address = keptAddress(raw);
    if (address) found.add(address.text);
  };
  try {
    const spec = readSpec(given);
    if (isJsonObject(spec)) mapReferences(spec, { at: "", read });
  } catch {
    // The check of the spec names its defect.
  }
  return [...found];
}

const PIPE_TOOL = {
  ...{ server: "", name: "mcp_pipe", id: "mcp_pipe", modelName: "mcp_pipe" },
  ...{ inputSchema: {}, forModel: true },
};
