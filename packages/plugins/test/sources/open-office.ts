import type { HostOptions, ToolCall } from "@toolrail/core";
import { createHost } from "@toolrail/core";
import type { ArgumentSource } from "@toolrail/core/plugin";
import type { JsonObject } from "@toolrail/json";
import { sources } from "@toolrail/plugins/sources";
import { createTestServer } from "../../../core/test/servers.ts";

const MODEL = { by: "model" } as const;
const text = (said: unknown) => ({ content: [{ type: "text", text: String(said) }] });

interface OfficeOptions extends Partial<HostOptions> {
  /** What is read in place of a mail of one text. */
  readonly result?: JsonObject;
}

/** A host with mails, contacts and a bank; what its mail says is given, and each call that is authorized is kept. */
export async function openOffice(
  mail: string,
  { authorize, use = [sources()], result = text(mail), ...options }: OfficeOptions = {},
) {
  const schema = (properties: JsonObject) => ({ inputSchema: { type: "object", properties } });
  const servers = {
    mail: await createTestServer({ read: { answer: () => result }, send: {} }),
    contacts: await createTestServer({
      find: {
        answer: ({ arguments: { query } }) => {
          const found = [{ name: "Ada Byron", iban: "DE89 3704 0044 0532 0130 00" }];
          return { content: [], structuredContent: { query, found } };
        },
      },
    }),
    bank: await createTestServer({
      send_money: {
        definition: schema({
          recipient: { description: "As ACME-4711-0815" },
          amount: { type: "number" },
          currency: { enum: ["EUR-euro", "USD-dollar"] },
        }),
      },
    }),
  };
  const calls: ToolCall[] = [];
  const spy = (call: ToolCall) => {
    calls.push(call);
    return "allow" as const;
  };
  const host = await createHost({
    ...options,
    use,
    servers: {
      mail: servers.mail.client,
      contacts: servers.contacts.client,
      bank: servers.bank.client,
    },
    authorize: [spy, ...[authorize ?? []].flat()],
  });
  const conversation = "alice-1";
  return {
    ...{ host, servers, calls },
    read: () => host.call({ tool: "mail.read" }, { conversation, origin: MODEL }),
    find: (query = "Ada") =>
      host.call({ tool: "contacts.find", arguments: { query } }, { conversation, origin: MODEL }),
    pay: (args: JsonObject, userText?: string | readonly string[]) =>
      host.check(
        { tool: "bank.send_money", arguments: args },
        { conversation, userText, origin: MODEL },
      ),
    /** What is known of the last call. */
    sources: (): readonly ArgumentSource[] => calls.at(-1)?.sources ?? [],
  };
}

/** The tools in whose results the arguments stood, whole, or with "(part)". */
export function shown(sources: readonly ArgumentSource[]): string[] {
  return sources.map(({ path, server, tool, how, part }) => {
    return `${path} ${how} ${server}.${tool}${part ? " (part)" : ""}`;
  });
}
