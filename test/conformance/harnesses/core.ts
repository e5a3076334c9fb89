import { type ChainResult, modelView } from "@toolrail/core";
import type { ChainInput, ChainOutcome, Harness } from "../harness.ts";

/** `host.run` alone: no framework, and no model. */
export const harness: Harness = {
  name: "core: host.run",
  chain: async ({ host, tool, arguments: args = {}, signal }) =>
    toOutcome(host, await host.run({ tool, arguments: args }, { signal, origin: { by: "model" } })),
};

function toOutcome(host: ChainInput["host"], chain: ChainResult): ChainOutcome {
  const { content, isError } = modelView(chain);
  return {
    hops: chain.hops,
    ended: chain.ended,
    modelRead: content.map((block) =>
      block.type === "text"
        ? { type: "text", text: block.text ?? "" }
        : { type: "media", mediaType: block.mimeType ?? block.type },
    ),
    isError,
    modelCalls: 0,
    ...(chain.ended === "needs-approval" && {
      resume: async (decision) => toOutcome(host, await host.resume(chain, decision)),
    }),
  };
}
