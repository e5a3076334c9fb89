import { isJsonObject, type JsonObject } from "@toolrail/json";
import type { CallToolResult } from "./call-tool-result.ts";

/** A key of a result's `_meta` by which a server says that the rest is a widget. */
const WIDGET_KEY = /\/widget$/;

/** True for a result without any content that its own `_meta`, or that of its tool, declares to be shown by the application. */
export function isWidget(
  { content, structuredContent, _meta = {} }: CallToolResult,
  toolMeta: JsonObject = {},
): boolean {
  if (content.length > 0 || structuredContent !== undefined) return false;
  const { ui, "ui/resourceUri": uri, "openai/outputTemplate": template } = toolMeta;
  const addresses = [isJsonObject(ui) && ui.resourceUri, uri, template];
  return (
    addresses.some((address) => typeof address === "string") ||
    Object.keys(_meta).some((key) => WIDGET_KEY.test(key))
  );
}
