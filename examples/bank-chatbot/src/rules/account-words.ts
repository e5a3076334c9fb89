/** How customers call their accounts. A model would learn the ids from list_accounts. */
const ACCOUNT_WORDS: readonly (readonly [string, string])[] = [
  ["checking", "acc_checking_001"],
  ["savings", "acc_savings_001"],
  ["current", "acc_current_001"],
  ["everyday", "acc_current_001"],
  ["vacation", "acc_vacation_001"],
  ["holiday", "acc_vacation_001"],
];

/** The id of the first account the text speaks of, one slip of the keyboard per word allowed. */
export function findAccountId(text: string): string | undefined {
  const id = text.match(/\bacc_\w+/)?.[0];
  if (id) return id;
  // The "current balance" of an account says nothing about which account it is.
  const named = text.toLowerCase().replace(/\bcurrent balance\b/g, "balance");
  for (const word of named.match(/[a-z]+/g) ?? []) {
    const known = ACCOUNT_WORDS.find(([name]) => isNear(word, name));
    if (known) return known[1];
  }
  return undefined;
}

/** Equal but for one letter added, left out or wrong, or two neighbours swapped. */
function isNear(word: string, name: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === name[start]) start += 1;
  let end = 0;
  const most = Math.min(word.length, name.length) - start;
  while (end < most && word.at(-1 - end) === name.at(-1 - end)) end += 1;
  const rest = word.slice(start, word.length - end);
  const wanted = name.slice(start, name.length - end);
  if (rest.length <= 1 && wanted.length <= 1) return true;
  return rest.length === 2 && `${rest[1]}${rest[0]}` === wanted;
}
