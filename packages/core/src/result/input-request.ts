import type { JsonObject } from "../json/json.ts";

/** A form that a server asks the user to fill in (`elicitation/create`). Show which server asks: it wrote the texts. */
export interface InputForm {
  readonly mode?: "form";
  readonly message: string;
  /** The JSON Schema of the form: an object of plain fields. */
  readonly requestedSchema: JsonObject;
}

/**
 * A page for the user to visit for a server, or to sign in to it. Show the server and the origin. The host opens no page.
 */
export interface InputPage extends Pick<InputForm, "message"> {
  readonly mode: "url";
  readonly url: string;
  readonly origin: string;
}

/** An answer to one form or page: filled in or visited, declined, or cancelled. An answer to a page has no content. */
export type InputResponse =
  | { readonly action: "accept"; readonly content?: JsonObject }
  | { readonly action: "decline" | "cancel" };
