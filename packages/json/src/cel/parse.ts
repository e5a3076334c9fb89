import { messageOf } from "../plain-text.ts";
import { createPattern } from "../schema/pattern.ts";
import { FUNCTIONS } from "./functions.ts";

export interface Node {
  readonly op:
    | "value"
    | "name"
    | "select"
    | "has"
    | "index"
    | "list"
    | "map"
    | "if"
    | "call"
    | "loop";
  /** The name or key. For a call it is the operator (`-_` with one operand), the function or the `.method`. */
  readonly name: string;
  readonly value?: unknown;
  /** The parts inside. `map` has alternating keys and values. `loop` has the list, the name and the body. */
  readonly args: readonly Node[];
  /** The position in the source. */
  readonly start: number;
}

interface Parser {
  readonly tokens: readonly Token[];
  at: number;
  depth: number;
}

const MAX_DEPTH = 40;
/** The binary operators by precedence. Later levels bind tighter. */
const LEVELS = ["||", "&&", "== != < <= > >= in", "+ -", "* / %"];
const LEVEL_OF = new Map(
  LEVELS.flatMap((names, level) => names.split(" ").map((name) => [name, level] as const)),
);
const LOOPS = ["all", "exists", "exists_one", "filter", "map"];
const VALUES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Parses a source. Throws a `SyntaxError` with the position of the mistake. */
export function parseSyntax(source: string): Node {
  const parser: Parser = { tokens: readTokens(source), at: 0, depth: 0 };
  const node = parseWhole(parser);
  if (peek(parser).kind !== "end") throw unexpected(parser, "an operator or the end");
  return node;
}

function parseWhole(parser: Parser): Node {
  const { start } = peek(parser);
  if (++parser.depth > MAX_DEPTH)
    throw syntaxError(`it is nested more than ${MAX_DEPTH} levels deep`, start);
  const test = parseOperators(parser, 0);
  parser.depth--;
  if (!takes(parser, "?")) return test;
  const yes = parseOperators(parser, 0);
  expect(parser, ":");
  return { op: "if", name: "?:", args: [test, yes, parseWhole(parser)], start };
}

function parseOperators(parser: Parser, least: number): Node {
  let left = parseUnary(parser);
  for (;;) {
    const { text: name } = peek(parser);
    const level = LEVEL_OF.get(name) ?? -1;
    if (level < least) return left;
    parser.at++;
    const args = [left, parseOperators(parser, level + 1)];
    left = { op: "call", name, args, start: left.start };
  }
}

function parseUnary(parser: Parser): Node {
  const { start } = peek(parser);
  const mark = ["!", "-"].find((name) => takes(parser, name));
  if (mark === undefined) return parseMembers(parser);
  let count = 1;
  while (takes(parser, mark)) count++;
  let node = parseMembers(parser);
  for (; count > 0; count--) node = { op: "call", name: `${mark}_`, args: [node], start };
  return node;
}

function parseMembers(parser: Parser): Node {
  let node = parsePrimary(parser);
  for (;;) {
    const { start } = node;
    if (takes(parser, "[")) {
      node = { op: "index", name: "[]", args: [node, parseWhole(parser)], start };
      expect(parser, "]");
    } else if (takes(parser, ".")) {
      const { kind, text: name } = peek(parser);
      if (kind !== "name") throw unexpected(parser, "a name");
      parser.at++;
      if (!takes(parser, "(")) node = { op: "select", name, args: [node], start };
      else node = toCall({ name: `.${name}`, args: [node, ...parseList(parser, ")")], start });
    } else return node;
  }
}

function parsePrimary(parser: Parser): Node {
  const token = peek(parser);
  const { kind, text: name, start } = token;
  const value = (value: unknown): Node => ({ op: "value", name, value, args: [], start });
  parser.at++;
  if (kind === "int") return value(BigInt(name));
  if (kind === "double") return value(Number(name));
  if (kind === "text") return value(unquote(token));
  if (VALUES.has(name)) return value(VALUES.get(name));
  if (kind === "name") {
    if (!takes(parser, "(")) return { op: "name", name, args: [], start };
    return toCall({ name, args: parseList(parser, ")"), start });
  }
  if (name === "[") return { op: "list", name, args: parseList(parser, "]"), start };
  if (name === "{") return { op: "map", name, args: parseList(parser, "}"), start };
  parser.at--;
  if (!takes(parser, "(")) throw unexpected(parser, "a value");
  const node = parseWhole(parser);
  expect(parser, ")");
  return node;
}

/** Parses items up to the closing bracket. Before `}` these are alternating keys and values. */
function parseList(parser: Parser, end: ")" | "]" | "}"): readonly Node[] {
  const items: Node[] = [];
  while (!takes(parser, end)) {
    items.push(parseWhole(parser));
    if (end === "}") {
      expect(parser, ":");
      items.push(parseWhole(parser));
    }
    if (takes(parser, ",")) continue;
    expect(parser, end);
    break;
  }
  return items;
}

/** Builds a call of a known function, a loop or `has`, and checks the number of its arguments. */
function toCall({ name, args, start }: Pick<Node, "name" | "args" | "start">): Node {
  const label = name.replace(".", "");
  const [first, second] = args;
  if (name === "has") {
    if (args.length === 1 && first?.op === "select") return { ...first, op: "has", start };
    throw syntaxError("has is written has(value.key)", start);
  }
  if (name !== label && LOOPS.includes(label)) {
    const fits = args.length === 3 || (args.length === 4 && label === "map");
    if (fits && second?.op === "name") return { op: "loop", name: label, args, start };
    throw syntaxError(`${label} is written list.${label}(name, expression)`, start);
  }
  const known = FUNCTIONS.get(name);
  if (!known) throw syntaxError(`there is no such function as ${label}`, start);
  if (args.length < known.least || args.length > known.most) {
    throw syntaxError(`${label} does not take ${args.length} arguments`, start);
  }
  if (label !== "matches" || typeof second?.value !== "string")
    return { op: "call", name, args, start };
  try {
    const pattern = { ...second, value: createPattern(second.value) };
    return { op: "call", name, args: [first as Node, pattern], start };
  } catch (cause) {
    throw syntaxError(messageOf(cause), second.start);
  }
}

function peek({ tokens, at }: Parser): Token {
  return tokens[at] as Token;
}

function takes(parser: Parser, text: string): boolean {
  const fits = peek(parser).text === text; // A literal's text never equals a mark: it keeps its quotes.
  if (fits) parser.at++;
  return fits;
}

function expect(parser: Parser, mark: string): void {
  if (!takes(parser, mark)) throw unexpected(parser, `"${mark}"`);
}

function unexpected(parser: Parser, wanted: string): SyntaxError {
  const { kind, text, start } = peek(parser);
  const found = kind === "end" ? "the end" : text.slice(0, 40);
  return syntaxError(`${wanted} is expected here, not ${found}`, start);
}

export interface Token {
  readonly kind: "double" | "int" | "text" | "name" | "mark" | "end";
  readonly text: string;
  readonly start: number;
}

const MAX_PARTS = 600;
/** Matches one part, in the group of its kind. At the end of the source no group matches. */
const TOKEN =
  /\s*(?:(\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(0x[\da-fA-F]+|\d+)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|[-+*/%!<>?:.,()[\]{}])|$)/y;
const KINDS = ["double", "int", "text", "name", "mark"] as const;

/** Splits a source into its parts. Throws a `SyntaxError` with the position of the mistake. */
function readTokens(source: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let end = 0; ; end = TOKEN.lastIndex) {
    TOKEN.lastIndex = end;
    const [, ...groups] = TOKEN.exec(source) ?? [];
    if (groups.length === 0) throw syntaxError("this is not valid here", end);
    if (tokens.length > MAX_PARTS) throw syntaxError(`it has over ${MAX_PARTS} parts`, end);
    const at = groups.findIndex((group) => group !== undefined);
    const text = groups[at] ?? "";
    tokens.push({ kind: KINDS[at] ?? "end", text, start: TOKEN.lastIndex - text.length });
    if (at === -1) return tokens;
  }
}

/** Reads a literal, which may have the escapes of JSON and `\'`. */
function unquote({ text, start }: Token): unknown {
  const inner = text.slice(1, -1).replace(/\\.|"/g, (part) => {
    if (part === "\\'") return "'";
    return part === '"' ? '\\"' : part;
  });
  try {
    return JSON.parse(`"${inner}"`);
  } catch {
    throw syntaxError("this text contains an unknown escape or a control character", start);
  }
}

/** Creates the error for a mistake in the source. The message counts positions from 1. */
export function syntaxError(why: string, start: number): SyntaxError {
  return new SyntaxError(`at character ${start + 1}: ${why}`);
}
