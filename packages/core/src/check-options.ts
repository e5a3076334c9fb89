import { invalidOptions } from "./errors.ts";
import { isJsonObject } from "./json/json.ts";
import { suggestName } from "./nearest-name.ts";

/** A kind of value, with its name in errors and its test. */
export interface OptionKind {
  readonly words: string;
  test(value: unknown): boolean;
}

const isText = (value: unknown) => typeof value === "string";
const isFunction = (value: unknown) => typeof value === "function";
/** Returns true if an object has named members. A list, a `Map` or `Headers` holds its values in another way. */
export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(Symbol.iterator in value);
const listOf = (test: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(test);

const KINDS = {
  text: { words: "a text", test: isText },
  id: {
    words: "a text that is not empty",
    test: (value) => isText(value) && value !== "" && (value as string).isWellFormed(),
  },
  number: { words: "a number", test: (value) => typeof value === "number" && !Number.isNaN(value) },
  boolean: { words: "true or false", test: (value) => typeof value === "boolean" },
  function: { words: "a function", test: isFunction },
  object: { words: "an object", test: isObject },
  list: { words: "a list", test: Array.isArray },
  texts: { words: "a list of texts", test: listOf(isText) },
  functions: { words: "a list of functions", test: listOf(isFunction) },
  signal: {
    words: "an AbortSignal",
    test: (value) => isObject(value) && "aborted" in value && "addEventListener" in value,
  },
  any: { words: "anything", test: () => true },
} satisfies Record<string, OptionKind>;

type Kind = keyof typeof KINDS | OptionKind;

/** The allowed kinds of value for each option. */
export type OptionTable<Options> = {
  readonly [Name in keyof Options]-?: Kind | readonly Kind[];
};

/** Returns the kind of an object with these methods, such as a store. */
export function withMethods(words: string, names: readonly string[]): OptionKind {
  const test = (value: unknown) => hasMethods(value, ...names);
  return { words: `${words} with the functions ${names.join(", ")}`, test };
}

export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return Object(value) === value && names.every((name) => isFunction(Object(value)[name]));
}

/** Returns the kind of a text that is one of these. */
export function oneOf(...texts: readonly string[]): OptionKind {
  const words = texts.map((text) => JSON.stringify(text)).join(" or ");
  return { words, test: (value) => isText(value) && texts.includes(value as string) };
}

/**
 * Creates a function that checks options by a table of their kinds. It throws `invalid-options` for a value that is not an
 * object, an unknown name, and a value of another kind. `undefined` means that an option was left out, or all of them unless they
 * are required.
 */
export function createOptionCheck<Options extends object>(
  owner: string,
  table: OptionTable<Options>,
  { isRequired = false } = {},
): (options: unknown, owner?: string) => void {
  const kinds = new Map(
    Object.entries<Kind | readonly Kind[]>(table).map(([name, kind]) => [name, toKind(kind)]),
  );
  return (options, place = owner) => {
    if (options === undefined && !isRequired) return;
    if (!isObject(options)) {
      const names = [...kinds.keys()].join(", ");
      const message = `${place} takes an object of options, not ${describe(options)}. Its options: ${names}.`;
      throw invalidOptions(message);
    }
    // Inherited options count as well, so they are checked.
    for (const name in options) {
      const value = options[name as keyof typeof options] as unknown;
      const kind = kinds.get(name);
      if (kind && (value === undefined || kind.test(value))) continue;
      if (kind) throw invalidOptions(`The option "${name}" of ${place} ${mistakeIn(value, kind)}.`);
      const hint = suggestName(name, [...kinds.keys()]);
      throw invalidOptions(`${place} has no option "${name}". ${hint}`);
    }
  };
}

function toKind(kind: Kind | readonly Kind[]): OptionKind {
  if (typeof kind === "string") return KINDS[kind];
  if ("words" in kind) return kind;
  const kinds = kind.map(toKind);
  const words = kinds.map((one) => one.words).join(", or ");
  return { words, test: (value) => kinds.some((one) => one.test(value)) };
}

function mistakeIn(value: unknown, { words }: OptionKind): string {
  const isListOf = Array.isArray(value) && value.length > 0 && words.includes("a list of");
  const holds = isListOf ? ` that holds ${[...new Set(value.map(describe))].join(", ")}` : "";
  return `must be ${words}; it is ${describe(value)}${holds}`;
}

/** Names the kind of a value. It never quotes the value, which may be a secret. */
function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (value === "") return "an empty text";
  if (typeof value === "string")
    return value.isWellFormed() ? "a text" : "a text with half of a character (a lone surrogate)";
  if (Number.isNaN(value)) return "NaN";
  if (value === undefined) return "undefined";
  if (typeof value !== "object") return `a ${typeof value}`;
  if (typeof (value as { then?: unknown }).then === "function") return "a promise: await it first";
  if (isJsonObject(value)) return "an object";
  return `an object of the class ${value.constructor?.name || "without a name"}`;
}
