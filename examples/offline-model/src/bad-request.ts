/** A request that the fake model refuses, in the form OpenAI's errors have. */
export class BadRequest extends Error {
  readonly status: number;
  /** The field of the request that is wrong, if there is one. */
  readonly param: string | undefined;

  constructor(message: string, param?: string, status = 400) {
    super(message);
    this.name = "BadRequest";
    this.param = param;
    this.status = status;
  }
}

/** The error body of OpenAI's API. */
export function toErrorBody(error: BadRequest): object {
  const { message, param = null, status } = error;
  const code = status === 404 ? "not_found" : null;
  return { error: { message, type: "invalid_request_error", param, code } };
}
