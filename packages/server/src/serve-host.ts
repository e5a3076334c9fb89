import type { Host, Tool, ToolFilter } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import { invalidOptions, readDecisions } from "@toolrail/core/internal";
import { createPauses, engineOf } from "@toolrail/core/plugin";
import { isJsonObject, type JsonObject } from "@toolrail/json";
import { type Ended, type Offer, type OfferedCall, type OfferedTool, textResult } from "./offer.ts";
import { offerChains } from "./offer-chains.ts";
import { findRefusals, type Pause, toInputRequired } from "./pauses.ts";
import { type McpServerLike, membersOf, type RequestContext, signalOf } from "./server-handlers.ts";
import {
  askingModes,
  createChangeNotifier,
  isOverHttp,
  progressTo,
  setToolHandlers,
} from "./tool-handlers.ts";

/** A way to call the tools of a host besides chains or instead of them: see `ServeHostOptions`. Its member is for `serveHost`. */
export interface ServedCalls<Kind extends string> {
  readonly kind: Kind;
  offer(host: Host, tools: ToolFilter | undefined): Offer | undefined;
}

/** Options of `serveHost`. */
export interface ServeHostOptions {
  /** The host's tools to offer. Default: all tools for models. */
  readonly tools?: ToolFilter;
  /**
   * Returns the unique id of the conversation that a request belongs to. Stored results belong to one conversation. Default: the
   * session of the transport. Without a session, it is the connection or, over HTTP, each single request.
   */
  readonly conversation?: (context: RequestContext) => string;
  /** The additional tool `mcp_pipe`: `pipeTool()` of `@toolrail/server/pipe`. Default: none. */
  readonly pipe?: ServedCalls<"pipe">;
  /** The single-step guard: `singleStep()` of `@toolrail/server/guard`. Default: none, so that calls run their chains. */
  readonly guard?: ServedCalls<"guard">;
  /** Returns the caller for `authorize` and the like, such as the `authInfo` of the request. Default: nothing. */
  readonly context?: (context: RequestContext) => unknown;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ServeHostOptions>("serveHost", {
  tools: ["texts", "function"],
  pipe: servedBy("pipe", 'pipeTool() of "@toolrail/server/pipe"'),
  guard: servedBy("guard", 'singleStep() of "@toolrail/server/guard"'),
  conversation: "function",
  context: "function",
});

function servedBy(kind: string, words: string) {
  return { words: `what ${words} returns`, test: (value: unknown) => Object(value).kind === kind };
}

/**
 * Offers the tools of a host, from all of its servers, as the tools of one MCP server. The server is an `McpServer` or a `Server`
 * that is not connected yet and has no tools. A call runs its whole chain. If it has to wait for a person, the client's user is
 * asked with a form or a page (`input_required`, or `elicitation/create` before 2026-07-28). The call is refused if the client
 * cannot ask. Throws `invalid-options`, and `unknown-client` for anything that is not such a server.
 */
export function serveHost(server: McpServerLike, host: Host, options: ServeHostOptions = {}): void {
  checkOptions(options);
  const engine = engineOf(host);
  const offers = createOffers(host, options);
  const pauses = createPauses<Pause>(engine, { kind: "served" });
  const connection = engine.newId();
  const notifyChanges = createChangeNotifier(server, (notify) => {
    let known = host.tools;
    return engine.watchTools(() => {
      const isSame = sameTools(known, host.tools);
      known = host.tools;
      if (!isSame) notify();
    });
  });
  const toCall = (params: JsonObject, context: RequestContext): OfferedCall => {
    const { name, arguments: args, _meta: meta } = params;
    const { sessionId } = membersOf(context);
    const stated = options.conversation ? options.conversation(context) : sessionId;
    if (options.conversation && !stated) throw invalidOptions(NO_CONVERSATION);
    return {
      name: String(name),
      arguments: isJsonObject(args) ? args : {},
      meta: isJsonObject(meta) ? meta : {},
      stated,
      modes: askingModes(server, context),
      options: {
        origin: { by: "model" },
        context: options.context?.(context),
        signal: signalOf(context),
        // Several users may share a connection over HTTP. Without a session, each request is a separate conversation.
        conversation: stated ?? (isOverHttp(context) ? engine.newId() : connection),
        ...progressTo(params, context),
      },
    };
  };
  setToolHandlers(server, {
    async list() {
      await engine.settle();
      notifyChanges();
      return { tools: offers.flatMap((offer) => offer.list()) };
    },
    async call(params, context) {
      const call = toCall(params, context);
      const [tool] = offers.flatMap((offer) => offer.find(call.name) ?? []);
      if (!tool) return textResult(`There is no tool ${JSON.stringify(call.name)} here.`, true);
      const { requestState: id, inputResponses } = params;
      if (id === undefined) return answer(call, { tool, ended: await tool.begin(call) });
      const pause = await pauses.find(id);
      const { name, stated } = call;
      // A pause belongs to one tool, and to the conversation that the transport or the application names.
      if (pause?.tool !== name || pause.stated !== stated) throw nothingWaits();
      const { asks, state, conversation } = pause;
      const decisions = readDecisions(asks, inputResponses);
      // The client is asked again for a missing answer.
      if (!decisions) return toInputRequired(pause, String(id));
      if (!(await pauses.take(id))) throw nothingWaits();
      const again = { ...call, options: { ...call.options, conversation } };
      return answer(again, { tool, ended: await tool.resume({ state, decisions }, again) });
    },
  });

  async function answer(
    call: OfferedCall,
    { tool, ended }: { readonly tool: OfferedTool; readonly ended: Ended },
  ): Promise<JsonObject> {
    if ("result" in ended) return ended.result;
    const { state } = ended;
    const decisions = findRefusals(ended, call.modes);
    if (decisions) {
      return answer(call, { tool, ended: await tool.resume({ state, decisions }, call) });
    }
    const { name, stated, options } = call;
    const { conversation } = options;
    const id = await pauses.keep({ ...ended, tool: name, stated, conversation });
    return toInputRequired(ended, id);
  }
}

function createOffers(host: Host, { tools, pipe, guard }: ServeHostOptions): readonly Offer[] {
  if (pipe && guard) throw invalidOptions(BOTH);
  const others = (pipe ?? guard)?.offer(host, tools);
  if (guard) return others ? [others] : [];
  return others ? [offerChains(host, tools), others] : [offerChains(host, tools)];
}

const NO_CONVERSATION =
  "`conversation` of serveHost must return the id of the conversation, a text that is not empty.";
const BOTH = "A served host has either `pipe` or `guard`: under guard a query makes one call.";

/** Creates an error that both SDKs pass on to the client unchanged (JSON-RPC -32602). */
function nothingWaits(): Error {
  const message = "Nothing waits for this answer any more: call the tool again.";
  return Object.assign(new Error(message), { code: -32602 });
}

/** Returns true if no tool has changed, since an unchanged tool is the same object. */
function sameTools(before: readonly Tool[], now: readonly Tool[]): boolean {
  return before.length === now.length && before.every((tool, at) => tool === now[at]);
}
