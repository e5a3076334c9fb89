import { isJsonObject, type JsonObject } from "@toolrail/json";
import type { CallToolResult } from "./call-tool-result.ts";

/** A key of a result's `_meta` by which a server declares a widget. */
const WIDGET_KEY = /\/widget$/;

/** Returns true if a result has no content, and its `_meta` or that of its tool declares that the application shows it. */
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
