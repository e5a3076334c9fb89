import {
  Annotation,
  END,
  interrupt,
  isGraphBubbleUp,
  START,
  StateGraph,
} from "@langchain/langgraph";
import {
  type ApprovalDecision,
  type ChainResult,
  type Host,
  type PendingCall,
  ToolrailError,
} from "@toolrail/core";
import type { CallConfig } from "./call-config.ts";
import { toOwnNamespace } from "./own-namespace.ts";

/** What a run waits with, in the form of LangChain's `humanInTheLoopMiddleware`. */
export interface ApprovalRequest {
  readonly actionRequests: readonly {
    readonly name: string;
    readonly args: Record<string, unknown>;
    readonly description: string;
  }[];
  readonly reviewConfigs: readonly {
    readonly actionName: string;
    readonly allowedDecisions: readonly ("approve" | "reject")[];
  }[];
}

/** What resumes it: `new Command({ resume: { decisions: [{ type: "approve" }] } })`. */
export interface ApprovalResponse {
  readonly decisions: readonly (
    | { readonly type: "approve" }
    | { readonly type: "reject"; readonly message?: string }
  )[];
}

/** A run in parts: from its start, and from a pause on. Both end, or pause with `needs-approval`. */
export interface PausableRun<Outcome extends { readonly chain: ChainResult }> {
  start(): Promise<Outcome>;
  resume(chain: ChainResult, decision: ApprovalDecision): Promise<Outcome>;
}

/**
 * Runs to the end, and waits for a person with an interrupt wherever it pauses. What was run before is
 * kept in checkpoints of its own, so that a resume runs none of it again. In a graph without a
 * checkpointer nobody can be waited for: the outcome is then the pause itself. `place` is the run's own
 * among all runs of the same task, whatever their order.
 */
export async function runWithApprovals<Outcome extends { readonly chain: ChainResult }>(
  host: Host,
  run: PausableRun<Outcome>,
  config: CallConfig,
  place: string,
): Promise<Outcome> {
  const State = Annotation.Root({ outcome: Annotation<Outcome>, over: Annotation<boolean> });
  const keep = (outcome: Outcome, over = outcome.chain.ended !== "needs-approval") => ({
    outcome: { ...outcome, chain: toPlain(outcome.chain) },
    over,
  });
  const further = ({ over }: typeof State.State) => (over ? END : "ask");
  const graph = new StateGraph(State)
    .addNode("run", async () => keep(await run.start()))
    .addNode("ask", async ({ outcome }) => {
      const decision = askPerson(host, outcome.chain.pending);
      return decision ? keep(await run.resume(outcome.chain, decision)) : keep(outcome, true);
    })
    .addEdge(START, "run")
    .addConditionalEdges("run", further, ["ask", END])
    .addConditionalEdges("ask", further, ["ask", END])
    .compile();
  const configurable = await toOwnNamespace(config, place);
  const { outcome } = await graph.invoke(
    {},
    { configurable, ...(config.signal && { signal: config.signal }) },
  );
  return { ...outcome, chain: revive(outcome.chain) };
}

/** The person's word; `undefined` where the graph has no checkpointer to wait with. */
export function askPerson(
  host: Host,
  pending: PendingCall | undefined,
): ApprovalDecision | undefined {
  if (!pending) return undefined;
  let response: unknown;
  try {
    response = interrupt<ApprovalRequest, ApprovalResponse>(toRequest(host, pending));
  } catch (error) {
    if (isGraphBubbleUp(error)) throw error;
    return undefined;
  }
  return toDecision(response);
}

function toRequest(host: Host, { server, tool, arguments: args }: PendingCall): ApprovalRequest {
  const id = `${server}.${tool}`;
  const name = host.tools.find((one) => one.id === id)?.modelName ?? id;
  const description = `${id} needs the approval of a person before it is called.`;
  return {
    actionRequests: [{ name, args: { ...args }, description }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ["approve", "reject"] }],
  };
}

/** Anything but a plain yes is a no. */
function toDecision(response: unknown): ApprovalDecision {
  const { decisions } = (response ?? {}) as Partial<ApprovalResponse>;
  const [decision, ...more] = Array.isArray(decisions) ? decisions : [];
  if (decision?.type === "approve" && more.length === 0) return "approve";
  if (decision?.type !== "reject")
    return { deny: 'the answer was no { decisions: [{ type: "approve" }] }' };
  return { deny: decision.message ?? "a person rejected it" };
}

/** Errors go into a checkpoint, and come out of it, as plain data. */
function toPlain(chain: ChainResult): ChainResult {
  const { error, ...rest } = chain;
  if (!ToolrailError.isInstance(error)) return chain;
  return { ...rest, error: error.toJSON() as ToolrailError };
}

function revive(chain: ChainResult): ChainResult {
  const { error, ...rest } = chain;
  if (!error) return chain;
  const { code, message, data } = error;
  return { ...rest, error: new ToolrailError(code, message, { data }) };
}
