import { type CallOptions, type Host, type Tool, ToolrailError } from "@toolrail/core";
import { RESOURCES } from "@toolrail/core/plugin";
import { isJsonObject, type JsonObject, quoted } from "@toolrail/json";

/** A server's app, for a sandboxed frame of a page. */
export interface AppView {
  /** The page, with its policy before everything that the server wrote. */
  readonly html: string;
  /** The page's Content Security Policy. It allows only the declared domains, and leaves out those that are not plain origins. */
  readonly policy: string;
  /** The `_meta.ui` of the resource, unchanged: `permissions`, `prefersBorder`, `domain`. */
  readonly ui: JsonObject;
}

/** The server and the resource of an app. */
export interface AppRef {
  /** The app's server, by its name in `createHost`. */
  readonly server: string;
  /** The `ui://` resource that a tool of this server names: see `appUri`. */
  readonly uri: string;
}

const MIME_TYPE = "text/html;profile=mcp-app";

/** Finds the `ui://` resource of the app that shows the results of a tool (MCP Apps). Returns `undefined` if there is none. */
export function appUri({ meta = {} }: Pick<Tool, "meta">): string | undefined {
  const { ui, "ui/resourceUri": flat } = meta;
  const uri = (isJsonObject(ui) ? ui.resourceUri : undefined) ?? flat;
  return typeof uri === "string" && uri.startsWith("ui://") ? uri : undefined;
}

/** Reads an app. Rejects like `host.call`, and with `not-allowed` for a resource that no tool of the server names as its app. */
export async function readView(
  host: Host,
  { server, uri, ...options }: AppRef & CallOptions,
): Promise<AppView> {
  const request = { tool: { server, name: RESOURCES }, arguments: { uri } };
  const { result } = await host.call(request, options);
  const found = result.content.find(({ resource }) => resource?.uri === uri)?.resource;
  const { mimeType = "", text, blob } = found ?? {};
  const bytes = () => Uint8Array.from(atob(blob ?? ""), (char) => char.charCodeAt(0));
  const html = text ?? (blob === undefined ? undefined : new TextDecoder().decode(bytes()));
  if (html === undefined || mimeType.replaceAll(/\s/g, "").toLowerCase() !== MIME_TYPE) {
    const message = `${quoted(uri)} is no app: its server must answer with this resource, as ${MIME_TYPE}.`;
    throw new ToolrailError("malformed-result", message);
  }
  const { _meta: meta } = found as { readonly _meta?: JsonObject };
  const ui = isJsonObject(meta?.ui) ? meta.ui : {};
  const policy = toPolicy(ui.csp);
  const first = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return { html: first + html, policy, ui };
}

/** Writes the policy: scripts and styles must be in the page itself, and everything else must have a declared origin. */
function toPolicy(csp: unknown): string {
  const declared = isJsonObject(csp) ? csp : {};
  const from = (name: string) => {
    const domains = declared[name];
    return Array.isArray(domains) ? domains.filter(isOrigin) : [];
  };
  const resources = from("resourceDomains");
  const only = (domains: readonly string[]) => (domains.length > 0 ? domains : ["'none'"]);
  const directives: Readonly<Record<string, readonly string[]>> = {
    "default-src": ["'none'"],
    "script-src": ["'unsafe-inline'", ...resources],
    "style-src": ["'unsafe-inline'", ...resources],
    "img-src": ["data:", ...resources],
    "font-src": ["data:", ...resources],
    "media-src": ["data:", ...resources],
    "connect-src": only(from("connectDomains")),
    "frame-src": only(from("frameDomains")),
    "base-uri": only(from("baseUriDomains")),
    "form-action": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(" ")}`)
    .join("; ");
}

/** Returns true for an origin, also with a wildcard label in front. Refuses keywords, bare schemes and second directives. */
function isOrigin(domain: unknown): domain is string {
  return (
    typeof domain === "string" && /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d.-]+(?::\d+)?$/i.test(domain)
  );
}
