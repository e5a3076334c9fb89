import type { HostTool } from "../../call/tool.ts";
import { ToolrailError } from "../../errors.ts";
import { canonicalJson, isJsonObject } from "../../json.ts";
import { shorten } from "../../plain-text.ts";
import type { Hop } from "../../result/hop.ts";
import { joinPath, type PipeProblem } from "../pipe-problem.ts";
import type { PipeSpec } from "../pipe-spec.ts";
import { collectLoops } from "./collect-loops.ts";
import { findSource } from "./find-source.ts";
import { orderWrites, type RecordedCall, toFreeName, toRecordedCalls } from "./recorded-calls.ts";

/** A spec made of recorded calls. */
export interface PipeDraft {
  readonly spec: PipeSpec;
  /** What the record does not tell, each with its place in the spec. */
  readonly notes: readonly PipeProblem[];
}

/** What `draftPipe` may know besides the hops. */
export interface DraftOptions {
  /** The tools that were called, of `host.tools`: enums then stay as they are, and steps that only read wait for none. */
  readonly tools?: readonly HostTool[];
}

/**
 * Drafts a pipe from the hops of one run, or of several runs of one task: what came from an earlier result becomes a
 * `$ref`, what the user said or somebody picked out of a list a `var`, and steps wait only for what they need. Of several
 * runs it keeps the references that hold in all. Read, draw and check it before you run it. Throws `invalid-options` where
 * the runs call different tools.
 */
export function draftPipe(
  recorded: readonly Hop[] | readonly (readonly Hop[])[],
  { tools = [] }: DraftOptions = {},
): PipeDraft {
  const isOneRun = recorded.some(isJsonObject);
  const lists = (isOneRun ? [recorded] : recorded) as readonly (readonly Hop[])[];
  const runs = lists.map((hops) => collectLoops(toRecordedCalls(hops)));
  checkSameTools(runs);
  const [calls = []] = runs;
  const notes: PipeProblem[] = [];
  const vars: Record<string, unknown> = {};
  const waits = orderWrites(calls, tools);
  const steps = calls.map((call, index) => {
    const { id, tool, isError, loop } = call;
    const place = joinPath("steps", index);
    if (isError) notes.push({ path: place, message: FAILED });
    const earlier = runs.map((run) => run.slice(0, index));
    const at = joinPath(loop ? joinPath(place, "do") : place, "args");
    const schema = tools.find((known) => known.id === tool)?.inputSchema;
    const keys = Object.keys(call.arguments).filter((key) => key !== loop?.key);
    const made = runs.map((run) => run[index]?.arguments);
    const drafted = draftMembers(made, { keys, at, name: "", schema, earlier, notes, vars });
    const item = loop && { [loop.key]: { $ref: loop.item } };
    const step = { tool, args: { ...item, ...Object.fromEntries(drafted) } };
    const after = waits[index];
    const wait = after && after.length > 0 && { after };
    if (!loop) return { id, ...step, ...wait };
    const { list, count } = loop;
    return {
      id,
      for_each: { $ref: list },
      as: "item",
      do: step,
      ...(count > 20 && { max_items: count }),
      ...wait,
    };
  });
  const hasVars = Object.keys(vars).length > 0;
  return { spec: { order: "data", ...(hasVars && { vars }), steps } as unknown as PipeSpec, notes };
}

const FAILED = "this call ended with an error when it was recorded: remove it, or correct it";

function checkSameTools(runs: readonly (readonly RecordedCall[])[]): void {
  const [first = "", ...others] = runs.map((calls) => calls.map(({ tool }) => tool).join(", "));
  const other = others.find((tools) => tools !== first);
  if (other === undefined) return;
  const message = `The runs call different tools (${shorten(first)}; ${shorten(other)}). Draft from runs of one task, or from one run.`;
  throw new ToolrailError("invalid-options", message);
}

interface ArgumentSite {
  readonly at: string;
  readonly name: string;
  readonly schema?: unknown;
  /** What was called before, in each run. */
  readonly earlier: readonly (readonly RecordedCall[])[];
  readonly notes: PipeProblem[];
  readonly vars: Record<string, unknown>;
}

/** An argument as the spec writes it. `values` holds it as it was in each run. */
function draftValue(values: readonly unknown[], site: ArgumentSite): unknown {
  const [value] = values;
  const { at, name, schema, earlier, notes } = site;
  const isEqual = values.every((other) => canonicalJson(other) === canonicalJson(value));
  const isChoice = isJsonObject(schema) && (schema.enum ?? schema.const) !== undefined;
  const isFixed = typeof value === "boolean" || value === null || value === "" || isChoice;
  if (isFixed && isEqual) return value;
  const source = findSource(values, { name, earlier });
  if (source && !source.isPicked) return { $ref: source.path };
  const parts = source ? undefined : draftParts(values, site);
  if (parts) return parts;
  const isPlain = !/\$\{|"\$(ref|cel)"/.test(JSON.stringify(value));
  if (!source && isEqual && values.length > 1 && isPlain) return value;
  const message = source ? `was taken from ${source.path}` : whereFrom(value, earlier[0] ?? []);
  notes.push({ path: at, message });
  return { $ref: `vars.${toVar(site, value)}` };
}

/** A list or an object with its members one by one; `undefined` where none of them comes from an earlier result. */
function draftParts(values: readonly unknown[], site: ArgumentSite): unknown {
  const keys = commonKeys(values);
  const tried = { ...site, keys, notes: [], vars: { ...site.vars } };
  const members = draftMembers(values, tried);
  const isList = Array.isArray(values[0]);
  const drafted = isList ? members.map(([, part]) => part) : Object.fromEntries(members);
  if (!JSON.stringify(drafted).includes('{"$ref":"steps.')) return undefined;
  site.notes.push(...tried.notes);
  Object.assign(site.vars, tried.vars);
  return drafted;
}

function draftMembers(
  values: readonly unknown[],
  { keys, ...site }: ArgumentSite & { readonly keys: readonly string[] },
): [string, unknown][] {
  const { items, properties } = Object(site.schema);
  return keys.map((key) => {
    const inner = Array.isArray(values[0])
      ? { schema: items, at: joinPath(site.at, Number(key)) }
      : { schema: Object(properties)[key], at: joinPath(site.at, key), name: key };
    const own = values.map((value) => Object(value)[key]);
    return [key, draftValue(own, { ...site, ...inner })];
  });
}

/** The name of the var for an argument: one with this value is shared. */
function toVar({ name, vars }: ArgumentSite, value: unknown): string {
  const text = canonicalJson(value);
  const plain = name.replace(/[^\w-]+/g, "_");
  const known = Object.keys(vars).find((key) => {
    return key.startsWith(plain) && canonicalJson(vars[key]) === text;
  });
  const key = known ?? toFreeName(plain, new Set(Object.keys(vars)));
  vars[key] = value;
  return key;
}

function whereFrom(value: unknown, earlier: readonly RecordedCall[]): string {
  const holder = earlier.find(({ result }) => {
    return typeof value === "string" && value.length >= 5 && JSON.stringify(result).includes(value);
  });
  if (!holder) return "is in no earlier result: it was said, or already known";
  return `is inside a text of steps.${holder.id}, and no reference can extract it`;
}

/** The keys of a list or an object where it has the same ones in all runs. */
function commonKeys(values: readonly unknown[]): readonly string[] {
  const [value] = values;
  const kindOf = (other: unknown) => `${Array.isArray(other)} ${Object.keys(Object(other))}`;
  const isSame =
    typeof value === "object" && values.every((other) => kindOf(other) === kindOf(value));
  return isSame ? Object.keys(Object(value)) : [];
}
