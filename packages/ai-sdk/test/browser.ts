import type { Host } from "@toolrail/core";
import type { UIMessage } from "ai";
import { type ChainingOptions, withChaining } from "../src/index.ts";
import type { Major, ScriptedModel } from "./majors.ts";

/** What a browser holds of a conversation: messages, as JSON. */
export type Browser = UIMessage[];
type Part = UIMessage["parts"][number];

export const SAID: UIMessage = { id: "u", role: "user", parts: [{ type: "text", text: "pay" }] };

interface Request {
  /** A new one, as in a process that knows nothing but the store. */
  readonly host: Host;
  readonly model: ScriptedModel;
  readonly chaining?: ChainingOptions | undefined;
  readonly browser: Browser;
  /** Tools beside those of the host. */
  readonly tools?: object;
}

/** One request of the browser, and what it holds then. */
export async function postTo(
  { sdk }: Major,
  { host, model: { model }, chaining, browser, tools: own }: Request,
): Promise<Browser> {
  const original = structuredClone(browser);
  const { tools } = withChaining(host, { model, chaining, tools: own });
  const messages = await sdk.convertToModelMessages(original, { tools });
  const result = sdk.streamText(withChaining(host, { model, messages, chaining, tools: own }));
  const last = original.at(-1);
  const message = last?.role === "assistant" ? last : undefined;
  const stream = result.toUIMessageStream({ originalMessages: original });
  let answer: UIMessage | undefined;
  const reading = { stream, ...(message && { message }) };
  for await (const state of sdk.readUIMessageStream(reading)) answer = structuredClone(state);
  return [...(message ? original.slice(0, -1) : original), ...(answer ? [answer] : [])];
}

/** The customer's word on each call that waits, as `addToolApprovalResponse` writes it. */
export function decide(
  browser: Browser,
  isApproved: (input: unknown) => boolean = () => true,
): Browser {
  return onParts(browser, (part) => {
    if (part.type !== "dynamic-tool" || part.state !== "approval-requested") return part;
    const approval = { ...part.approval, approved: isApproved(part.input) };
    return { ...part, state: "approval-responded", approval } as Part;
  });
}

/** The messages with each part changed. */
function onParts(browser: Browser, change: (part: Part) => Part): Browser {
  return browser.map((message) => ({ ...message, parts: message.parts.map(change) }));
}
