import type { Tool, ToolCall } from "@toolrail/core";
import type { ArgumentSource, PluginKit, Provenance } from "@toolrail/core/plugin";
import { isWithin, type JsonObject } from "@toolrail/json";
import { type ArgumentLeaf, keepLeaves, leavesWithin, walkLeaves } from "./argument-leaves.ts";
import { findCopies, isWholeIn, type Places, type SoughtValue, toSought } from "./find-copies.ts";
import { holds, type IndexedText, indexText, toNeedle } from "./index-text.ts";
import { normalizeText } from "./normalize-text.ts";
import { createPace, type Pace } from "./pace.ts";
import { createReadLog } from "./read-log.ts";
import { createReadTexts, type ReadBounds } from "./read-texts.ts";
import { sourceId } from "./source-policy.ts";
import { toExactValue } from "./whole-value.ts";

/** The maximum steps of the search for one call, some tenths of a second. The sources of the rest are unknown. */
const MAX_STEPS = 20_000_000;

export interface ReadText extends Pick<ArgumentSource, "server" | "tool" | "callId"> {
  readonly conversation: string;
  readonly text: string;
  /** The arguments of the call as JSON. A tool that repeats them is not their source. */
  readonly argumentText?: string;
}

interface TrackedCall extends Pick<ToolCall, "tool" | "arguments"> {
  readonly conversation: string;
  readonly userText: string | readonly string[];
  readonly exact: readonly ArgumentSource[];
  /** The paths of the arguments to search. Default, and if the call has none of them: all arguments. */
  readonly targets?: readonly string[] | undefined;
}

/** Creates a tracker of the texts that were read in each conversation, which finds them in arguments. */
export function createTracker(
  { maxResults = 10_000, maxLength = 134_217_728 }: Partial<ReadBounds>,
  { store, now }: Pick<PluginKit, "store" | "now">,
) {
  const log = createReadLog({ store, now });
  const read = createReadTexts({ maxResults, maxLength }, log.forget);
  const ownTexts = new WeakMap<Tool, IndexedText>();
  let last: UserTexts = { raw: [], values: new Set(), index: [] };
  const ownText = async (tool: Tool, pace: Pace) => {
    const { description = "", inputSchema } = tool;
    const own =
      ownTexts.get(tool) ??
      (await indexText(`${description}\n${JSON.stringify(inputSchema)}`, pace));
    ownTexts.set(tool, own);
    return own;
  };
  const readUserTexts = async (
    text: string | readonly string[],
    pace: Pace,
  ): Promise<UserTexts> => {
    const raw = [text].flat();
    const isKnown = raw.length === last.raw.length && raw.every((one, at) => one === last.raw[at]);
    if (isKnown) return last;
    const index: IndexedText[] = [];
    for (const one of raw) index.push(await indexText(one, pace));
    last = { raw, values: new Set(raw.map(toExactValue)), index: index.flat() };
    return last;
  };
  return {
    /** Finds the sources of arguments. Rejects if the host's store fails, so that the call is refused. */
    async find(call: TrackedCall): Promise<Provenance> {
      const { conversation, tool, arguments: args, userText, exact, targets } = call;
      const { tools, dropped, ...opened } = read.open(conversation);
      const elsewhere = await log.readElsewhere(conversation);
      const texts = [...opened.texts];
      const all = [...new Set([...tools, ...elsewhere])];
      const notHere = new Set([...dropped, ...elsewhere]);
      const pace = createPace({ most: MAX_STEPS });
      const user = await readUserTexts(userText, pace);
      const known = [...user.index, ...(await ownText(tool, pace))];
      const leaves = await readLeaves(args, pace);
      const fromUser: string[] = [];
      const copies: ArgumentSource[] = [];
      const wanted = targets?.length === 0 ? [] : leavesWithin(leaves, targets ?? [""]);
      for (const leaf of wanted) {
        if (pace.isSpent()) break;
        const wait = pace.take(leaf.raw.length + 20);
        if (wait !== undefined) await wait;
        const sought = toSought(leaf);
        if (isFromUser(sought, user)) fromUser.push(leaf.path);
        else copies.push(...(await findCopies(leaf, { sought, texts, known, pace })));
      }
      const sources = await checkEchoes(exact, { leaves, texts, pace });
      const unexamined = pace.isSpent() ? all : [...notHere];
      const more = copies.filter((copy) => !sources.some((one) => includesCopy(one, copy)));
      return { sources: [...sources, ...more], fromUser, read: all, unexamined };
    },
    /** Records that a result is about to be read. If the host's store fails, it rejects, and nothing may be read. */
    expect: ({ conversation, ...place }: Pick<ReadText, "conversation" | "server" | "tool">) =>
      log.write(conversation, sourceId(place)),
    async keep({ conversation, text, argumentText = "", ...place }: ReadText): Promise<void> {
      const pace = createPace();
      const index = await indexText(text, pace);
      const kept = {
        ...place,
        id: sourceId(place),
        index,
        argumentIndex: await indexText(argumentText, pace),
      };
      read.add(conversation, kept);
    },
  };
}

/** The user's own texts: unchanged, as values, and indexed. Messages are never joined. */
interface UserTexts {
  readonly raw: readonly string[];
  readonly values: ReadonlySet<string>;
  readonly index: IndexedText;
}

/** The minimum length of a value, since shorter ones occur in prose by chance. */
const MIN_USER_VALUE = 4;

function isFromUser(sought: SoughtValue, { values, index }: UserTexts): boolean {
  const { exact } = sought;
  if (exact !== "" && values.has(exact)) return true;
  return exact.length >= MIN_USER_VALUE && isWholeIn(index, sought);
}

async function readLeaves(args: JsonObject, pace: Pace): Promise<readonly ArgumentLeaf[]> {
  const leaves: ArgumentLeaf[] = [];
  for (const leaf of walkLeaves(args)) {
    leaves.push(leaf);
    const wait = pace.take(10);
    if (wait !== undefined) await wait;
  }
  keepLeaves(args, leaves);
  return leaves;
}

/** Marks sources as partial if their call was given a value: its result may only repeat that value. */
async function checkEchoes(
  sources: readonly ArgumentSource[],
  {
    leaves,
    texts,
    pace,
  }: Pick<Places, "texts" | "pace"> & { readonly leaves: readonly ArgumentLeaf[] },
): Promise<readonly ArgumentSource[]> {
  const checked: ArgumentSource[] = [];
  for (const source of sources) {
    const kept = texts.find(({ callId }) => callId === source.callId);
    let isSure = kept !== undefined;
    for (const { path, raw } of isSure ? leaves : []) {
      const isInside = isWithin(path, source.path);
      const wait = pace.take(isInside ? raw.length + 20 : 1);
      if (wait !== undefined) await wait;
      if (pace.isSpent()) isSure = false;
      if (!isSure) break;
      const needle = isInside && toNeedle(normalizeText(raw));
      if (needle && kept?.argumentIndex.some((section) => holds(section, needle))) isSure = false;
    }
    checked.push(isSure || source.part ? source : { ...source, part: true });
  }
  return checked;
}

/** Returns true if an exact source includes a copy: the same argument came from the same tool. */
function includesCopy(exact: ArgumentSource, copy: ArgumentSource): boolean {
  if (exact.how === "copy" || (exact.part && !copy.part)) return false;
  return sourceId(exact) === sourceId(copy) && isWithin(copy.path, exact.path);
}
