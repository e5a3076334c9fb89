/**
 * Writes times, in milliseconds since the epoch, as ISO 8601. The text of a second is kept for the next
 * time in it, as most steps of a run begin in the second of the step before: a date takes long to write.
 */
export function createTimeText(): (ms: number) => string {
  let second = Number.NaN;
  let text = "";
  return (ms) => {
    const whole = Math.floor(ms / 1_000);
    if (whole !== second) {
      text = new Date(whole * 1_000).toISOString().slice(0, -"000Z".length);
      second = whole;
    }
    return `${text}${String(Math.floor(ms - whole * 1_000)).padStart(3, "0")}Z`;
  };
}
