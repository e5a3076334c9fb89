import { expect, it } from "vitest";
import { throwAborted } from "../../src/adapter.ts";

it("An aborted run throws the reason of its signal.", () => {
  const reason = new Error("stop");
  expect(() => throwAborted("aborted", AbortSignal.abort(reason))).toThrow(reason);
});

it("A run that ended otherwise, or was not aborted by this signal, throws nothing.", () => {
  expect(() => throwAborted("complete", AbortSignal.abort())).not.toThrow();
  expect(() => throwAborted("aborted", new AbortController().signal)).not.toThrow();
  expect(() => throwAborted("aborted", undefined)).not.toThrow();
});
