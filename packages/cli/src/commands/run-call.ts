import { isJsonObject, type JsonObject } from "@toolrail/core";
import type { Context } from "../context.ts";
import type { Outcome } from "../outcome.ts";
import { parseJson, readText } from "../read-input.ts";
import { renderChain } from "../report/chain-report.ts";
import { UsageError } from "../usage-error.ts";
import type { Flags } from "./flags.ts";
import { withHost } from "./with-host.ts";

/** Makes one call and all that follow from it. */
export async function runCall(args: readonly string[], flags: Flags, context: Context) {
  const [tool = "", source = "{}"] = args;
  const given = await readArguments(source, context);
  const { maxDepth } = flags;
  const limits = maxDepth === undefined ? {} : { maxChainDepth: maxDepth };
  return withHost(flags, context, { limits }, async ({ host, onProgress }): Promise<Outcome> => {
    const { signal } = context;
    const chain = await host.run({ tool, arguments: given }, { signal, onProgress });
    return {
      ok: chain.ended === "complete" && chain.hops.at(-1)?.result.isError !== true,
      document: chain,
      text: (style) => renderChain(chain, tool, style),
    };
  });
}

async function readArguments(source: string, context: Context): Promise<JsonObject> {
  const text = source === "-" ? await readText("-", context, "ARGS-JSON") : source;
  const value = parseJson(text, "ARGS-JSON");
  if (isJsonObject(value)) return value;
  throw new UsageError(`ARGS-JSON must be an object, such as '{"path": "a.txt"}'.`);
}
