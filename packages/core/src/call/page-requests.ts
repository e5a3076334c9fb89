import { isJsonObject, type JsonObject } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import { isSignInNeeded, URL_ELICITATION_REQUIRED } from "./call-error.ts";

/** The mark of a request after which the call is simply made again. No server can write it, since it is no JSON. */
const AGAIN = Symbol("again");

/**
 * Reads an error that a page for the user can resolve as an `input_required` result. The pages are those that the server names, or
 * the sign-in page of the provider of `http()`. Returns `undefined` for other errors.
 */
export function toPageRequest(
  cause: unknown,
  asked: { readonly server: string; readonly signal: AbortSignal | undefined },
): JsonObject | undefined {
  const { code, data, [SIGN_IN]: url } = Object(cause);
  if (asked.signal?.aborted) return undefined;
  if (ToolrailError.isInstance(cause)) return toPageRequest(cause.cause, asked);
  if (url !== undefined && isSignInNeeded(cause)) {
    const message = `Server "${asked.server}" asks you to sign in.`;
    return toRequest([["sign-in", { mode: "url", message, url }]]);
  }
  if (code !== URL_ELICITATION_REQUIRED) return undefined;
  const { elicitations } = Object(data);
  const pages: unknown[] = Array.isArray(elicitations) ? elicitations : [];
  return toRequest(pages.map((page) => [String(Object(page).elicitationId), page]));
}

function toRequest(pages: readonly (readonly [string, unknown])[]): JsonObject {
  const entries = pages.map(([key, page]) => {
    const params = isJsonObject(page) ? { ...page, mode: "url" } : {};
    return [key, { method: "elicitation/create", params }] as const;
  });
  return Object.assign(
    { resultType: "input_required", inputRequests: Object.fromEntries(entries) },
    { [AGAIN]: true },
  );
}

/** True if the request was made from an error: the call is then made again without the answers. */
export function isAgain(raw: unknown): boolean {
  return Object(raw)[AGAIN] === true;
}

const SIGN_IN = Symbol.for("toolrail.sign-in");

/** Adds the address of the sign-in page to the error of a server. */
export function withSignIn(cause: unknown, url: string | undefined): unknown {
  return url === undefined || !isSignInNeeded(cause)
    ? cause
    : Object.assign(Object(cause), { [SIGN_IN]: url });
}
