import type { Hop, Host, Tool } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import { readWidget, type Widget } from "../bank/meta.ts";

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
  if (widget.type === "confirmation") {
    const { on_confirm, on_cancel, confirm_label, cancel_label } = widget;
    const confirm = { value: "confirm", label: confirm_label };
    const cancel = { value: "cancel", label: cancel_label };
    return {
      view: { kind, title, choices: [confirm, cancel] },
      toCall(value) {
        if (value !== "confirm" && value !== "cancel") return undefined;
        const [{ tool, parameters }, { label }] =
          value === "confirm" ? [on_confirm, confirm] : [on_cancel, cancel];
        return { tool: find(tool), arguments: parameters, label };
      },
    };
  }
  const { tool: name, parameters, map_input_to: key } = widget.on_event;
  const toLabel = (value: string) => {
    if (widget.type === "options") return widget.options.find((one) => one.value === value)?.label;
    return widget.secret ? "••••" : [value, widget.unit].filter(Boolean).join(" ");
  };
  return {
    view:
      widget.type === "options"
        ? { kind, title, choices: widget.options }
        : { kind, title, secret: widget.secret, unit: widget.unit },
    toCall(value) {
      const label = value && toLabel(value);
      if (!label) return undefined;
      const tool = find(name);
      return { tool, arguments: { ...parameters, [key]: toTyped(value, { tool, key }) }, label };
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
