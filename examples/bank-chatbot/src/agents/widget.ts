import type { CallToolResult } from "@toolrail/core";
import { z } from "zod";
import type { Widget } from "./bank-agent.ts";

const target = z.object({ tool: z.string(), parameters: z.record(z.string(), z.unknown()) });

const widget = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("options"),
    title: z.string(),
    options: z.array(z.object({ value: z.string(), label: z.string() })),
    on_event: target.extend({ map_input_to: z.string() }),
  }),
  z.object({
    type: z.literal("confirmation"),
    title: z.string(),
    on_confirm: target,
    on_cancel: target,
  }),
]);

/** The choice that a result asks for in `_meta`, for the application alone. */
export function toWidget(result: CallToolResult): Widget | undefined {
  const parsed = widget.safeParse(result._meta?.["toolrail.example/widget"]);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  if (data.type === "confirmation") {
    const { on_confirm: yes, on_cancel: no } = data;
    const choices = [
      { label: "Confirm", tool: yes.tool, arguments: yes.parameters },
      { label: "Cancel", tool: no.tool, arguments: no.parameters },
    ];
    return { title: data.title, choices };
  }
  const { tool, parameters, map_input_to } = data.on_event;
  const choices = data.options.map(({ value, label }) => {
    return { label, tool, arguments: { ...parameters, [map_input_to]: value } };
  });
  return { title: data.title, choices };
}
