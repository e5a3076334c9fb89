import {
  type CallOptions,
  type ChainResult,
  type Host,
  type HostTool,
  modelView,
  type ToolFilter,
  userView,
} from "@toolrail/core";
import { createOptionCheck, defineReadTool, engineOf, offeredTools } from "@toolrail/core/adapter";
import { isJsonObject, type JsonObject } from "@toolrail/json";
import {
  cannotAsk,
  decisionOf,
  dropPause,
  findPause,
  formsOf,
  isPaused,
  keepPause,
  type PausedChain,
} from "./client-input.ts";
import { type McpServerLike, type RequestContext, signalOf } from "./server-handlers.ts";
import {
  canAskUser,
  changesTeller,
  isOverHttp,
  progressTo,
  sessionOf,
  setToolHandlers,
} from "./tool-handlers.ts";

/** Which tools of a host a server offers, and for whom its calls are made. */
export interface ServeHostOptions {
  /** Which of the host's tools are offered. Default: all tools for models. */
  readonly tools?: ToolFilter;
  /**
   * The conversation that a request belongs to: an id that no other has. What is kept of results belongs to it alone.
   * Default: the session of the transport. Without one, the connection, and over HTTP each request by itself.
   */
  readonly conversation?: (context: RequestContext) => string;
  /** Who calls, for `authorize` and the like, such as the `authInfo` of the request. Default: nothing. */
  readonly context?: (context: RequestContext) => unknown;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ServeHostOptions>("serveHost", {
  tools: ["texts", "function"],
  conversation: "function",
  context: "function",
});

/**
 * Offers the tools of a host, of all its servers, as the tools of one MCP server: `McpServer` or `Server`, before it is
 * connected and without tools of its own. A call runs its whole chain. A call that has to wait for a person asks the
 * client's user with a form (`input_required`, or `elicitation/create` before 2026-07-28); it is refused if the client has
 * no way to ask. Throws `invalid-options`, and `unknown-client` for anything that is not such a server.
 */
export function serveHost(server: McpServerLike, host: Host, options: ServeHostOptions = {}): void {
  checkOptions(options);
  const engine = engineOf(host);
  const connection = engine.newId();
  const statedIn = (context: RequestContext) =>
    options.conversation ? options.conversation(context) : sessionOf(context);
  const tellChanges = changesTeller(server, (tell) => {
    let known = host.tools;
    return engine.watchTools(() => {
      const isSame = sameTools(known, host.tools);
      known = host.tools;
      if (!isSame) tell();
    });
  });
  const list = async () => {
    await engine.settle();
    tellChanges();
    const reader = defineReadTool(host);
    const tools = offeredTools(host, options.tools).map(toListed);
    return { tools: reader ? [...tools, toListed(reader)] : tools };
  };
  setToolHandlers(server, {
    list,
    async call(params, context) {
      const stated = statedIn(context);
      // Several users may share a connection over HTTP: without a session, each request is a conversation of its own.
      const conversation = stated ?? (isOverHttp(context) ? engine.newId() : connection);
      const { name, arguments: args = {} } = params;
      const reader = defineReadTool(host);
      if (reader && name === reader.name) {
        const { text, isError } = await reader.read(args, conversation);
        return { content: [{ type: "text", text }], isError };
      }
      const tool = offeredTools(host, options.tools).find(({ modelName }) => modelName === name);
      if (!tool) return refusal(`There is no tool ${JSON.stringify(name)} here.`);
      const calling: CallOptions = {
        origin: { by: "model" },
        context: options.context?.(context),
        signal: signalOf(context),
        ...progressTo(params, context),
      };
      const ended = await runOrResume({ host, tool, params, calling, conversation, stated });
      if ("resultType" in ended) return ended;
      if (!isPaused(ended)) return toResult(host, ended, conversation);
      if (!canAskUser(server, context)) {
        const { content } = await toResult(host, ended, conversation);
        return { content: [...content, { type: "text", text: cannotAsk(ended) }], isError: true };
      }
      return askClient(ended, await keepPause(engine, { chain: ended, tool }));
    },
  });
}

interface Calling {
  readonly host: Host;
  readonly tool: HostTool;
  readonly params: JsonObject;
  readonly calling: CallOptions;
  readonly conversation: string;
  /** The conversation, if the transport or the application states it. */
  readonly stated: string | undefined;
}

/** Begins a call, or goes on with the chain that the client answers for. What it left out, it is asked again. */
async function runOrResume(given: Calling): Promise<ChainResult | ReturnType<typeof askClient>> {
  const { host, tool, params, calling, conversation, stated } = given;
  const { arguments: args = {}, requestState: state, inputResponses } = params;
  if (state === undefined) {
    return host.run(
      { tool, arguments: args as JsonObject },
      { ...calling, conversation: conversation },
    );
  }
  const chain = await findPause(engineOf(host), { state, conversation: stated, tool });
  if (!chain) throw invalidParams("Nothing waits for this answer any more: call the tool again.");
  const decision = decisionOf(chain, isJsonObject(inputResponses) ? inputResponses : {});
  if (decision === undefined) return askClient(chain, String(state));
  await dropPause(engineOf(host), state);
  return host.resume(chain, decision, calling);
}

function askClient(chain: PausedChain, requestState: string) {
  return { resultType: "input_required", inputRequests: formsOf(chain), requestState };
}

/** An error that both SDKs pass on to the client as it is (JSON-RPC -32602). */
function invalidParams(message: string): Error {
  return Object.assign(new Error(message), { code: -32602 });
}

/** The result for the client: the parts for the model, and those for the user alone with their audience. */
async function toResult(host: Host, chain: ChainResult, conversation: string) {
  const kept = await host.keep(chain, { conversation });
  const { content, isError } = modelView(kept, { tools: host.tools });
  const { verbatim } = userView(chain);
  return { content: [...content, ...verbatim], isError };
}

/** A tool that is what it was is the same object. */
function sameTools(before: readonly HostTool[], now: readonly HostTool[]): boolean {
  return before.length === now.length && before.every((tool, at) => tool === now[at]);
}

function refusal(text: string): JsonObject {
  return { content: [{ type: "text", text }], isError: true };
}

/** A tool as `tools/list` shows it, under the name that is unique among all servers of the host. */
function toListed(tool: HostTool | { name: string; description: string; inputSchema: JsonObject }) {
  if (!("modelName" in tool)) return { ...tool, annotations: { readOnlyHint: true } };
  const { modelName: name, title, description, inputSchema, annotations } = tool;
  return {
    name,
    inputSchema,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations && { annotations }),
  };
}
