import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { conciseSchema } from "../../src/schema/concise-schema.ts";

const text = { type: "string" };
const object = (properties: JsonObject, more: JsonObject = {}) => {
  return { type: "object", properties, ...more };
};
/** A schema of one optional argument, as a model reads it. */
const shownArgument = (argument: JsonObject) =>
  (conciseSchema(object({ max_length: argument })).properties as JsonObject).max_length;

describe("conciseSchema", () => {
  it("A model reads neither the dialect nor a comment nor the mark of a header.", () => {
    const draft = { $schema: "http://json-schema.org/draft-07/schema#", $id: "x", $comment: "y" };
    const schema = object({ a: { ...text, "x-mcp-header": "A" } }, draft);
    expect(conciseSchema(schema)).toEqual(object({ a: text }));
  });

  it("A model reads only definitions that something refers to, by way of others too.", () => {
    const $defs = {
      used: object({ next: { $ref: "#/$defs/further" } }),
      further: object({ again: { $ref: "#/$defs/used" } }),
      unused: object({ other: { $ref: "#/$defs/alone" } }),
      alone: text,
    };
    const { used, further } = $defs;
    const properties = { a: { $ref: "#/$defs/used" } };
    expect(conciseSchema(object(properties, { $defs }))).toEqual(
      object(properties, { $defs: { used, further } }),
    );
    expect(conciseSchema(object({}, { definitions: $defs }))).toEqual(object({}));
  });

  it("A reference into a part of a schema still leads to that part.", () => {
    const a = { anyOf: [text, { type: "null" }], default: null };
    const schema = object({ a, b: { $ref: "#/properties/a/anyOf/0" } });
    const { default: _, ...shown } = a;
    expect(conciseSchema(schema)).toEqual(object({ a: shown, b: schema.properties.b }));
  });

  it("A title that repeats the name is not shown, any other is.", () => {
    expect(shownArgument({ ...text, title: "Max Length" })).toEqual(text);
    const told = { ...text, title: "In characters" };
    expect(shownArgument(told)).toEqual(told);
    expect(conciseSchema(object({ title: text }, { title: "FetchArguments" }))).toEqual(
      object({ title: text }),
    );
  });

  it.each<JsonObject>([
    { description: " " },
    { title: "" },
    { examples: [] },
    { minLength: 0 },
    { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    { uniqueItems: false, deprecated: false },
    { propertyNames: { type: "string" } },
    { default: null },
  ])("A model does not read what changes nothing: %j.", (nothing) => {
    expect(shownArgument({ ...text, ...nothing })).toEqual(text);
  });

  it("What an argument may hold stays as it is.", () => {
    const whole = {
      ...{ type: "string", description: "d", title: "t", default: "", examples: ["x"] },
      ...{ minLength: 1, maxLength: 9, pattern: "^x", format: "uri", enum: ["x", ""] },
    };
    expect(shownArgument(whole)).toEqual(whole);
    const value = object({ default: text }, { default: { title: "", required: [] } });
    expect(shownArgument(value)).toEqual(value);
  });

  it("Objects say that they are open only if they name no properties.", () => {
    expect(shownArgument(object({ a: text }, { additionalProperties: {} }))).toEqual(
      object({ a: text }),
    );
    const open = object({}, { additionalProperties: true });
    expect(shownArgument(open)).toEqual(open);
  });

  it("Objects say that they are closed only if a strict mode of a provider takes the schema.", () => {
    const closed = { additionalProperties: false };
    const strict = object({ a: text }, { required: ["a"], ...closed });
    expect(conciseSchema(strict)).toEqual(strict);
    const loose = object({ a: text, b: text }, { required: ["a"], ...closed });
    const shown = object({ a: text, b: text }, { required: ["a"] });
    expect(conciseSchema(loose)).toEqual(shown);
  });

  it("A null that an argument has by default is not mentioned, any other null is.", () => {
    const nullable = { anyOf: [{ ...text, description: "d" }, { type: "null" }], description: "d" };
    expect(shownArgument({ ...nullable, default: null })).toEqual({ ...text, description: "d" });
    const shown = { anyOf: [text, { type: "null" }], description: "d" };
    expect(shownArgument(nullable)).toEqual(shown);
    const schema = object({ a: { ...shown, default: null } }, { required: ["a"] });
    expect(conciseSchema(schema)).toEqual(schema);
  });

  it("Alternatives of one value each become a list, equal ones become one.", () => {
    const one = (value: string) => ({ ...text, const: value });
    expect(shownArgument({ anyOf: [one("a"), one("b")], description: "d" })).toEqual({
      ...text,
      enum: ["a", "b"],
      description: "d",
    });
    const several = { anyOf: [text, text, { type: "number" }] };
    expect(shownArgument(several)).toEqual({ anyOf: [text, { type: "number" }] });
  });

  it("A schema with a single part says both descriptions in one.", () => {
    const part = { ...text, description: "In characters." };
    const told = "The longest name. In characters.";
    expect(shownArgument({ allOf: [part], description: "The longest name." })).toEqual({
      ...text,
      description: told,
    });
    const bounded = { allOf: [part], maxLength: 9 };
    expect(shownArgument(bounded)).toEqual(bounded);
  });
});
