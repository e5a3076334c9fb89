/** The rows of all tables of a page, without the blanks that line up their columns. */
export function rowsOf(page: string): string[] {
  return page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .replace(/ *\| */g, " | ")
        .trim()
        .replace(/-+/g, "---"),
    );
}
