import type { CommandCall, Outcome } from "../command.ts";
import { parseJsonObject, readText } from "../read-input.ts";
import { renderChain } from "../report/chain-report.ts";
import { message } from "../terminal/plain-text.ts";
import { addToDraft } from "./add-to-draft.ts";
import { SCOPE } from "./read-policies.ts";
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
  const own = { flags, context, options: { limits, references } };
  return withHost(own, async ({ host }) => {
    const options = { signal, scope: SCOPE, userText: text };
    const made = await host.run({ tool, arguments: given }, options);
    if (flags.draft !== undefined) {
      const notes = await addToDraft(flags.draft, { hops: made.hops, host });
      for (const note of notes) context.stderr.write(message(`${note.path} ${note.message}`));
    }
    const chain = await host.keep(made, { scope: SCOPE });
    return {
      ok: chain.ended === "complete" && chain.hops.at(-1)?.result.isError !== true,
      document: chain,
      text: (style) => renderChain(chain, { tool, style }),
    };
  });
}
