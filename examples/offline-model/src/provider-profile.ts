/** The provider whose published rules the fake model applies to requests. The wire form stays the same. */
export type ProviderProfile = "openai" | "anthropic" | "gemini";

/** The requests that a provider refuses, with its error messages. */
export interface ProviderRules {
  readonly toolName: RegExp;
  readonly callId: RegExp;
  /** Keywords that the schema of a tool must not have at its top. */
  readonly notAtTop: readonly string[];
  /** Names that the properties at the top may have. */
  readonly propertyName: RegExp;
  readonly needsProperties: boolean;
  readonly needsItems: boolean;
  readonly says: {
    toolName(at: number, name: string): string;
    twice(name: string): string;
    callId(at: number, id: string): string;
    schema(at: number, problem: { readonly tool: string; readonly what: string }): string;
    unanswered(at: number, ids: readonly string[]): string;
    orphan(at: number, id: string): string;
  };
}

const UNIONS = ["oneOf", "anyOf", "allOf"];

export const PROVIDERS: Readonly<Record<ProviderProfile, ProviderRules>> = {
  openai: {
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    callId: /^.{1,40}$/,
    notAtTop: [...UNIONS, "enum", "not", "const"],
    propertyName: /^/,
    needsProperties: true,
    needsItems: true,
    says: {
      toolName: (at) =>
        `Invalid 'tools[${at}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]{1,64}$'.`,
      twice: (name) => `Function names must be unique: '${name}' is there twice.`,
      callId: (at, { length }) =>
        `Invalid 'messages[${at}].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length ${length} instead.`,
      schema: (_, { tool, what }) => `Invalid schema for function '${tool}': ${what}.`,
      unanswered: (_, ids) =>
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(", ")}`,
      orphan: () =>
        "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
    },
  },
  anthropic: {
    toolName: /^[a-zA-Z0-9_-]{1,128}$/,
    callId: /^[a-zA-Z0-9_-]+$/,
    notAtTop: UNIONS,
    propertyName: /^[a-zA-Z0-9_.-]{1,64}$/,
    needsProperties: false,
    needsItems: false,
    says: {
      toolName: (at) =>
        `tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
      twice: () => "tools: Tool names must be unique.",
      callId: (at) =>
        `messages.${at}.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
      schema: (at, { what }) => `tools.${at}.custom.input_schema: ${what}`,
      unanswered: (at, ids) =>
        `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      orphan: (at, id) =>
        `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    },
  },
  gemini: {
    toolName: /^[a-zA-Z_][\w.:-]{0,63}$/,
    callId: /^/,
    notAtTop: [],
    propertyName: /^/,
    needsProperties: false,
    needsItems: true,
    says: {
      toolName: (at) =>
        `Invalid value at 'tools[0].function_declarations[${at}].name': Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.`,
      twice: (name) => `Duplicate function declaration found: ${name}`,
      callId: () => "",
      schema: (at, { what }) =>
        `GenerateContentRequest.tools[0].function_declarations[${at}].parameters: ${what}.`,
      unanswered: () => COUNT,
      orphan: () => COUNT,
    },
  },
};

const COUNT =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
