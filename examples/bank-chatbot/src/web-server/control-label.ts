import type { ControlView } from "./protocol.ts";

/**
 * A value that the customer entered, as the customer reads it: on the page at once, and in what the
 * server keeps. Dates have no zone and stay the day that was picked, wherever they are written.
 */
export function toControlLabel(
  { kind, unit, secret }: Pick<ControlView, "kind" | "unit" | "secret">,
  value: string,
): string {
  if (secret) return "••••";
  if (kind === "number" && unit && /^[A-Z]{3}$/.test(unit) && Number.isFinite(Number(value))) {
    const currency = { style: "currency", currency: unit } as const;
    return new Intl.NumberFormat("en-US", currency).format(Number(value));
  }
  const hasTime = value.includes("T");
  const date = Date.parse(hasTime ? `${value}Z` : value);
  if (kind !== "datetime" || Number.isNaN(date)) return value;
  return new Date(date).toLocaleString("en-US", {
    dateStyle: "full",
    timeZone: "UTC",
    ...(hasTime && { timeStyle: "short" }),
  });
}
