import { copyJson, isJsonObject, messageOf, withJson } from "@toolrail/json";
import { type Expression, memberOf, parseExpression } from "@toolrail/json/cel";
import { toPattern } from "../call/tool-patterns.ts";
import { ToolrailError } from "../errors.ts";
import { suggestName } from "../nearest-name.ts";
import type { ToolRef } from "../types/tool.ts";
import { type CallRail, isReach, type Rail, type RailView } from "./rail.ts";

type Read = (view: RailView) => unknown;

/** A rail that has been checked. */
export interface CompiledRail extends Required<Pick<CallRail, "name" | "on" | "overrides">> {
  readonly after: (tool: ToolRef | string) => boolean;
  readonly when: Expression | undefined;
  /** True if it ends the chain. */
  readonly stops: boolean;
  /** The call, `false` for the end of the chain, or nothing. Throws where it cannot be made out. */
  readonly next: Read;
  /** True if `next` is a function of the application. */
  readonly isOwnCode: boolean;
}

export interface CompiledRails {
  readonly calls: readonly CompiledRail[];
  /** True where a server may name this tool of another in its own `nextTool`. */
  mayReach(from: ToolRef, to: ToolRef): boolean;
}

const RAIL_ROOTS = ["structured", "text", "json", "arguments", "isError", "context"];
const KEYS = ["after", "when", "on", "next", "overrides", "name", "reaches"];

/** Checks rails. Throws `invalid-options` for what could never be right. */
export function compileRails(rails: readonly Rail[]): CompiledRails {
  if (!Array.isArray(rails) || rails.some((rail) => !isJsonObject(rail)))
    throw wrong("rails", "must be a list of rails");
  const calls: CompiledRail[] = [];
  const reaches: CompiledRails["mayReach"][] = [];
  for (const [at, rail] of rails.entries()) {
    const place = `rails[${at}]`;
    const unknown = Object.keys(rail).find((key) => !KEYS.includes(key));
    if (unknown !== undefined)
      throw wrong(place, `has no "${unknown}". ${suggestName(unknown, KEYS)}`);
    const before = rails.slice(0, at).findIndex((other) => alwaysComesFirst(other, rail));
    if (before >= 0) throw wrong(place, `never applies: rails[${before}] always comes first`);
    const after = toPattern(rail.after, `${place}.after`);
    if (isReach(rail)) {
      const reached = toPattern(rail.reaches, `${place}.reaches`);
      reaches.push((from, to) => after(from) && reached(to));
    } else calls.push(compileRail(rail, { place, after }));
  }
  return { calls, mayReach: (from, to) => reaches.some((reach) => reach(from, to)) };
}

function alwaysComesFirst(before: Rail, rail: Rail): boolean {
  if (isReach(before) || isReach(rail)) return false;
  if (before.when !== undefined || typeof before.next === "function") return false;
  const situation = ({ after, on = "ok", overrides = false }: CallRail) =>
    [after, on, overrides].join();
  return situation(before) === situation(rail);
}

interface Placed {
  readonly place: string;
  readonly after: CompiledRail["after"];
}

function compileRail(rail: CallRail, { place, after }: Placed): CompiledRail {
  const { on = "ok", when, name = place, overrides = false } = rail;
  if (!["ok", "error", "any"].includes(on)) throw wrong(place, 'has `on`: "ok", "error" or "any"');
  const condition = when === undefined ? undefined : compileExpression(when, `${place}.when`);
  const next = compileNext(rail, { place, after });
  const isOwnCode = typeof rail.next === "function";
  return {
    name,
    on,
    overrides,
    after,
    when: condition,
    stops: rail.next === false,
    next,
    isOwnCode,
  };
}

function compileNext({ when, next }: CallRail, { place, after }: Placed): Read {
  if (typeof next === "function") return (view) => next(toOwnView(view));
  if (next === false) return () => false;
  const { tool, arguments: args = {}, ...rest } = next ?? {};
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    const hint = suggestName(unknown, ["tool", "arguments"]);
    throw wrong(`${place}.next`, `has no "${unknown}". ${hint}`);
  }
  if (typeof tool !== "string" || !/^[^*]+\.[^*]+$/.test(tool)) {
    throw wrong(`${place}.next`, 'must be { tool: "server.tool", arguments }, a function or false');
  }
  const read = compileValue(args, `${place}.next.arguments`);
  if (after(tool) && !read && when === undefined) {
    throw wrong(place, `leads from ${tool} back to the same call; give it a \`when\``);
  }
  return (view) => ({ tool, arguments: read ? read(view) : args });
}

/** A copy that the application's own function cannot change, but for the context, which is the application's. */
function toOwnView({ structured, arguments: args, ...rest }: RailView): RailView {
  const copied = structured !== undefined && { structured: freezeJson(copyJson(structured)) };
  const own = { ...rest, ...copied, arguments: freezeJson(copyJson(args)) };
  return Object.freeze(withJson(own, { source: own }));
}

function freezeJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) freezeJson(inner);
  return Object.freeze(value);
}

/** How to make a value; `undefined` where it stays as it is. */
function compileValue(value: unknown, place: string): Read | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isJsonObject(value) && Object.keys(value).length === 1) {
    if (typeof value.$ref === "string") return compileReference(value.$ref, place);
    if (value.$cel !== undefined) {
      const expression = compileExpression(value.$cel, place);
      return (view) => evaluated(expression, view);
    }
  }
  const parts = Object.entries(value).map(([key, inner]) => {
    return [key, inner, compileValue(inner, `${place}.${key}`)] as const;
  });
  if (parts.every(([, , read]) => read === undefined)) return undefined;
  return (view) => {
    const made = parts.map(([key, inner, read]) => [key, read ? read(view) : inner] as const);
    return Array.isArray(value) ? made.map(([, item]) => item) : Object.fromEntries(made);
  };
}

function compileReference(path: string, place: string): Read {
  const keys = path.split(".");
  if (!RAIL_ROOTS.includes(keys[0] ?? "") || keys.includes("")) {
    throw wrong(place, `must refer to one of ${RAIL_ROOTS.join(", ")}, as in "structured.id"`);
  }
  return (view) => {
    const value = readKeys(view, { keys, path });
    if (value === undefined) throw failed(`there is no ${path}`);
    return value;
  };
}

function readKeys(
  view: RailView,
  { keys, path }: { readonly keys: readonly string[]; readonly path: string },
): unknown {
  try {
    return keys.reduce<unknown>(
      (inner, key) => memberOf(inner, Array.isArray(inner) ? Number(key) : key),
      view,
    );
  } catch (cause) {
    throw failed(`${path} cannot be read: ${messageOf(cause)}`); // The text is not JSON.
  }
}

function compileExpression(source: unknown, place: string): Expression {
  const expression =
    typeof source === "string"
      ? parseExpression(source, { roots: RAIL_ROOTS })
      : "an expression must be a string";
  if (typeof expression === "string")
    throw wrong(place, `is not a valid expression: ${expression}`);
  return expression;
}

function evaluated(expression: Expression, view: RailView): unknown {
  const evaluation = expression.evaluate(view);
  if (evaluation.ok) return evaluation.value;
  throw failed(`${expression.source}: ${evaluation.message}`);
}

function failed(why: string): ToolrailError {
  return new ToolrailError("rail-failed", why);
}

function wrong(place: string, why: string): ToolrailError {
  const end = /[.?]$/.test(why) ? "" : ".";
  return new ToolrailError("invalid-options", `\`${place}\` ${why}${end}`);
}
