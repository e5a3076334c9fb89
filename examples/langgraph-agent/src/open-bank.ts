import { ChatOpenAI } from "@langchain/openai";
import { createHost, type Host, type HostOptions } from "@toolrail/core";
import { http } from "@toolrail/core/connect";
import { CUSTOMER } from "@toolrail/example-bank-chatbot/src/bank/meta.ts";
import { startBank } from "@toolrail/example-bank-chatbot/src/bank-process.ts";
import { connectModel } from "@toolrail/example-bank-chatbot/src/model.ts";

export interface Bank extends AsyncDisposable {
  readonly host: Host;
  readonly model: ChatOpenAI;
}

/**
 * Opens the bank's MCP server as a separate process, a host for its tools, and a model: a real one if OPENAI_API_KEY is set,
 * else the offline fake model behind the same HTTP form.
 */
export async function openBank(options: Omit<HostOptions, "servers"> = {}): Promise<Bank> {
  const started = new AsyncDisposableStack();
  const server = await startBank();
  started.defer(server.close);
  const host = await createHost({
    ...options,
    servers: { bank: http(server.url) },
    // The application names the customer who is signed in, and no model can.
    use: [{ name: "request", requestMeta: () => CUSTOMER }],
  });
  started.defer(() => host.close());
  const { url, modelId, apiKey, close } = await connectModel(process.env);
  started.defer(close);
  const model = new ChatOpenAI({ model: modelId, apiKey, configuration: { baseURL: url } });
  return { host, model, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
