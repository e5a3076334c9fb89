import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { createHost, type Hop, type Host, type HostEvent, type HostOptions } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import { createAiSdkAgent } from "../agents/ai-sdk-agent.ts";
import type { BankAgent } from "../agents/bank-agent.ts";
import { CUSTOMER } from "../agents/instructions.ts";
import { createLangGraphAgent } from "../agents/langgraph-agent.ts";
import type { ModelEndpoint } from "../demo/connect-model.ts";
import { askBeforeLargeTransfers } from "./ask-before-large-transfers.ts";
import type { Mode } from "./conversation-view.ts";

export interface BankOptions {
  readonly mode: Mode;
  readonly endpoint: ModelEndpoint;
  readonly fetch: typeof fetch;
  /** Opens a session with the bank. */
  readonly connect: () => Promise<Client>;
  /** Default: large transfers that a model prepares need the customer's word. */
  readonly authorize?: HostOptions["authorize"];
  readonly onEvent: (event: HostEvent, host: Host) => void;
  readonly onHop: (hop: Hop, host: Host) => void;
  /** Receives the outcomes of the guard, in guard mode. */
  readonly onOutcome: (outcome: GuardOutcome, host: Host) => void;
}

/** Opens a host with a separate session at the bank, and the agent of the mode on it. */
export async function openBank(options: BankOptions): Promise<{ host: Host; agent: BankAgent }> {
  const { mode, endpoint, fetch, connect } = options;
  const { authorize = askBeforeLargeTransfers } = options;
  const client = await connect();
  const host: Host = await createHost({
    servers: { bank: client },
    authorize,
    onEvent: (event) => options.onEvent(event, host),
    use: [
      {
        name: "customer",
        requestMeta: () => CUSTOMER,
        onHop: ({ hop }) => options.onHop(hop, host),
      },
    ],
  });
  const guard = { onOutcome: (outcome: GuardOutcome) => options.onOutcome(outcome, host) };
  const parts = { host, model: { ...endpoint, fetch } };
  const agent =
    mode === "langgraph"
      ? createLangGraphAgent(parts)
      : createAiSdkAgent({ ...parts, ...(mode === "guard" && { guard }) });
  return { host, agent };
}
