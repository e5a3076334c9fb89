import { ToolrailError } from "../errors.ts";
import { canonicalJson, hmacSha256, sha256 } from "../json/json.ts";
import { plainLine } from "../json/plain-text.ts";
import { type PendingCall, toRef } from "../result/hop.ts";
import type { ToolCall } from "./call-options.ts";
import type { HostParts } from "./host-parts.ts";
import { type Tool, toolId } from "./tool.ts";

/**
 * What a person is asked about: one call, for one user in one conversation, until it expires. It travels as one opaque text with
 * whatever the framework keeps. All fields except `id` and `expiresAtMs` are hashes.
 */
interface Question extends Owner {
  /** The name of this question. The call that it allows is made once under this id. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** The tool with its definition, and the arguments. */
  readonly call: string;
  /** Empty if the host has no `secret`. */
  readonly signature: string;
}

/** For whom a call is made, as hashes: the store of a host holds no names. */
export interface Owner {
  readonly user: string;
  readonly conversation: string;
}

type ApprovalParts = Pick<HostParts, "now" | "newId" | "limits" | "secret">;
type AskedCall = Pick<ToolCall, "tool" | "arguments" | "conversation" | "context">;

/** The longest that an approval may be remembered: JavaScript counts no further milliseconds. */
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

/** Describes a question about a call. Frameworks that name their questions pass that `id`. By default it is a new one. */
export function describeQuestion(
  parts: ApprovalParts,
  call: AskedCall,
  given: { readonly id?: string | undefined; readonly ttlMs?: number } = {},
): string {
  const { id = parts.newId(), ttlMs = parts.limits.approvalTtlMs } = given;
  const expiresAtMs = Math.min(Math.ceil(parts.now()) + ttlMs, FOREVER_MS);
  const owner = ownerOf(call);
  const question = { id, expiresAtMs, call: callHash(call), ...owner };
  const signature = parts.secret === undefined ? "" : sign(parts.secret, question);
  const { call: hash, user, conversation } = question;
  return [expiresAtMs, hash, user, conversation, signature, id].join(".");
}

const HASH = "([0-9a-f]{64})";
const FORM = new RegExp(
  `^(\\d{1,16})\\.${HASH}\\.${HASH}\\.${HASH}\\.(|[0-9a-f]{64})\\.(.+)$`,
  "s",
);

function parseQuestion(approval: string): Question | undefined {
  const [, expiresAtMs, call, user, conversation, signature, id] = FORM.exec(approval) ?? [];
  if (!(call && user && conversation && id) || signature === undefined) return undefined;
  return { id, expiresAtMs: Number(expiresAtMs), call, user, conversation, signature };
}

/** Returns the id of a question, which is not checked here. It is `undefined` for a text that describes none. */
export function questionId(approval: string | undefined): string | undefined {
  return approval === undefined ? undefined : parseQuestion(approval)?.id;
}

/**
 * Checks that a question was about this call, and that this user may answer it now. Throws `denied` or `tool-changed`, and
 * says which part does not fit.
 */
export function checkApproval(
  parts: ApprovalParts,
  call: AskedCall,
  approval: string,
): { readonly id: string; readonly expiresAtMs: number } {
  const question = readQuestion(parts, call.tool, approval);
  const { id, expiresAtMs } = question;
  refuseOthers(call.tool, { owner: ownerOf(call), was: question });
  if (parts.now() >= expiresAtMs) throw notCalled(call.tool, EXPIRED);
  if (question.call === callHash(call)) return { id, expiresAtMs };
  throw notCalled(call.tool, CHANGED, "tool-changed");
}

/** Reads a question. Throws `denied` if it is none, or if this host with a `secret` has not signed it. */
export function readQuestion(
  { secret }: Pick<HostParts, "secret">,
  tool: { readonly id: string },
  approval: string,
): Question {
  const question = parseQuestion(approval);
  if (question === undefined) throw notCalled(tool, UNREADABLE);
  if (secret === undefined || question.signature === sign(secret, question)) return question;
  throw notCalled(tool, UNSIGNED);
}

/** Throws `denied` if what belongs to one user and conversation is used by another. */
export function refuseOthers(
  tool: { readonly id: string },
  { owner, was }: { readonly owner: Owner; readonly was: Owner },
): void {
  if (was.user !== owner.user) throw notCalled(tool, OTHER_USER);
  if (was.conversation !== owner.conversation) throw notCalled(tool, OTHER_CONVERSATION);
}

const UNREADABLE = "its approval cannot be read";
const UNSIGNED = "its approval has no valid signature of this host's `secret`";
const EXPIRED = "its approval has expired (limits.approvalTtlMs)";
const OTHER_USER = "its approval belongs to another user";
const OTHER_CONVERSATION = "its approval belongs to another conversation";
const CHANGED = "a person approved a different definition of it, or other arguments";

/** Hashes for whom a call is made. */
export function ownerOf({
  conversation,
  context,
}: Pick<ToolCall, "conversation" | "context">): Owner {
  const hash = (kind: string, name: string | undefined) =>
    sha256(canonicalJson([kind, name ?? null]));
  return {
    user: hash("user", readUser(context)),
    conversation: hash("conversation", conversation),
  };
}

/** Reads the user from a context: a text itself, or its `langgraph_auth_user_id`, `userId`, `user` or `user.id`. */
function readUser(context: unknown): string | undefined {
  if (typeof context === "string") return context;
  const { langgraph_auth_user_id: signedIn, userId, user } = Object(context);
  const named = signedIn ?? userId ?? user;
  const { id = named } = Object(named);
  return ["string", "number", "bigint"].includes(typeof id) ? String(id) : undefined;
}

/** Signs a question with HMAC-SHA-256, as hex. */
function sign(secret: string, question: Omit<Question, "signature">): string {
  const { id, expiresAtMs, call, user, conversation } = question;
  const parts = ["toolrail-question", id, expiresAtMs, call, user, conversation];
  return hmacSha256(secret, canonicalJson(parts));
}

/** Creates the error of a call that a person must approve before it is made. */
export function needsApproval({
  call: { tool, references },
  binding,
  reason,
  problem,
}: {
  readonly call: Pick<ToolCall, "tool" | "references">;
  readonly binding: string;
  readonly reason?: string | undefined;
  /** The reason why the arguments of the person who approved the call cannot be sent. */
  readonly problem?: string | undefined;
}): ToolrailError<"needs-approval"> {
  const why = reason === undefined ? "." : `: ${reason}.`;
  const prefix = problem === undefined ? "" : `${problem} `;
  const message = `${prefix}${tool.id} needs a person's approval before it is called${why}`;
  const data = {
    binding,
    ...(reason !== undefined && { reason }),
    ...(problem !== undefined && { problem }),
    ...(references && { references }),
  };
  return new ToolrailError("needs-approval", message, { data });
}

export function notCalled(
  { id }: Pick<Tool, "id">,
  why: string,
  code: "denied" | "tool-changed" = "denied",
): ToolrailError {
  return new ToolrailError(code, `${id} was not called: ${why}. Ask for approval again.`);
}

/** The parts of a tool that a model, a person or a check relies on. */
export function definitionParts(tool: Tool) {
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = tool;
  const parts = { name, title, description, inputSchema, outputSchema, annotations, execution };
  return { ...parts, "_meta.ui": tool.meta?.ui };
}

const hashes = new WeakMap<Tool, string>();

/** Computes the SHA-256 of a tool's definition, in hex, once for each tool of a list. */
export function definitionHash(tool: Tool): string {
  const hash = hashes.get(tool) ?? sha256(canonicalJson(definitionParts(tool)));
  hashes.set(tool, hash);
  return hash;
}

/** Computes the SHA-256 of a call, in hex: of its server, tool, definition and arguments, and of what a person has changed. */
function callHash(call: Pick<ToolCall, "tool" | "arguments" | "changedFrom">): string {
  const { tool, arguments: args, changedFrom } = call;
  const parts = [tool.server, tool.name, definitionHash(tool), args];
  return sha256(canonicalJson(changedFrom ? [...parts, changedFrom] : parts));
}

/**
 * Describes, besides the arguments, what a person is asked to approve: the tool, the reason, why their own arguments could not
 * be sent, and the results behind the addresses in its arguments. Each takes one line, so that no text of a server looks like another.
 */
export function approvalText(pending: PendingCall): string {
  const { reason, references = [], problem = [] } = pending;
  const id = toolId(toRef(pending));
  const why = reason === undefined ? "." : `: ${reason}.`;
  const request = `${id} needs a person's approval before it is called${why}`;
  const inserted = references.map(({ path, address, preview }) => {
    return `${path}: ${address} stands for: ${preview}`;
  });
  return [request, ...[problem].flat(), ...inserted].map(plainLine).join("\n");
}
