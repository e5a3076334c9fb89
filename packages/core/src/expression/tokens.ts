/** A part of the source, and where it begins. */
export interface Token {
  readonly kind: "double" | "int" | "text" | "name" | "mark" | "end";
  readonly text: string;
  readonly start: number;
}

const MAX_PARTS = 600;
const TOKEN =
  /\s*(?:(?<double>\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(?<int>0x[\da-fA-F]+|\d+)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<name>[A-Za-z_]\w*)|(?<mark>&&|\|\||[=!<>]=|[-+*/%!<>?:.,()[\]{}])|(?<end>$))/dy;

/** The parts of a source. Throws a `SyntaxError` that names the place. */
export function readTokens(source: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; tokens.at(-1)?.kind !== "end"; end = TOKEN.lastIndex) {
    const groups = Object.entries(TOKEN.exec(source)?.indices?.groups ?? {});
    const [kind, [start, stop]] = groups.find(([, place]) => place) ?? ["", [end, end]];
    if (kind === "") throw syntaxError("this is not valid here", end);
    if (tokens.length > MAX_PARTS) throw syntaxError(`it has over ${MAX_PARTS} parts`, end);
    tokens.push({ kind: kind as Token["kind"], text: source.slice(start, stop), start });
  }
  return tokens;
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
