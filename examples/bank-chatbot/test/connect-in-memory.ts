import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type BankServerOptions, createBankServer } from "../src/bank/server.ts";

/** A session with a bank server in this process. */
export async function connectInMemory(options: BankServerOptions): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createBankServer(options).connect(theirs);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(ours);
  return client;
}
