/** The only error of this package. `code` says whether a schema cannot be used or an option is wrong. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  readonly code: "invalid-schema" | "invalid-options";

  constructor(code: JsonError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
