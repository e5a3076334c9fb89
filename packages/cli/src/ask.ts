import { createInterface } from "node:readline/promises";
import type { Decision, HostOptions, PendingCall } from "@toolrail/core";
import { approvalText } from "@toolrail/core/adapter";
import { isJsonObject, type JsonObject } from "@toolrail/core/json";
import type { Context } from "./run-toolrail.ts";
import { indent, oneLine, plainText } from "./terminal.ts";

/**
 * Shows a waiting call and asks on the terminal whether to make it. A JSON object approves it with these arguments. Any other
 * answer except yes denies it.
 */
export async function askApproval(context: Context, pending: PendingCall): Promise<Decision> {
  const shown = `${approvalText(pending)}\n${indent(JSON.stringify(pending.arguments, null, 2))}\n`;
  context.stderr.write(plainText(shown));
  const line = await withTerminal(context, (ask) =>
    ask("Call it? [y/N, or other arguments as JSON] "),
  );
  const answer = line?.trim() ?? "";
  if (/^y(es)?$/i.test(answer)) return "approve";
  try {
    const value: unknown = JSON.parse(answer);
    if (isJsonObject(value)) return { approve: { arguments: value } };
  } catch {}
  return { deny: "it was refused on the terminal" };
}

type OnInputRequest = NonNullable<HostOptions["onInputRequest"]>;
type InputRequest = Parameters<OnInputRequest>[0];
type InputAnswer = Awaited<ReturnType<OnInputRequest>>;

/** Lets the user answer the requests of servers on the terminal, one after another. */
export function askOnTerminal(context: Context): OnInputRequest {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const answer = last.then(() => answerRequest(context, request));
    last = answer.catch(() => {});
    return answer;
  };
}

/**
 * Lets the user fill in a server's form, one line for each field. For a page, it prints the link without opening it, and waits
 * for the user to confirm the visit.
 */
async function answerRequest(context: Context, request: InputRequest): Promise<InputAnswer> {
  const { stderr } = context;
  const { server, message, problem, signal } = request;
  const type = async (ask: Ask): Promise<InputAnswer> => {
    if (problem) stderr.write(`That was not sent: ${plainText(problem)}\n`);
    stderr.write(`Server "${server}" asks you:\n${indent(message)}\n`);
    if (request.mode === "url") {
      stderr.write(`It sends you to a page of ${request.origin}:\n${indent(request.url)}\n`);
      const isDone = !/^n/i.test(await ask("Open it yourself. Done? [Y/n] "));
      return { action: isDone ? "accept" : "decline" };
    }
    if (/^n/i.test(await ask("Answer? [Y/n] "))) return { action: "decline" };
    const content: Record<string, unknown> = {};
    for (const { name, schema, isRequired } of readFields(request.requestedSchema)) {
      const text = await ask(`${toLabel(name, schema)}${isRequired ? "" : "?"}: `);
      const value = text === "" ? schema.default : toValue(text, schema);
      if (value !== undefined) content[name] = value;
    }
    return { action: "accept", content };
  };
  return (await withTerminal(context, type, signal)) ?? { action: "cancel" };
}

/** Reads the fields of an object's schema. */
export function readFields({ properties, required }: JsonObject) {
  const needed: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, field]) => {
    return { name, schema: isJsonObject(field) ? field : {}, isRequired: needed.includes(name) };
  });
}

function toLabel(name: string, schema: JsonObject): string {
  const { title = name, description, default: given } = schema;
  const allowed = readChoices(schema) ?? schema.type;
  const about = [allowed, description, given !== undefined && `default ${given}`].filter(Boolean);
  return oneLine(`${title} (${about.join("; ")})`, 200);
}

/** Finds the values to choose from, in the forms of MCP 2025-11-25: with or without titles. */
function readChoices({ enum: values, oneOf = values, anyOf = oneOf, items }: JsonObject): unknown {
  if (isJsonObject(items)) return readChoices(items);
  if (!Array.isArray(anyOf)) return undefined;
  const toText = (choice: unknown) =>
    isJsonObject(choice) ? `${choice.const} = ${choice.title}` : choice;
  return anyOf.map(toText).join(" | ");
}

/** Converts the typed text to the type of its field. Text that does not fit is unchanged, so that the host refuses it. */
function toValue(text: string, { type }: JsonObject): unknown {
  if (type === "boolean")
    return /^(y|yes|true)$/i.test(text) || (/^(n|no|false)$/i.test(text) ? false : text);
  if (type === "array") return text.split(",").map((item) => item.trim());
  const isNumber = type === "number" || type === "integer";
  return isNumber && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

type Ask = (text: string) => Promise<string>;

/** Runs `type`, which asks for lines on the terminal. Returns `undefined` if the input ends first (Ctrl-D). */
async function withTerminal<T>(
  { stdin, stderr, signal: cancel }: Context,
  type: (ask: Ask) => Promise<T>,
  signal: AbortSignal = cancel,
): Promise<T | undefined> {
  // The raw mode is off, since Ctrl-C would only end this question there.
  const terminal = createInterface({ input: stdin, output: stderr, terminal: false });
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());
  if (stdin.readableEnded) terminal.close();
  const either = AbortSignal.any([cancel, closed.signal, signal]);
  try {
    return await type((text) => terminal.question(text, { signal: either }));
  } catch (error) {
    if (closed.signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}
