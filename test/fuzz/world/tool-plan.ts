import fc from "fast-check";

/** What a tool answers, and for whom. */
const SAYINGS = [
  "json",
  "fields",
  "assistant",
  "both",
  "user",
  "media",
  "nothing",
  "error",
  "user-error",
  "breaks",
  "garbles",
  "untrue",
] as const;

/** How a result asks for its next tool: the first five are right, the others malformed. */
const FORMS = ["tool", "name", "openai", "twice", "id", "text", "differ", "extra"] as const;

/** The arguments that a result asks for: of a call one deeper, of the same call, none, or wrong ones. */
const ARGUMENTS = ["deeper", "deeper", "deeper", "same", "same", "none", "wrong"] as const;

export interface NextPlan {
  /** The place of the tool in the list, or beyond it for a tool that nobody has. */
  readonly to: number;
  readonly form: (typeof FORMS)[number];
  readonly args: (typeof ARGUMENTS)[number];
}

/** A tool as data: all that it does follows from this and from its arguments. */
export interface ToolPlan {
  readonly server: "desk" | "lab";
  readonly name: string;
  readonly says: (typeof SAYINGS)[number];
  readonly next: NextPlan | undefined;
  /** What `authorize` answers; `varies` goes by the arguments. */
  readonly rule: "allow" | "ask" | "deny" | "varies";
  /** True for an input schema that describes every argument. */
  readonly isTyped: boolean;
  readonly place: "offered" | "app-only" | "forbidden";
}

/** `server.tool`. */
export function idOf({ server, name }: ToolPlan): string {
  return `${server}.${name}`;
}

/** Two servers with their tools, and whether a chain may go from `desk` to `lab`. */
export interface World {
  readonly tools: readonly ToolPlan[];
  readonly crosses: boolean;
}

const MOST_TOOLS = 7;

const next: fc.Arbitrary<NextPlan> = fc.record({
  // Mostly one of the first, so that chains also come back to where they were.
  to: fc.oneof(fc.nat(1), fc.nat(MOST_TOOLS)),
  form: fc.oneof({ weight: 4, arbitrary: fc.constantFrom("tool", "name") }, oneOf(FORMS)),
  args: oneOf(ARGUMENTS),
});

function oneOf<const Value>(values: readonly Value[]): fc.Arbitrary<Value> {
  return fc.constantFrom(...values);
}

/** Worlds in which about so many of a hundred tools ask for a next one. */
export function worlds(chained: number): fc.Arbitrary<World> {
  const tool: fc.Arbitrary<ToolPlan> = fc.record({
    server: oneOf(["desk", "desk", "lab"]),
    name: oneOf(["look", "book", "pay", "send", "t-1", "t_2", "mehr lesen"]),
    says: fc.oneof({ weight: 2, arbitrary: oneOf(["fields", "json"]) }, oneOf(SAYINGS)),
    next: fc.oneof(
      { weight: 100 - chained, arbitrary: fc.constant(undefined) },
      { weight: chained, arbitrary: next },
    ),
    rule: oneOf(["allow", "allow", "allow", "ask", "varies", "deny"]),
    isTyped: fc.boolean(),
    place: oneOf(["offered", "offered", "offered", "offered", "app-only", "forbidden"]),
  });
  return fc.record({
    tools: fc.uniqueArray(tool, {
      minLength: 3,
      maxLength: MOST_TOOLS,
      selector: ({ server, name }) => `${server}.${name}`,
    }),
    crosses: fc.boolean(),
  });
}
