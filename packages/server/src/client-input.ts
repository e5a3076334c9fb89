import type {
  ApprovalDecision,
  ChainResult,
  HostTool,
  InputAnswer,
  InputDecision,
  PendingCall,
} from "@toolrail/core";
import { askStore, type HostEngine } from "@toolrail/core/adapter";
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

/** What the client's user is asked, by keys: `inputRequests` of an `input_required` result (MCP 2026-07-28). */
export function formsOf({ pending }: PausedChain): JsonObject {
  const forms = pending.question?.requests ?? { [APPROVAL]: approvalForm(pending) };
  const entries = Object.entries(forms).map(([key, { message, requestedSchema }]) => {
    const params = { mode: "form", message, requestedSchema };
    return [key, { method: "elicitation/create", params }];
  });
  return Object.fromEntries(entries);
}

function approvalForm({ server, tool, arguments: args, reason }: PendingCall) {
  const why = reason === undefined ? "" : ` (${reason})`;
  const call = `${server}.${tool} with ${shorten(JSON.stringify(args), 2_000)}`;
  return {
    message: `Approve this call${why}? ${call}`,
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: "Approve this call" } },
      required: ["approve"],
    },
  };
}

/** What the client's user said. What is missing or no answer counts as a cancelled form. */
export function decisionOf(
  { pending }: PausedChain,
  responses: JsonObject,
): ApprovalDecision | InputDecision {
  if (pending.question) {
    const keys = Object.keys(pending.question.requests);
    return { input: Object.fromEntries(keys.map((key) => [key, toAnswer(responses[key])])) };
  }
  const answer = toAnswer(responses[APPROVAL]);
  const isApproved = answer.action === "accept" && answer.content.approve === true;
  return isApproved ? "approve" : { deny: "the user did not approve it" };
}

function toAnswer(response: unknown): InputAnswer {
  if (!isJsonObject(response)) return { action: "cancel" };
  const { action, content } = response;
  if (action === "accept" && isJsonObject(content)) return { action, content };
  return { action: action === "decline" ? "decline" : "cancel" };
}

/** Keeps a chain in the store of the host, and says under which id: the client never holds the chain itself. */
export async function keepPause(
  { store, newId, ticketTtlMs }: HostEngine,
  { chain, tool }: { readonly chain: PausedChain; readonly tool: HostTool },
): Promise<string> {
  const id = newId();
  const { runId, ended, hops, pending } = chain;
  const kept = { tool: tool.id, chain: { runId, ended, hops, pending } };
  await askStore(() => store.set(keyOf(id), kept, ticketTtlMs));
  return id;
}

/**
 * Takes a chain out of the store, once, by the id that its client alone was given. `undefined` for anything that
 * was not kept for this tool, and for this conversation if the transport or the application states one.
 */
export async function takePause(
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
  const key = keyOf(String(state));
  const kept = (await askStore(() => store.get(key))) as
    | { readonly tool: string; readonly chain: PausedChain }
    | undefined;
  const isMeant =
    kept?.tool === tool.id &&
    (conversation === undefined || kept.chain.pending.scope === conversation);
  if (!isMeant) return undefined;
  await askStore(() => store.delete(key));
  return kept.chain;
}

const keyOf = (id: string) => `served:${id}`;

/** What the model of a client reads whose user cannot be asked. */
export function cannotAsk({ pending }: PausedChain): string {
  const { server, tool, question } = pending;
  const what = question ? "the user's input" : "a person's approval";
  return `${server}.${tool} was not called: it needs ${what}, and this client cannot ask its user. Use a client that supports elicitation with forms.`;
}
