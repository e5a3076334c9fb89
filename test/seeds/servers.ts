import { createHost, type Host, type HostOptions } from "@toolrail/core";
import { onTestFinished } from "vitest";
import {
  createTestServer,
  type TestServer,
  type TestTool,
} from "../../packages/core/test/servers.ts";

interface Opened {
  readonly server: TestServer;
  readonly host: Host;
}

/** A host over one server in memory. By default its calls are allowed. */
export async function open(
  tools: Record<string, TestTool>,
  options: Partial<HostOptions> = {},
): Promise<Opened> {
  const server = await createTestServer(tools);
  const host = await createHost({
    servers: { bank: server.client },
    authorize: () => "allow",
    ...options,
  });
  onTestFinished(() => host.close());
  return { server, host };
}

/** What the server has received: the names and arguments of its calls, in order. */
export function received(server: TestServer): [name: string, args: object][] {
  return server.seen.map((call) => [call.name, call.arguments]);
}

export function text(value: string, annotations?: object) {
  return { content: [{ type: "text", text: value, ...(annotations && { annotations }) }] };
}

/** A schema of an object with these properties, all of which are required, and no others. */
export function objectOf(properties: Record<string, object>) {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const STRING = { type: "string" };

export const LOCKED = "your Primary Checking account (acc_checking_001) is currently locked";
export const HANDOFF_REASON =
  "Customer attempted to transfer from locked account: Primary Checking (acc_checking_001)";

/** The bank of the pattern: one account is locked, and a transfer from it hands the customer over to an agent. */
export const BANK: Record<string, TestTool> = {
  prepare_money_transfer: {
    definition: {
      title: "Prepare Money Transfer",
      description: "Prepare a transfer between your accounts.",
      inputSchema: {
        type: "object",
        properties: { fromAccountId: STRING, toAccountId: STRING, amount: { type: "number" } },
        required: ["amount"],
      },
    },
    answer({ arguments: { fromAccountId } }) {
      if (fromAccountId !== "acc_checking_001") return text("The transfer is prepared.");
      return {
        ...text(`I'm sorry, but ${LOCKED}.`, { audience: ["user"] }),
        _meta: {
          nextTool: { tool: "request_agent_handoff", arguments: { reason: HANDOFF_REASON } },
        },
      };
    },
  },
  request_agent_handoff: {
    definition: {
      description: "Connects the customer with an agent.",
      inputSchema: objectOf({ reason: STRING }),
    },
    answer: () => text("An agent can be reached by chat or by phone."),
  },
};

/** The account issue of the proposal: an analysis that needs a human, and the hand-off. */
export const SUPPORT: Record<string, TestTool> = {
  check_account_issue: {
    definition: {
      description: "Analyses an issue of an account.",
      inputSchema: objectOf({ customerId: STRING }),
    },
    answer: ({ arguments: { customerId } }) => ({
      ...text("This account lockout requires specialist assistance."),
      _meta: {
        nextTool: {
          tool: "initiate_human_handoff",
          arguments: { customerId, issueType: "account_locked", urgency: "high" },
        },
      },
    }),
  },
  initiate_human_handoff: {
    definition: {
      description: "Creates a support ticket and hands over to a human.",
      inputSchema: objectOf({ customerId: STRING, issueType: STRING, urgency: STRING }),
    },
    answer: () => text("Ticket T-1 was created."),
  },
};

/** A structured result, with its JSON as text, as servers send it. */
export function structured(value: object) {
  return { structuredContent: value, ...text(JSON.stringify(value)) };
}
