import { expect, test } from "vitest";
import { toControlLabel } from "../../src/web-server/control-label.ts";

test.each([
  [{ kind: "datetime" }, "2030-05-06", "Monday, May 6, 2030"],
  [{ kind: "datetime" }, "2030-05-06T23:30", "Monday, May 6, 2030 at 11:30 PM"],
  [{ kind: "datetime" }, "soon", "soon"],
  [{ kind: "number", unit: "USD" }, "1234.5", "$1,234.50"],
  [{ kind: "number", unit: "pieces" }, "3", "3"],
  [{ kind: "number", secret: true }, "0427", "••••"],
  [{ kind: "text" }, "+1 555 0100", "+1 555 0100"],
] as const)("a customer reads what was entered in %j, %s, as %s", (view, value, label) => {
  expect(toControlLabel(view, value).replaceAll("\u202f", " ")).toBe(label);
});
