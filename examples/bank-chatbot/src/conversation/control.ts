import type { Hop, Host, Tool } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import { readWidget, type Widget } from "../tools/widgets.ts";

/** A widget as the customer sees it. The calls that it makes stay on this side. */
export interface ControlView {
  readonly kind: Widget["type"];
  readonly title: string;
  /** The choices. Present for options and confirmations. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly secret?: boolean | undefined;
  readonly unit?: string | undefined;
}

export interface ControlCall {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  /** The text that the customer reads of the choice. */
  readonly label: string;
}

export interface Control {
  readonly view: ControlView;
  /** Finds the call of a value. Returns `undefined` if the value is not one of the choices. */
  toCall(value: string): ControlCall | undefined;
}

/** The control that a result asks for. It calls tools of the server that sent it, and of no other. */
export function toControl(host: Host, { server, result }: Hop): Control | undefined {
  const widget = readWidget(result._meta);
  if (!widget) return undefined;
  const { type: kind, title } = widget;
  const find = (name: string) => host.find({ server, name });
  if (kind === "confirmation") {
    const choices = [
      { value: "confirm", label: widget.confirm_label, call: widget.on_confirm },
      { value: "cancel", label: widget.cancel_label, call: widget.on_cancel },
    ];
    return {
      view: { kind, title, choices: choices.map(({ value, label }) => ({ value, label })) },
      toCall(value) {
        const chosen = choices.find((choice) => choice.value === value);
        if (!chosen) return undefined;
        const { label, call } = chosen;
        return { tool: find(call.tool), arguments: call.parameters, label };
      },
    };
  }
  const { tool: name, parameters, map_input_to: key } = widget.on_event;
  const call = (value: string, label: string): ControlCall => {
    const tool = find(name);
    return { tool, arguments: { ...parameters, [key]: toTyped(value, { tool, key }) }, label };
  };
  if (kind === "options") {
    const { options: choices } = widget;
    return {
      view: { kind, title, choices },
      toCall(value) {
        const chosen = choices.find((choice) => choice.value === value);
        return chosen && call(value, chosen.label);
      },
    };
  }
  const { secret, unit } = widget;
  return {
    view: { kind, title, secret, unit },
    toCall(value) {
      const label = secret ? "••••" : unit ? `${value} ${unit}` : value;
      return value === "" ? undefined : call(value, label);
    },
  };
}

/** The type is that of the tool's schema: a PIN is a text even if a number field asks for it. */
function toTyped(value: string, { tool, key }: { tool: Tool; key: string }): unknown {
  const { properties = {} } = tool.inputSchema as {
    properties?: Record<string, { type?: unknown }>;
  };
  return properties[key]?.type === "number" ? Number(value) : value;
}
