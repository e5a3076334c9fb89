import type { McpPort } from "@toolrail/core";

const text = (value: string) => ({ type: "text", text: value });
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const image = { type: "image", data: PIXEL, mimeType: "image/png" };

const ask = (
  key: string,
  message: string,
  properties: object,
  required: readonly string[] = [],
) => ({
  resultType: "input_required",
  requestState: key,
  inputRequests: {
    [key]: {
      method: "elicitation/create",
      params: { mode: "form", message, requestedSchema: { type: "object", properties, required } },
    },
  },
});

const NAME = { name: { type: "string" } };
const DEFAULTS = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};
const titled = (...titles: readonly string[]) =>
  titles.map((title, at) => ({ const: `value${at + 1}`, title }));
const ENUMS = {
  untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
  titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2"] } },
  titledMulti: { type: "array", items: { anyOf: titled("First Choice", "Second Choice") } },
};

/** The schema that the suite wants to find unchanged. */
const SCHEMA_2020_12 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  ...JSON.parse('{ "then": { "required": ["phone"] } }'),
  else: { required: ["email"] },
  additionalProperties: false,
};

type Answers = Readonly<Record<string, { readonly content?: Record<string, unknown> }>>;
type Call = Parameters<McpPort["call"]>[0] & { readonly inputResponses?: Answers };
type Options = Parameters<McpPort["call"]>[1];

const told = (what: string, answers: Answers) => ({
  content: [text(`${what}: ${JSON.stringify(Object.values(answers)[0])}`)],
});

/** What each tool answers that the official suite calls on a server under test. */
const TOOLS: Record<string, (call: Call, options: Options) => unknown> = {
  test_simple_text: () => ({ content: [text("This is a simple text response for testing.")] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({
    content: [{ type: "audio", data: SOUND, mimeType: "audio/wav" }],
  }),
  test_embedded_resource: () => ({
    content: [
      {
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text("Multiple content types test:"),
      image,
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => ({
    isError: true,
    content: [text("This tool intentionally returns an error for testing")],
  }),
  async test_tool_with_progress(_, { onProgress }) {
    for (const progress of [0, 50, 100]) {
      onProgress?.({ progress, total: 100 });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { content: [text("done")] };
  },
  test_elicitation: ({ inputResponses: answers, arguments: { message } }) => {
    const properties = { username: { type: "string" }, email: { type: "string" } };
    return answers
      ? told("User response", answers)
      : ask("user", String(message), properties, ["username", "email"]);
  },
  test_elicitation_sep1034_defaults: ({ inputResponses: answers }) =>
    answers ? told("Elicitation completed", answers) : ask("user", "Who are you?", DEFAULTS),
  test_elicitation_sep1330_enums: ({ inputResponses: answers }) =>
    answers ? told("Elicitation completed", answers) : ask("user", "Which one?", ENUMS),
  json_schema_2020_12_tool: () => ({ content: [] }),
  test_input_required_result_elicitation: ({ inputResponses: answers }) =>
    answers
      ? { content: [text(`Hello, ${answers.user_name?.content?.name}!`)] }
      : ask("user_name", "What is your name?", NAME, ["name"]),
  test_input_required_result_request_state: ({ inputResponses: answers }) =>
    answers
      ? { content: [text("state-ok")] }
      : ask("confirm", "Please confirm", { ok: { type: "boolean" } }, ["ok"]),
  test_input_required_result_tampered_state: ({ inputResponses: answers }) =>
    answers
      ? { content: [text("state-ok")] }
      : ask("confirm", "Please confirm", { ok: { type: "boolean" } }, ["ok"]),
  test_input_required_result_multi_round: ({ inputResponses: answers }) => {
    if (!answers) return ask("step1", "Step 1: What is your name?", NAME, ["name"]);
    if (!answers.step2) {
      const colour = { color: { type: "string" } };
      return ask("step2", "Step 2: What is your favorite color?", colour, ["color"]);
    }
    return { content: [text(`Thank you: ${JSON.stringify(answers)}`)] };
  },
};

const SCHEMAS: Readonly<Record<string, object>> = {
  json_schema_2020_12_tool: SCHEMA_2020_12,
  test_elicitation: { type: "object", properties: { message: { type: "string" } } },
};

/** The server of the official suite, as a port that stands behind a host. */
export const testedServer: McpPort = {
  list: async () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      description: `Does what ${name} says.`,
      inputSchema: SCHEMAS[name] ?? { type: "object" },
    })),
  }),
  call: async (call, options) => TOOLS[call.name]?.(call as Call, options),
  mayAsk: () => true,
};
