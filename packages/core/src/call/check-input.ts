import { isJsonObject, type JsonObject, measure, plainText, quoted } from "@toolrail/json";
import { schemaDefect } from "@toolrail/json/schema";
import { ToolrailError } from "../errors.ts";
import type { InputForm, InputPage, InputRequest, InputResponse } from "../result/input-request.ts";
import type { HostParts } from "./passage.ts";
import { inputDefect } from "./value-checks.ts";

/** The forms that an interim result asks for, and the state that goes back to the server unchanged with the answers. */
export interface AskedInput extends Pick<InputRequest, "requests"> {
  readonly requestState: string | undefined;
}

/** The limits of an interim result, including its forms and its state. */
const MAX_INTERIM = { maxBytes: 262_144, maxDepth: 64 };

/** The most forms and pages that a person is asked for at once, and the longest address, in characters. */
const MAX_REQUESTS = 20;
const MAX_URL = 8_192;

/** Reads what an `input_required` answer to `tools/call` asks for. Throws if it asks for something that no person can answer. */
export function readInputRequired(raw: unknown, tool: string): AskedInput | undefined {
  if (!isJsonObject(raw) || raw.resultType !== "input_required") return undefined;
  const { inputRequests = {}, requestState } = raw;
  const size = measure(raw, MAX_INTERIM);
  const isPlain = requestState === undefined || typeof requestState === "string";
  if (size || !isPlain || !isJsonObject(inputRequests)) {
    throw malformed(tool, size ?? "its inputRequests or requestState has the wrong type");
  }
  const entries = Object.entries(inputRequests).map(([key, request]) => {
    const { method, params } = isJsonObject(request) ? request : {};
    if (method === "elicitation/create") return [key, readAsked(params, tool)] as const;
    throw unsupported(tool, `${quoted(String(method))}`);
  });
  if (entries.length === 0 && requestState === undefined) throw malformed(tool, "it asks nothing");
  if (entries.length > MAX_REQUESTS) {
    throw malformed(
      tool,
      `it asks for ${entries.length} things at once, and ${MAX_REQUESTS} is the most`,
    );
  }
  const requests = Object.fromEntries(entries);
  return { requests, requestState };
}

/** Reads the form or page of an `elicitation/create`. Throws `malformed-result`, or `unsupported-result` for other kinds. */
export function readAsked(params: unknown, asker: string): InputForm | InputPage {
  const { mode = "form", message, requestedSchema, url } = isJsonObject(params) ? params : {};
  if (mode !== "form" && mode !== "url")
    throw unsupported(asker, `elicitation of the mode ${quoted(String(mode))}`);
  if (typeof message !== "string") throw malformed(asker, "it has no message");
  if (mode === "url") {
    const page = readAddress(url);
    if (!page) throw malformed(asker, NO_ADDRESS);
    return { mode, message: plainText(message), url: page.href, origin: page.origin };
  }
  const defect = schemaDefect(requestedSchema);
  if (defect) throw malformed(asker, `in its requestedSchema, ${defect}`);
  return { message: plainText(message), requestedSchema: requestedSchema as JsonObject };
}

/** Reads an address that may be shown as a link. Any other address never reaches a person. */
function readAddress(url: unknown): URL | undefined {
  const isShort = typeof url === "string" && url.length <= MAX_URL;
  const page = isShort && URL.canParse(url) ? new URL(url) : undefined;
  if (page?.username !== "" || page.password !== "" || page.href.length > MAX_URL) return undefined;
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(page.hostname);
  return page.protocol === "https:" || (page.protocol === "http:" && isLocal) ? page : undefined;
}

const NO_ADDRESS = `the address of its page must be an https URL, or http on this machine, of at most ${MAX_URL} characters and without a user name or password`;

function malformed(tool: string, why: string): ToolrailError {
  const message = `${tool} asks the user something in an invalid way: ${why}. Fix the server.`;
  return new ToolrailError("malformed-result", message);
}

function unsupported(tool: string, what: string): ToolrailError {
  const message = `${tool} asks for ${what}; this host supports only forms and pages.`;
  const data = { resultType: "input_required" };
  return new ToolrailError("unsupported-result", message, { data });
}

/** Reads an answer, without members that do not belong to it. Returns a text if it does not fit the form. */
export function readAnswer(
  parts: HostParts,
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
  return inputDefect(parts, content, { id: "a form", inputSchema }) ?? { action, content };
}

/** Reads the answers to all forms. Returns a text if one of them is wrong. */
export function readAnswers(
  parts: HostParts,
  { requests, input }: Pick<InputRequest, "requests"> & { readonly input: unknown },
): Record<string, InputResponse> | string {
  const given = isJsonObject(input) ? input : {};
  const answers: [string, InputResponse][] = [];
  for (const [key, request] of Object.entries(requests)) {
    const answer = Object.hasOwn(given, key) ? given[key] : undefined;
    if (answer === undefined) return `there is no answer for "${quoted(key)}"`;
    const read = readAnswer(parts, { request, answer });
    if (typeof read === "string") return `for "${quoted(key)}", ${read}`;
    answers.push([key, read]);
  }
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(requests, key));
  return unknown === undefined
    ? Object.fromEntries(answers)
    : `there is no form "${quoted(unknown)}"`;
}
