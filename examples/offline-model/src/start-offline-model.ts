// A fake model that follows rules: it lets a demo and its tests run without a key
// and without a network, through the same HTTP form and the same provider package as a real one.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { BadRequest, toErrorBody } from "./bad-request.ts";
import { parseChatRequest } from "./chat-request.ts";
import { checkRequest } from "./check-request.ts";
import { toChunks, toCompletion } from "./completion.ts";
import { decide } from "./decide.ts";
import { PROVIDERS, type ProviderProfile } from "./provider-profile.ts";
import type { Rule } from "./rule.ts";
import { toTurn } from "./turn.ts";
import { countUsage, type ModelCall } from "./usage.ts";

export interface OfflineModelOptions {
  /** The rules, in order. The first that decides wins. */
  readonly rules: readonly Rule[];
  /** Default "offline-rules". Any model name is accepted in requests and answered with this one. */
  readonly modelId?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Refuses with HTTP 400 what this provider refuses. Default: `OFFLINE_PROFILE` of the environment, or "openai". */
  readonly profile?: ProviderProfile;
  /** The time before each answer, as a model would take it, in milliseconds. Default 0. */
  readonly thinkMs?: number;
}

export interface OfflineModel {
  /** The base URL for a provider, ending in `/v1`. */
  readonly url: string;
  /** One entry per answered request, growing while the server runs. */
  readonly calls: readonly ModelCall[];
  readonly close: () => Promise<void>;
}

/** Starts an OpenAI-compatible chat completions server on the loopback address. */
export async function startOfflineModel(options: OfflineModelOptions): Promise<OfflineModel> {
  const { rules, modelId = "offline-rules", port = 0, thinkMs = 0 } = options;
  const { profile = profileOf(process.env.OFFLINE_PROFILE) } = options;
  const calls: ModelCall[] = [];

  async function complete(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chat = parseChatRequest(await readText(request));
    checkRequest(chat, PROVIDERS[profile]);
    const decision = decide(rules, toTurn(chat));
    const usage = countUsage(chat, decision);
    if (thinkMs > 0) await setTimeout(thinkMs, undefined, { ref: false });
    if (response.destroyed) return; // Nobody waits for it any more.
    calls.push(usage);
    const created = Math.floor(Date.now() / 1000);
    const input = { id: randomUUID(), model: modelId, created, decision, usage };
    if (chat.stream) sendEvents(response, toChunks(input));
    else sendJson(response, 200, toCompletion(input));
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split("?")[0];
    const target = `${request.method} ${path}`;
    if (target === "POST /v1/chat/completions") return complete(request, response);
    if (target !== "GET /v1/models")
      throw new BadRequest(`Unknown route: ${target}`, undefined, 404);
    sendJson(response, 200, { object: "list", data: [{ id: modelId, object: "model" }] });
  }

  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => sendError(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${actualPort}/v1`, calls, close };
}

function profileOf(name = "openai"): ProviderProfile {
  if (Object.hasOwn(PROVIDERS, name)) return name as ProviderProfile;
  throw new Error(`OFFLINE_PROFILE is "${name}"; use ${Object.keys(PROVIDERS).join(", ")}.`);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendEvents(response: ServerResponse, chunks: readonly object[]): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end("data: [DONE]\n\n");
}

function sendError(response: ServerResponse, error: unknown): void {
  if (error instanceof BadRequest) {
    sendJson(response, error.status, toErrorBody(error));
  } else {
    const failure = { message: String(error), type: "server_error", param: null, code: null };
    sendJson(response, 500, { error: failure });
  }
}
