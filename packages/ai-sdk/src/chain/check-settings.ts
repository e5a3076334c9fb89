import { type Host, ToolrailError } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import { asRecord } from "../tools/messages.ts";
import { checkNames } from "../tools/typed-tools.ts";
import type { ChainableSettings, ChainingOptions } from "./chaining-settings.ts";

const OPTIONS: { readonly [Name in keyof Required<ChainingOptions>]: true } = {
  tools: true,
  typed: true,
  onHop: true,
  fold: true,
  endWhenShown: true,
  scope: true,
  userText: true,
  context: true,
  onAsk: true,
  pipe: true,
};
const NAMES = Object.keys(OPTIONS);

/** Throws `invalid-options` for typical mistakes, and warns where a run may ask and its approvals are not signed. */
export function checkSettings(host: Host, settings: ChainableSettings): void {
  const { chaining = {}, prepareStep } = settings;
  if (prepareStep && CHAINED in prepareStep) throw invalid(TWICE);
  const unknown = Object.keys(chaining).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw invalid(`\`chaining\` has no option "${unknown}". Use one of ${NAMES.join(", ")}.`);
  }
  const stray = Object.keys(settings).find((name) => name !== "tools" && NAMES.includes(name));
  if (stray !== undefined) throw invalid(`\`${stray}\` belongs under \`chaining\`: { ${stray} }.`);
  for (const [name, value] of Object.entries(settings)) {
    if (typeof asRecord(value).then !== "function") continue;
    throw invalid(`\`${name}\` is a promise: await it first, as convertToModelMessages needs it.`);
  }
  checkNames(host.tools, chaining.typed);
  const { mayAsk, warn } = engineOf(host);
  const { experimental_toolApprovalSecret: secret } = asRecord(settings);
  if (mayAsk && !secret) warn("no-approval-secret");
}

/** Marks a composed `prepareStep`, whichever copy of the package made it. */
export const CHAINED = Symbol.for("toolrail.chained");

const TWICE =
  "These settings already went through withChaining; put all servers on one host and call it once.";

function invalid(message: string): ToolrailError {
  return new ToolrailError("invalid-options", message);
}
