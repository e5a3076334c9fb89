import { type CallOptions, type Host, type Tool, ToolrailError } from "@toolrail/core";
import { RESOURCES } from "@toolrail/core/plugin";
import { isJsonObject, type JsonObject, quoted } from "@toolrail/json";

/** An app of a server, as a page shows it in a sandboxed frame. */
export interface AppView {
  /** The page, with its policy in front of everything that its server wrote. */
  readonly html: string;
  /**
   * The Content Security Policy of the page: what it declares, and nothing beyond it. Domains that are not plain origins are
   * left out.
   */
  readonly policy: string;
  /** `_meta.ui` of the resource, as its server wrote it: `permissions`, `prefersBorder`, `domain`. */
  readonly ui: JsonObject;
}

/** Which app it is. */
export interface AppRef {
  /** The server whose app it is, by its name in `createHost`. */
  readonly server: string;
  /** The `ui://` resource that a tool of this server names: see `appUri`. */
  readonly uri: string;
}

const MIME_TYPE = "text/html;profile=mcp-app";

/** The `ui://` resource of the app that shows the results of a tool (MCP Apps); `undefined` if there is none. */
export function appUri({ meta = {} }: Pick<Tool, "meta">): string | undefined {
  const { ui, "ui/resourceUri": flat } = meta;
  const uri = (isJsonObject(ui) ? ui.resourceUri : undefined) ?? flat;
  return typeof uri === "string" && uri.startsWith("ui://") ? uri : undefined;
}

/** Rejects like `host.call`, and with `not-allowed` for a resource that no tool of the server names as its app. */
export async function readView(
  host: Host,
  { server, uri, ...options }: AppRef & CallOptions,
): Promise<AppView> {
  const request = { tool: { server, name: RESOURCES }, arguments: { uri } };
  const { result } = await host.call(request, options);
  const found = result.content.find(({ resource }) => resource?.uri === uri)?.resource;
  const { mimeType = "", text, blob } = found ?? {};
  const html = text ?? (blob === undefined ? undefined : fromBase64(blob));
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

function fromBase64(blob: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(blob), (char) => char.charCodeAt(0)));
}

/** Scripts and styles stand in the page itself; whatever else it loads comes from origins that it declares. */
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

/** True for an origin, also with a wildcard for its first label: never for a keyword, a scheme alone, or a second directive. */
function isOrigin(domain: unknown): domain is string {
  return (
    typeof domain === "string" && /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d.-]+(?::\d+)?$/i.test(domain)
  );
}
