import type { JsonObject } from "@toolrail/json";

/** One form that a server wants filled in (`elicitation/create`). The words are the server's own: show the user which server asks. */
export interface InputForm {
  readonly mode?: "form";
  readonly message: string;
  /** JSON Schema of the form: an object of plain fields. */
  readonly requestedSchema: JsonObject;
}

/** A page that a server, or the sign-in to one, sends the user to. Show which server asks, and the origin: the host opens nothing. */
export interface InputPage extends Pick<InputForm, "message"> {
  readonly mode: "url";
  readonly url: string;
  readonly origin: string;
}

/** What a server wants to know from the user before it continues a call. Plain JSON. */
export interface InputRequest {
  /** The id of the question in the host's store, which keeps the rest. */
  readonly id: string;
  /** The forms and pages, by the server's keys. All are answered together. */
  readonly requests: { readonly [key: string]: InputForm | InputPage };
  /** Why the previous answer was not accepted. */
  readonly problem?: string;
}

/** The answer to one form or page: filled in or visited, declined, or cancelled. A page has no content. */
export type InputResponse =
  | { readonly action: "accept"; readonly content?: JsonObject }
  | { readonly action: "decline" | "cancel" };

/** The answers to all forms and pages of a question, by their keys. */
export type InputResponses = { readonly [key: string]: InputResponse };
