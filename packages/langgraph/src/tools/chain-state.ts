import {
  Annotation,
  type AnnotationRoot,
  type BinaryOperatorAggregate,
  ReducedValue,
  type StateDefinition,
  StateSchema,
  type StateSchemaFields,
} from "@langchain/langgraph";
import { ToolrailError } from "@toolrail/core";
import type { PendingHop } from "@toolrail/core/adapter";
import { z } from "zod";
import type { Answers } from "./ask-person.ts";

/** A hop that a result of the host asked for. */
export interface DecidedHop {
  readonly pending: PendingHop;
  /** The tool call and the message of that result. Absent after the turn with the hop is written. */
  readonly cause?: { readonly toolCallId: string; readonly messageId: string };
}

/** The decided hops that are not made yet, by their ids. It is `null` until a node that makes hops has run. */
export type DecidedHops = { readonly [id: string]: DecidedHop };

/** An update by a node: hops to add, `null` for a hop that was made, or `null` as a whole to drop all. */
export type HopsUpdate = { readonly [id: string]: DecidedHop | null } | null;

/** The state key of the decided hops. It is private: no input of a graph can write it. See `native-hops.md`. */
export const HOPS_KEY = "_toolrailHops";

function mergeHops(current: DecidedHops | null, update: HopsUpdate): DecidedHops {
  if (update === null) return {};
  const merged = Object.entries({ ...current, ...update });
  return Object.fromEntries(merged.flatMap(([id, hop]) => (hop ? [[id, hop]] : [])));
}

/** Reads the decided hops of a state, or `undefined` if no node makes hops and chains run inside their calls. */
export function readDecidedHops(state: unknown): DecidedHops | undefined {
  return (state as { readonly [HOPS_KEY]?: DecidedHops | null } | null)?.[HOPS_KEY] ?? undefined;
}

/** Reads the decided hop that a call makes, or `undefined` if it is the model's own. */
export function readPending(state: unknown, toolCallId: string): PendingHop | undefined {
  const decided = readDecidedHops(state) ?? {};
  return Object.hasOwn(decided, toolCallId) ? decided[toolCallId]?.pending : undefined;
}

/** The state key of the answers about the calls of the last turn. It is private, and `null` if no middleware asks. */
export const ANSWERS_KEY = "_toolrailAnswers";

/** Reads a person's answers about the last turn, or `undefined` if no middleware asks and each tools node does. */
export function readAnswers(state: unknown): Answers | undefined {
  return (state as { readonly [ANSWERS_KEY]?: Answers | null } | null)?.[ANSWERS_KEY] ?? undefined;
}

function createHopsField() {
  return new ReducedValue(z.record(z.string(), z.custom<DecidedHop>()).nullable().default(null), {
    inputSchema: z.record(z.string(), z.custom<DecidedHop | null>()).nullable(),
    reducer: mergeHops,
  });
}

/** The private state of `chainMiddleware`. */
export function createHopsSchema() {
  const answers = z.custom<Answers>().nullable();
  const latest = new ReducedValue(answers.default(null), {
    inputSchema: answers,
    reducer: (_: Answers | null, update: Answers | null) => update,
  });
  return new StateSchema({ [HOPS_KEY]: createHopsField(), [ANSWERS_KEY]: latest });
}

/**
 * Adds a private key for decided hops to the state of a graph: `new StateGraph(chainState(MessagesAnnotation))`.
 * Input and output of the graph do not change. Accepts an `Annotation.Root` or a `StateSchema`, and throws
 * `invalid-options` for anything else.
 */
export function chainState<SD extends StateDefinition>(
  schema: AnnotationRoot<SD>,
): {
  state: AnnotationRoot<
    SD & { [HOPS_KEY]: BinaryOperatorAggregate<DecidedHops | null, HopsUpdate> }
  >;
  input: AnnotationRoot<SD>;
  output: AnnotationRoot<SD>;
};
export function chainState<Fields extends StateSchemaFields>(
  schema: StateSchema<Fields>,
): {
  state: StateSchema<Fields & { [HOPS_KEY]: ReturnType<typeof createHopsField> }>;
  input: StateSchema<Fields>;
  output: StateSchema<Fields>;
};
export function chainState(
  schema: AnnotationRoot<StateDefinition> | StateSchema<StateSchemaFields>,
) {
  if (Object(schema) !== schema) throw new ToolrailError("invalid-options", NO_STATE);
  const parts = { input: schema, output: schema };
  if ("spec" in schema) {
    const hops = Annotation<DecidedHops | null, HopsUpdate>({
      reducer: mergeHops,
      default: () => null,
    });
    return { state: Annotation.Root({ ...schema.spec, [HOPS_KEY]: hops }), ...parts };
  }
  if (!("fields" in schema)) throw new ToolrailError("invalid-options", NO_STATE);
  return { state: new StateSchema({ ...schema.fields, [HOPS_KEY]: createHopsField() }), ...parts };
}

const NO_STATE =
  "chainState takes an Annotation.Root or a StateSchema. Put the fields of a zod object into a StateSchema.";
