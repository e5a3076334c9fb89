import type { JsonObject } from "@toolrail/json";
import { joinKey } from "@toolrail/json";
import type { Call, Turn } from "./load-conversations.ts";

/**
 * Where a value of an argument comes from: the user's words, a whole value of a result in the same turn, a result or an
 * argument of an earlier turn, a part of a result in the same turn, or nowhere, so that the model makes it up.
 */
export type Origin = "user" | "result" | "earlier" | "part" | "model";

/** A call as a step of a pipe: its arguments with references in place of what an earlier step of the same pipe answers. */
export interface Step {
  readonly call: Call;
  readonly args: JsonObject;
}

export interface CutTurn {
  /** The pipes that a model has to write one after the other, since it has to read what the one before returns. */
  readonly pipes: readonly (readonly Step[])[];
  readonly origins: readonly Origin[];
}

export interface CutOptions {
  /** What was said, answered and written before this turn. */
  readonly before: string;
  /** The user's words up to now. */
  readonly said: string;
  /** The origins of values for which a model has to have read the results before. */
  readonly reads: readonly Origin[];
}

/** Cuts the calls of a turn into pipes. */
export function cutTurn({ calls }: Turn, { before, said, reads }: CutOptions): CutTurn {
  const pipes: Step[][] = [];
  const origins: Origin[] = [];
  for (const [at, call] of calls.entries()) {
    const done = calls.slice(0, at);
    const found = leavesOf(call.arguments).flatMap(({ value }) => {
      return isText(value) ? originOf(value, { done, before, said }) : [];
    });
    origins.push(...found);
    const mustRead = found.some((origin) => reads.includes(origin));
    const open = mustRead ? undefined : pipes.at(-1);
    const pipe = open ?? [];
    if (!open) pipes.push(pipe);
    pipe.push({ call, args: withReferences(call.arguments, { pipe, said, before }) });
  }
  return { pipes, origins };
}

interface Known {
  readonly done: readonly Call[];
  readonly before: string;
  readonly said: string;
}

function originOf(value: string | number, { done, before, said }: Known): Origin {
  if (occurs(value, said)) return "user";
  if (done.some(({ result }) => pathOf(result, value) !== undefined)) return "result";
  if (occurs(value, before)) return "earlier";
  return occurs(value, JSON.stringify(done.map(({ result }) => result))) ? "part" : "model";
}

/** The arguments with a reference for each value that only a result of this pipe has. */
function withReferences(
  args: JsonObject,
  { pipe, ...known }: { pipe: readonly Step[]; said: string; before: string },
): JsonObject {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replace(one)]));
    }
    if (!isText(value) || occurs(value, known.said)) return value;
    for (const [at, { call }] of pipe.entries()) {
      const path = pathOf(call.result, value);
      if (path !== undefined) return { $ref: `steps.s${at}.structured.${path}` };
    }
    return value;
  };
  return replace(args) as JsonObject;
}

function isText(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** The path of the first whole value of a result that is this one. */
function pathOf(result: JsonObject, value: string | number): string | undefined {
  return leavesOf(result).find((leaf) => leaf.value === value)?.path;
}

function leavesOf(value: unknown, path = ""): { path: string; value: unknown }[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, joinKey(path, key)));
}

/** A number has to stand alone; a text is found whatever its case. */
function occurs(value: string | number, text: string): boolean {
  if (typeof value === "string") return text.toLowerCase().includes(value.toLowerCase());
  const digits = String(value).replaceAll(".", "\\.");
  return new RegExp(`(?<![\\d.])${digits}(?!\\d|\\.\\d)`).test(text.replaceAll(",", ""));
}
