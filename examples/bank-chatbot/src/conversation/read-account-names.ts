import type { Host } from "@toolrail/core";
import { z } from "zod";

const accounts = z.array(z.object({ accountId: z.string(), name: z.string() }));
const listed = z.object({ accounts });

/** Asks the bank for the names that the customer gave to the accounts. Empty if the bank has none. */
export async function readAccountNames(host: Host): Promise<ReadonlyMap<string, string>> {
  const { hops } = await host.run({ tool: "bank.list_accounts", arguments: {} });
  const { data } = listed.safeParse(hops.at(-1)?.result.structuredContent);
  return new Map(data?.accounts.map(({ accountId, name }) => [accountId, name]));
}
