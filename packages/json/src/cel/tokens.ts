/** A part of the source, and where it begins. */
export interface Token {
  readonly kind: "double" | "int" | "text" | "name" | "mark" | "end";
  readonly text: string;
  readonly start: number;
}

const MAX_PARTS = 600;
/** One part, in the group of its kind; none at the end of the source. */
const TOKEN =
  /\s*(?:(\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(0x[\da-fA-F]+|\d+)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|[-+*/%!<>?:.,()[\]{}])|$)/y;
const KINDS = ["double", "int", "text", "name", "mark"] as const;

/** The parts of a source. Throws a `SyntaxError` that names the place. */
export function readTokens(source: string): readonly Token[] {
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

/** What a literal says, with the escapes of JSON and `\'`. */
export function unquote({ text, start }: Token): unknown {
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

/** What is wrong with a source, and where: places count from 1. */
export function syntaxError(why: string, start: number): SyntaxError {
  return new SyntaxError(`at character ${start + 1}: ${why}`);
}
