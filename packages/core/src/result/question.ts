import type { JsonObject } from "../json.ts";

/** One form that a server wants filled in (`elicitation/create`). Its words are the server's own: show whose they are. */
export interface InputRequest {
  readonly message: string;
  /** JSON Schema of the form: an object of plain fields. */
  readonly requestedSchema: JsonObject;
}

/** What a server wants to know of the user before it goes on with a call. Plain JSON. */
export interface Question {
  /** Names the question in the store of its host, which keeps the rest. */
  readonly id: string;
  /** The forms, by the server's keys. All are answered together. */
  readonly requests: { readonly [key: string]: InputRequest };
  /** Why the answer before this one did not do. */
  readonly problem?: string;
}

/** The answer to one form: filled in, refused, or put away. */
export type InputAnswer =
  | { readonly action: "accept"; readonly content: JsonObject }
  | { readonly action: "decline" | "cancel" };

/** The answers to all forms of a question, by its keys. */
export type InputAnswers = { readonly [key: string]: InputAnswer };
