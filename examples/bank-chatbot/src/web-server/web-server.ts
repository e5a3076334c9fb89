import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { mode, turnInput } from "../conversation/conversation-view.ts";
import {
  type Conversation,
  type ConversationOptions,
  createConversation,
} from "../conversation/create-conversation.ts";
import { listen, RefusedRequest, sendJson } from "../listen.ts";
import type { Page } from "./build-page.ts";

/** The measured costs of the sentences with plain MCP tools. */
export interface RelayMeasure {
  readonly modelCalls: number;
  readonly tokens: number;
  readonly ms: number;
}

export interface WebServerOptions {
  readonly page: Page;
  /** The options that all conversations share. */
  readonly conversation: Omit<ConversationOptions, "mode">;
  /** Runs sentences the relay way. */
  readonly measureRelay: (sentences: readonly string[]) => Promise<RelayMeasure>;
  /** Default 0: any free port. */
  readonly port?: number;
}

/** Only what the page brings itself may run or be fetched. */
const SAFETY = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** Serves the page and its conversations on the loopback address, to loopback pages alone. */
export async function startWebServer(options: WebServerOptions) {
  const { page, conversation: shared, measureRelay, port } = options;
  const conversations = new Map<string, Conversation>();

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = page.get(pathname === "/" ? "/index.html" : pathname);
    if (file) {
      response.writeHead(200, { ...SAFETY, "content-type": file.type }).end(file.body);
      return;
    }
    if (`${request.method} ${pathname}` === "POST /api") {
      const chosen = await readBody(request, z.strictObject({ mode }));
      const newId = crypto.randomUUID();
      conversations.set(newId, createConversation({ ...shared, ...chosen }));
      return sendJson(response, { id: newId }, 201);
    }
    const [, api, id = "", action] = pathname.split("/");
    const conversation = api === "api" && conversations.get(id);
    if (!conversation) throw new RefusedRequest(404, "There is no such address.");
    switch (`${request.method} ${action}`) {
      case "GET events":
        return sendViews(conversation, response);
      case "POST turns":
        await conversation.take(await readBody(request, turnInput));
        return sendJson(response, {});
      case "POST relay": {
        await readBody(request, z.strictObject({}));
        const texts = conversation.view().entries.filter((one) => one.type === "user");
        const typed = texts.filter(({ isTyped }) => isTyped).map(({ text }) => text);
        return sendJson(response, await measureRelay(typed));
      }
      default:
        throw new RefusedRequest(404, "There is no such address.");
    }
  }

  const { url, close } = await listen(route, port);
  return {
    url,
    async close() {
      await close();
      await Promise.allSettled([...conversations.values()].map((one) => one.close()));
    },
  };
}

/** Sends each change of the conversation as an event, until the page is closed. */
function sendViews(conversation: Conversation, response: ServerResponse): void {
  response.writeHead(200, { ...SAFETY, "content-type": "text/event-stream" });
  const stop = conversation.watch((view) => response.write(`data: ${JSON.stringify(view)}\n\n`));
  response.once("close", stop);
}

const MAX_BODY_BYTES = 65_536;

/** Throws `RefusedRequest` for anything but a small JSON document of that form. */
async function readBody<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const { "content-type": type = "", "content-length": length } = request.headers;
  // A form of another page can't send this type.
  if (!/^application\/json\b/i.test(type)) throw new RefusedRequest(415, "Send application/json.");
  if (!length || Number(length) > MAX_BODY_BYTES) {
    throw new RefusedRequest(413, "The body is too large, or its length is not given.");
  }
  const { data } = schema.safeParse(await json(request).catch(() => undefined));
  if (data === undefined) throw new RefusedRequest(400, "The body has the wrong form.");
  return data;
}
