import { z } from "zod";
import { ToolrailError, toToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, measure } from "../json/json.ts";
import { plainText, quoted } from "../json/plain-text.ts";
import { schemaDefect } from "../json/schema.ts";
import { readShape } from "../json/shape.ts";
import type { ReceivedInput, ToolCall } from "./call-options.ts";
import type { HostParts } from "./host-parts.ts";
import { asksForInput, type ToolCallRequest } from "./port.ts";
import { untilAborted, withOwnSignal } from "./until-aborted.ts";
import { inputDefect, type ValueParts } from "./value-checks.ts";

/** A form that a server asks the user to fill in (`elicitation/create`). Show which server asks: it wrote the texts. */
export interface InputForm {
  readonly mode?: "form";
  readonly message: string;
  /** The JSON Schema of the form: an object of plain fields. */
  readonly requestedSchema: JsonObject;
}

/**
 * A page for the user to visit for a server, or to sign in to it. Show the server and the origin. The host opens no page.
 */
export interface InputPage extends Pick<InputForm, "message"> {
  readonly mode: "url";
  readonly url: string;
  readonly origin: string;
}

/** An answer to one form or page: filled in or visited, declined, or cancelled. An answer to a page has no content. */
export type InputResponse =
  | { readonly action: "accept"; readonly content?: JsonObject }
  | { readonly action: "decline" | "cancel" };

/** The pause if a server only wants to be asked again. */
const AGAIN_MS = 250;

/**
 * The questions of the server of one call to the user: ten at most, wrong answers included, and one after another. Without
 * `onInputRequest`, each is rejected with `needs-input`.
 */
export class InputRequests {
  readonly #host: HostParts;
  readonly #endMs: number;
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: HostParts, endMs: number) {
    this.#host = host;
    this.#endMs = endMs;
  }

  /** Answers a result that asks something, by sending the call again as often as its server asks (MCP 2026-07-28). */
  async answerAll(
    raw: JsonObject,
    call: ToolCall,
    send: (more: Pick<ToolCallRequest, "inputResponses" | "requestState">) => Promise<unknown>,
  ): Promise<unknown> {
    const { tool, signal } = call;
    let latest: unknown = raw;
    for (let round = 0; asksForInput(latest); round++) {
      if (round >= MAX_ASKED) throw askedTooOften(tool.id);
      const { requests, requestState } = readInputRequired(latest, tool.id);
      const inputResponses: Record<string, InputResponse> = {};
      for (const [key, form] of Object.entries(requests)) {
        const answer = this.#ask({ ...form, server: tool.server, call, signal });
        if (!answer) throw askedTooOften(tool.id);
        inputResponses[key] = await answer;
      }
      const isAsked = Object.keys(requests).length > 0;
      if (!isAsked) await untilAborted(new Promise((done) => setTimeout(done, AGAIN_MS)), signal);
      latest = await send({ ...(isAsked && { inputResponses }), requestState });
    }
    return latest;
  }

  /**
   * Answers the `elicitation/create` that a server sends during a call, as revisions before 2026-07-28 do. Returns `undefined` if the
   * call has asked too often.
   */
  elicit(
    { tool: { server }, signal: callSignal }: ToolCall,
    params: unknown,
    signal?: AbortSignal,
  ): Promise<InputResponse> | undefined {
    const request = readAsked(params, `Server "${server}"`);
    const signals = [signal, callSignal].filter((one) => one !== undefined);
    const answer = this.#ask({ ...request, server, signal: AbortSignal.any(signals) });
    return answer?.catch((cause) => {
      throw toToolrailError(cause, `The input request of server "${server}" has no answer`);
    });
  }

  #ask(asked: ReceivedInput): Promise<InputResponse> | undefined {
    if (this.#count >= MAX_ASKED) return undefined;
    this.#count++;
    const answered = this.#last.then(() => this.#askUntilValid(asked));
    this.#last = answered.catch(() => {});
    return answered;
  }

  async #askUntilValid(asked: ReceivedInput): Promise<InputResponse> {
    const { onInputRequest, now } = this.#host;
    if (!onInputRequest) throw new ToolrailError("needs-input", NOBODY);
    let again: Pick<ReceivedInput, "problem"> = {};
    for (;;) {
      const bounds = { signal: asked.signal, timeoutMs: this.#endMs - now() };
      const ask = (signal: AbortSignal) => onInputRequest({ ...asked, ...again, signal });
      const answer = await withOwnSignal(bounds, ask);
      const read = readAnswer(this.#host, { request: asked, answer });
      if (typeof read !== "string") return read;
      if (this.#count >= MAX_ASKED) throw neverValid(asked.server, read);
      this.#count++;
      again = { problem: read };
    }
  }
}

const NOBODY =
  "The server asks the user something before it continues, and this host has no `onInputRequest` that could answer: pass one to createHost().";

function neverValid(server: string, problem: string): ToolrailError {
  const message = `Server "${server}" asks the user something, but \`onInputRequest\` never returned a valid answer: ${problem}.`;
  return new ToolrailError("callback-failed", message);
}

export function askedTooOften(what: string): ToolrailError {
  const message = `${what} asks the user more than ${MAX_ASKED} times in one call. Fix the server.`;
  return new ToolrailError("malformed-result", message);
}

/** The limits of an interim result, including its forms and its state. */
const MAX_INTERIM = { maxBytes: 262_144, maxDepth: 64 };

/** How often the user is asked in one call, at most, and in how many rounds. */
const MAX_ASKED = 10;
/** The longest address of a page, in characters. */
const MAX_URL = 8_192;

const OTHER = "asks for something else: this host supports only forms and pages";
const INTERIM = /* @__PURE__ */ z.object({
  inputRequests: z
    .record(
      z.string(),
      z.object({ method: z.literal("elicitation/create", OTHER), params: z.unknown() }),
    )
    .default({}),
  requestState: z.string().optional(),
});
const FORM = /* @__PURE__ */ z.object({
  mode: z.literal("form", OTHER).optional(),
  message: z.string(),
  requestedSchema: z.custom<JsonObject>().superRefine((schema, { addIssue }) => {
    const message = schemaDefect(schema);
    if (message) addIssue(`has a defect: ${message}`);
  }),
});
const PAGE = /* @__PURE__ */ z.object({
  message: z.string(),
  url: z.string().refine(isAddress, {
    error: `must be an https URL, or http on this machine, of at most ${MAX_URL} characters and without a user name or password`,
  }),
});

/** Reads what an `input_required` answer asks for, by the server's keys, and the state that goes back to it unchanged. Throws if no person can answer it. */
function readInputRequired(raw: JsonObject, tool: string) {
  const size = measure(raw, MAX_INTERIM);
  if (size) throw malformed(tool, size);
  const { inputRequests, requestState } = read(INTERIM, raw, tool);
  const entries = Object.entries(inputRequests);
  if (entries.length > MAX_ASKED) {
    const why = `it asks for ${entries.length} things at once, and ${MAX_ASKED} is the most`;
    throw malformed(tool, why);
  }
  const requests = entries.map(([key, { params }]) => [key, readAsked(params, tool)] as const);
  return { requests: Object.fromEntries(requests), requestState };
}

/** Reads the form or page of an `elicitation/create`. Throws `malformed-result`, also for other kinds. */
function readAsked(params: unknown, asker: string): InputForm | InputPage {
  if (Object(params).mode === "url") {
    const { message, url } = read(PAGE, params, asker);
    const { href, origin } = new URL(url);
    return { mode: "url", message: plainText(message), url: href, origin };
  }
  const { message, requestedSchema } = read(FORM, params, asker);
  return { message: plainText(message), requestedSchema };
}

/** True for an address that may be shown as a link. Any other address never reaches a person. */
function isAddress(url: string): boolean {
  const page = url.length <= MAX_URL && URL.canParse(url) ? new URL(url) : undefined;
  if (page?.username !== "" || page.password !== "" || page.href.length > MAX_URL) return false;
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(page.hostname);
  return page.protocol === "https:" || (page.protocol === "http:" && isLocal);
}

function read<T>(schema: z.ZodType<T>, asked: unknown, asker: string): T {
  const { value, defect } = readShape(schema, asked);
  if (defect !== undefined) throw malformed(asker, defect);
  return value;
}

function malformed(tool: string, why: string): ToolrailError {
  const message = `${tool} asks the user something in an invalid way: ${why}. Fix the server.`;
  return new ToolrailError("malformed-result", message);
}

/** Reads an answer, without members that do not belong to it, and with the defaults of the form. Returns a text if it does not fit. */
function readAnswer(
  parts: ValueParts,
  { request, answer }: { readonly request: InputForm | InputPage; readonly answer: unknown },
): InputResponse | string {
  const { action, content } = isJsonObject(answer) ? answer : {};
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept") return 'its action must be "accept", "decline" or "cancel"';
  if (request.mode === "url") return { action };
  if (!isJsonObject(content)) return "its content must be an object";
  const { requestedSchema: inputSchema } = request;
  const fields = isJsonObject(inputSchema.properties) ? inputSchema.properties : {};
  const unknown = Object.keys(content).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) return `the form has no field "${quoted(unknown)}"`;
  const filled = { ...defaultsOf(fields), ...content };
  return inputDefect(parts, filled, { id: "a form", inputSchema }) ?? { action, content: filled };
}

function defaultsOf(fields: JsonObject): JsonObject {
  const defaults = Object.entries(fields).flatMap(([name, field]) => {
    return isJsonObject(field) && field.default !== undefined ? [[name, field.default]] : [];
  });
  return Object.fromEntries(defaults);
}
