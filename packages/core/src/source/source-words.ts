import { toPattern } from "../call/tool-patterns.ts";
import { plainText } from "../plain-text.ts";

/** How results and arguments are described to a person: `{ "mail.*": "a mail", toAccountId: "the account number" }`. */
export type SourceNames = { readonly [toolsOrArgument: string]: string };

export type Words = ReturnType<typeof createWords>;

/** Says in plain words where arguments came from: "the account number came from a mail (mail.read)". */
export function createWords(names: SourceNames = {}) {
  const rules = Object.entries(names).map(([pattern, name]) => {
    return { test: toPattern(pattern, "names"), name };
  });
  const nameOf = (id: string) => rules.find(({ test }) => test(id))?.name;
  /** Without a name, `toAccount_number` is "the to account number". */
  const argument = (path: string): string => {
    const [shown = ""] = plainText(path).slice(0, 80).split(" (name)");
    const words = shown.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replace(/_/g, " ");
    return nameOf(shown) ?? (path === "" ? "the arguments" : `the ${words.toLowerCase()}`);
  };
  const results = (ids: readonly string[]): string => {
    const known = [...new Set(ids)].slice(0, 3);
    return known.map((id) => (nameOf(id) ? `${nameOf(id)} (${id})` : id)).join(" and ");
  };
  const came = (path: string, ids: readonly string[]) =>
    `${argument(path)} came from ${results(ids)}`;
  return { argument, results, came };
}
