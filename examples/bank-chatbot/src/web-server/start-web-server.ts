import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import {
  type Conversation,
  type ConversationOptions,
  createConversation,
} from "../conversation/create-conversation.ts";
import { type Listening, listen, RefusedRequest, sendJson } from "../server/listen.ts";
import type { Page } from "./build-page.ts";
import type { AppView, RelayMeasure } from "./protocol.ts";

export interface WebServerOptions {
  readonly page: Page;
  /** The data that the page shows. */
  readonly app: AppView;
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

const id = z.string().min(1).max(100);
const turnInput = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().trim().min(1).max(4000) }),
  z.strictObject({ type: z.literal("control"), id, value: z.string().max(1000) }),
  z.strictObject({ type: z.literal("approval"), id, approved: z.boolean() }),
]);
const newConversation = z.strictObject({ mode: z.enum(["ai-sdk", "langgraph", "guard"]) });

/** Serves the page and its conversations on the loopback address, to loopback pages alone. */
export async function startWebServer(options: WebServerOptions): Promise<Listening> {
  const { page, app, conversation: shared, measureRelay, port = 0 } = options;
  const conversations = new Map<string, Conversation>();

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const [, api, conversationId = "", action = ""] = pathname.split("/");
    if (api !== "api") return sendFile(pathname === "/" ? "/index.html" : pathname, response);
    const send = (body: object, status = 200) => sendJson(response, { status, body });
    const target = `${request.method} ${conversationId && ":id/"}${action}`;
    if (target === "GET ") return send(app);
    if (target === "POST ") {
      const { mode } = await readBody(request, newConversation);
      const newId = crypto.randomUUID();
      conversations.set(newId, createConversation({ ...shared, mode }));
      return send({ id: newId }, 201);
    }
    const conversation = conversations.get(conversationId);
    if (!conversation) throw new RefusedRequest(404, "There is no such conversation.");
    switch (target) {
      case "GET :id/events":
        return sendViews(conversation, response);
      case "POST :id/turns":
        await conversation.take(await readBody(request, turnInput));
        return send({});
      case "POST :id/relay": {
        await readBody(request, z.strictObject({}));
        const { entries } = conversation.view();
        const typed = entries.flatMap((one) =>
          one.type === "user" && one.isTyped ? one.text : [],
        );
        return send(await measureRelay(typed));
      }
      default:
        throw new RefusedRequest(404, "There is no such address.");
    }
  }

  function sendFile(path: string, response: ServerResponse): void {
    const file = page.get(path);
    if (!file) throw new RefusedRequest(404, "There is no such page.");
    response.writeHead(200, { ...SAFETY, "content-type": file.type }).end(file.body);
  }

  const server = await listen(route, { port });
  return {
    url: server.url,
    async close() {
      await server.close();
      await Promise.allSettled(
        [...conversations.values()].map((conversation) => conversation.close()),
      );
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
  const parsed = schema.safeParse(await json(request).catch(() => undefined));
  if (!parsed.success) throw new RefusedRequest(400, "The body has the wrong form.");
  return parsed.data;
}
