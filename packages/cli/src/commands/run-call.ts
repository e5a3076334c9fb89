import type { Outcome } from "../outcome.ts";
import { parseJsonObject, readText } from "../read-input.ts";
import { renderChain } from "../report/chain-report.ts";
import type { CommandCall } from "./command-spec.ts";
import { withHost } from "./with-host.ts";

/** Makes one call and all that follow from it. */
export async function runCall({ args, flags, context }: CommandCall): Promise<Outcome> {
  const [tool = "", source = "{}"] = args;
  const { signal } = context;
  const what = "ARGS-JSON";
  const text = source === "-" ? await readText("-", { ...context, what }) : source;
  const given = parseJsonObject(text, what);
  const { maxDepth, references = false } = flags;
  const limits = maxDepth === undefined ? {} : { maxChainDepth: maxDepth };
  return withHost(
    { flags, context, options: { limits, references } },
    async ({ host, onProgress }) => {
      const made = await host.run({ tool, arguments: given }, { signal, onProgress });
      const chain = await host.keep(made, { scope: "toolrail" });
      return {
        ok: chain.ended === "complete" && chain.hops.at(-1)?.result.isError !== true,
        document: chain,
        text: (style) => renderChain(chain, { tool, style }),
      };
    },
  );
}
