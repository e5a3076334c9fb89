/** A regular expression whose cost is known beforehand. */
export interface Pattern {
  test(text: string): boolean;
  /** About how many states an engine goes through for a text of this length. */
  cost(length: number): number;
}
