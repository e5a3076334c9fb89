import { createHost, type Host, type HostOptions, type JsonObject } from "@toolrail/core";
import type { CreateWebAgent, ModelAccess, WebAgent } from "./agents/web-agent.ts";
import { createLastingClient } from "./lasting-client.ts";

export interface ThreadBankOptions extends Required<Pick<HostOptions, "onEvent" | "onHop">> {
  readonly authorize?: HostOptions["authorize"];
  readonly bank: URL;
  readonly model: ModelAccess;
  readonly createAgent: CreateWebAgent;
  /** For every request to the bank. */
  readonly requestMeta: JsonObject;
}

/** A conversation's own way to the bank: a host, whose tools are this conversation's, and an agent. */
export interface ThreadBank {
  /** Connects when it is first needed, and tries again where that failed. */
  open(): Promise<OpenBank>;
  /** Undefined before the bank was reached. */
  host(): Host | undefined;
  close(): Promise<void>;
}

export interface OpenBank {
  readonly host: Host;
  readonly agent: WebAgent;
}

const CALL_TIMEOUT_MS = 30_000;

export function createThreadBank(options: ThreadBankOptions): ThreadBank {
  const { bank, model, createAgent, requestMeta, authorize, onEvent, onHop } = options;
  const client = createLastingClient(bank);
  let opening: Promise<OpenBank> | undefined;
  let host: Host | undefined;

  async function connect(): Promise<OpenBank> {
    host = await createHost({
      servers: { bank: { client, kind: "sdk-v1", shared: true } },
      requestMeta: () => requestMeta,
      limits: { callTimeoutMs: CALL_TIMEOUT_MS },
      ...{ onEvent, onHop, ...(authorize && { authorize }) },
    });
    return { host, agent: createAgent({ host, model }) };
  }

  return {
    open() {
      opening ??= connect().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    host: () => host,
    async close() {
      await host?.close().catch(() => {});
      await client.close();
    },
  };
}
