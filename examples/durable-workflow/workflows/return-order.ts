import { createHost, type Decision, modelView } from "@toolrail/core";
import { createHook } from "workflow";
import { LIMITS } from "./limits";
import { shopPort } from "./shop-port";

/** Takes an order back by a chain of the shop's tools. A person must approve the last call, perhaps days later. */
export async function returnOrder(order: number) {
  "use workflow";
  const host = await createHost({
    servers: { shop: shopPort },
    requireApproval: ["shop.refund"],
    limits: LIMITS,
  });
  let chain = await host.run({ tool: "shop.return_order", arguments: { order } });
  if (chain.ended === "needs-approval" && chain.pending) {
    const { server, tool, arguments: args } = chain.pending;
    const metadata = { call: `${server}.${tool}`, arguments: JSON.stringify(args) }; // The data that the person is shown.
    using decision = createHook<Decision>({ token: `return-${order}`, metadata });
    chain = await host.resume(chain, await decision);
  }
  const calls = chain.hops.map(({ tool }) => tool);
  return { ended: chain.ended, calls, ...modelView(chain), error: chain.error?.message };
}
