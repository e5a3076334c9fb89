import type { ChainResult, Decision, HostTool, InputResponses, PendingCall } from "@toolrail/core";
import { approvalText, type HostEngine } from "@toolrail/core/internal";
import { askStore } from "@toolrail/core/plugin";
import { isJsonObject, type JsonObject, shorten } from "@toolrail/json";

/** A chain that goes on when a person has answered. */
export type PausedChain = ChainResult & { readonly pending: PendingCall };

/** The key of the one form that asks for an approval. */
const APPROVAL = "approval";

/** True for a chain that waits for a person. */
export function isPaused(chain: ChainResult): chain is PausedChain {
  const { ended, pending } = chain;
  return (ended === "needs-approval" || ended === "needs-input") && pending !== undefined;
}

/** The forms for the client's user, by keys: `inputRequests` of an `input_required` result (MCP 2026-07-28). */
export function formsOf({ pending }: PausedChain): JsonObject {
  const forms = pending.inputRequest?.requests ?? { [APPROVAL]: approvalForm(pending) };
  const entries = Object.entries(forms).map(([key, { message, requestedSchema }]) => {
    const params = { mode: "form", message, requestedSchema };
    return [key, { method: "elicitation/create", params }];
  });
  return Object.fromEntries(entries);
}

function approvalForm(pending: PendingCall) {
  const args = shorten(JSON.stringify(pending.arguments), 2_000);
  return {
    message: `${approvalText(pending)}\nArguments: ${args}`,
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: "Approve this call" } },
      required: ["approve"],
    },
  };
}

/**
 * Reads what the client's user said; `undefined` if a form has no answer that can be read, and is to be asked again.
 */
export function decisionOf({ pending }: PausedChain, responses: JsonObject): Decision | undefined {
  const keys = Object.keys(pending.inputRequest?.requests ?? { [APPROVAL]: true });
  const answers = keys.map((key) => [key, toAnswer(responses[key])] as const);
  if (answers.some(([, answer]) => answer === undefined)) return undefined;
  const input = Object.fromEntries(answers) as { readonly [key: string]: InputResponses[string] };
  if (pending.inputRequest) return { input };
  const answer = input[APPROVAL];
  const isApproved = answer?.action === "accept" && answer.content.approve === true;
  return isApproved ? "approve" : { deny: "the user did not approve it" };
}

function toAnswer(response: unknown): InputResponses[string] | undefined {
  if (!isJsonObject(response)) return undefined;
  const { action, content } = response;
  if (action === "accept") return isJsonObject(content) ? { action, content } : undefined;
  return action === "decline" || action === "cancel" ? { action } : undefined;
}

/** Keeps a chain in the store of the host, and says under which id: the client never holds the chain itself. */
export async function keepPause(
  { store, newId, pendingHopTtlMs }: HostEngine,
  { chain, tool }: { readonly chain: PausedChain; readonly tool: HostTool },
): Promise<string> {
  const id = newId();
  const { runId, ended, hops, pending } = chain;
  const kept = { tool: tool.id, chain: { runId, ended, hops, pending } };
  await askStore(() => store.set(keyOf(id), kept, pendingHopTtlMs));
  return id;
}

/**
 * Finds a chain in the store by the id that its client alone was given. `undefined` for anything that was not kept for this
 * tool, and for this conversation if the transport or the application states one.
 */
export async function findPause(
  { store }: HostEngine,
  {
    state,
    conversation,
    tool,
  }: {
    readonly state: unknown;
    readonly conversation: string | undefined;
    readonly tool: HostTool;
  },
): Promise<PausedChain | undefined> {
  const kept = (await askStore(() => store.get(keyOf(String(state))))) as
    | { readonly tool: string; readonly chain: PausedChain }
    | undefined;
  const isMeant =
    kept?.tool === tool.id &&
    (conversation === undefined || kept.chain.pending.conversation === conversation);
  return isMeant ? kept.chain : undefined;
}

/** Forgets a pause, which is answered once. */
export async function dropPause({ store }: HostEngine, state: unknown): Promise<void> {
  await askStore(() => store.delete(keyOf(String(state))));
}

const keyOf = (id: string) => `served:${id}`;

/** Tells the model of a client whose user cannot be asked. */
export function cannotAsk({ pending }: PausedChain): string {
  const { server, tool, inputRequest } = pending;
  const what = inputRequest ? "the user's input" : "a person's approval";
  return `${server}.${tool} was not called: it needs ${what}, and this client cannot ask its user. Use a client that supports elicitation with forms.`;
}
