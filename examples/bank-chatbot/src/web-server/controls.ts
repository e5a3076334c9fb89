import type { Hop, Host, HostTool, JsonObject } from "@toolrail/core";
import { toControlLabel } from "./control-label.ts";
import type { ControlView } from "./protocol.ts";
import type { ResultWidget } from "./result-meta.ts";

/** A control as the server keeps it: the page sees the view and nothing of what it calls. */
export interface Control {
  readonly view: ControlView;
  /** The call that a value stands for; undefined where the value is none of the choices. */
  toCall(value: string): ControlCall | undefined;
}

export interface ControlCall {
  readonly tool: HostTool;
  readonly arguments: JsonObject;
  /** What the customer reads of the choice. */
  readonly label: string;
}

/** Makes a control of a widget. It calls tools of the server that sent it, and of no other. */
export function toControl(host: Host, hop: Hop, widget: ResultWidget): Control | undefined {
  const find = (name: string) =>
    host.tools.find((tool) => tool.server === hop.server && tool.name === name);
  const title = widget.title || "Please choose";
  if (widget.type === "confirmation") {
    const { on_confirm, on_cancel, confirm_label = "Confirm", cancel_label = "Cancel" } = widget;
    const sides = {
      confirm: [on_confirm, confirm_label],
      cancel: [on_cancel, cancel_label],
    } as const;
    const choices = [
      { value: "confirm", label: confirm_label },
      { value: "cancel", label: cancel_label },
    ];
    return {
      view: { kind: "confirmation", title, choices, state: "open" },
      toCall(value) {
        const side = value === "confirm" || value === "cancel" ? sides[value] : undefined;
        const tool = side && find(side[0].tool);
        if (!side || !tool) return undefined;
        return { tool, arguments: fitToSchema(side[0].parameters, tool), label: side[1] };
      },
    };
  }
  const { tool: name, parameters, map_input_to: key } = widget.on_event;
  const tool = find(name);
  if (!tool) return undefined;
  const toArguments = (value: string) => {
    const forms = toForms(widget.type, value, propertyOf(tool, key)).map((form) =>
      fitToSchema({ ...parameters, [key]: form }, tool),
    );
    const fitting = forms.find((args) => !host.checkArguments({ tool, arguments: args }));
    return fitting ?? forms[0] ?? {};
  };
  if (widget.type === "options") {
    const { options: choices } = widget;
    return {
      view: { kind: "options", title, choices, state: "open" },
      toCall(value) {
        const chosen = choices.find((choice) => choice.value === value);
        return chosen && { tool, arguments: toArguments(value), label: chosen.label };
      },
    };
  }
  const { type: kind, unit, placeholder, min, max } = widget;
  const property = propertyOf(tool, key);
  const secret = isSecret(key, property);
  const view: ControlView = {
    ...{ kind, title, state: "open" },
    ...(secret && { secret }),
    ...(property.format === "date" && { dateOnly: true }),
    ...(unit && { unit }),
    ...(placeholder && { placeholder }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
  return {
    view,
    toCall(value) {
      const label = toControlLabel(view, value);
      return value === "" ? undefined : { tool, arguments: toArguments(value), label };
    },
  };
}

/** The ways to write a value, the first that the tool's schema takes is sent. */
function toForms(kind: string, value: string, property: JsonObject): unknown[] {
  if (kind !== "datetime" || Number.isNaN(Date.parse(value))) return [toTyped(value, property)];
  return [value, `${value}:00`, new Date(value).toISOString(), value.slice(0, 10)];
}

/** The type comes from the tool's schema: a PIN asked for with a number field is text all the same. */
function toTyped(value: string, { type }: JsonObject): unknown {
  const types = [type].flat();
  if (types.includes("string")) return value;
  const number = Number(value);
  const isNumber = types.includes("number") || types.includes("integer");
  if (isNumber && value.trim() !== "" && Number.isFinite(number)) return number;
  return types.includes("boolean") ? value === "true" : value;
}

/** Leaves out what a closed schema does not name: servers send more than their tools declare. */
function fitToSchema(args: JsonObject, { inputSchema }: HostTool): JsonObject {
  const { properties, additionalProperties } = inputSchema;
  if (additionalProperties !== false || typeof properties !== "object") return args;
  const known = Object.entries(args).filter(([key]) => Object.hasOwn(properties ?? {}, key));
  return Object.fromEntries(known);
}

function propertyOf({ inputSchema }: HostTool, key: string): JsonObject {
  const properties = (inputSchema.properties ?? {}) as Record<string, JsonObject | undefined>;
  return (Object.hasOwn(properties, key) ? properties[key] : undefined) ?? {};
}

function isSecret(key: string, { format }: JsonObject): boolean {
  return format === "password" || /^(pin|password|passcode|otp)$/i.test(key);
}
