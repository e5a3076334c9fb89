import type { Tool } from "@toolrail/core";
import type { ArgumentSource, PluginKit, Provenance } from "@toolrail/core/plugin";
import { isWithin, type JsonObject } from "@toolrail/json";
import { type ArgumentLeaf, keepLeaves, leavesWithin, walkLeaves } from "./argument-leaves.ts";
import { findCopies, isSaidIn, type SoughtValue, toSought } from "./find-copies.ts";
import { holds, type IndexedText, indexText, toNeedle } from "./index-text.ts";
import { normalizeText } from "./normalize-text.ts";
import { createPace, type Pace } from "./pace.ts";
import { createReadLog } from "./read-log.ts";
import { createReadTexts, type KeptText, type ReadBounds } from "./read-texts.ts";
import { sourceId } from "./source-policy.ts";
import { toExactValue } from "./whole-value.ts";

/** The most steps of the search for one call, some tenths of a second of work. What is not examined by then is unknown. */
const MAX_STEPS = 20_000_000;

/** Something that a model has read in a conversation. */
export interface ReadText extends Pick<ArgumentSource, "server" | "tool" | "callId"> {
  readonly conversation: string;
  readonly text: string;
  /** What the call was given, as JSON: a tool that repeats it is not its source. */
  readonly asked?: string;
}

/** Knows what was read in each conversation, and finds it again in arguments. */
export interface SourceTracker {
  /** Rejects where the store of the host fails: the call is then refused. */
  find(call: {
    readonly conversation: string;
    readonly tool: Tool;
    readonly arguments: JsonObject;
    readonly userText: string | readonly string[];
    /** What is known exactly. */
    readonly exact: readonly ArgumentSource[];
    /** Paths of the arguments that are searched, or of none; all are if the call has none of them, and by default. */
    readonly targets?: readonly string[] | undefined;
  }): Promise<Provenance>;
  /** Writes down that something is about to be read. Rejects if the store of the host fails: then nothing may be read. */
  expect(read: Pick<ReadText, "conversation" | "server" | "tool">): Promise<void>;
  /** Keeps what was read, to find it again. */
  keep(read: ReadText): Promise<void>;
}

/** Remembers what was read by one host. */
export function createTracker(
  { maxResults = 10_000, maxLength = 134_217_728 }: Partial<ReadBounds>,
  { store, now }: Pick<PluginKit, "store" | "now">,
): SourceTracker {
  const read = createReadTexts({ maxResults, maxLength });
  const log = createReadLog({ store, now });
  const ownTexts = new WeakMap<Tool, IndexedText>();
  let said: Said = { raw: [], values: new Set(), index: [] };
  const ownText = async (tool: Tool, pace: Pace) => {
    const { description = "", inputSchema } = tool;
    const own =
      ownTexts.get(tool) ??
      (await indexText(`${description}\n${JSON.stringify(inputSchema)}`, pace));
    ownTexts.set(tool, own);
    return own;
  };
  const userWords = async (text: string | readonly string[], pace: Pace): Promise<Said> => {
    const raw = [text].flat();
    const isKnown = raw.length === said.raw.length && raw.every((one, at) => one === said.raw[at]);
    if (isKnown) return said;
    const index: IndexedText[] = [];
    for (const one of raw) index.push(await indexText(one, pace));
    said = { raw, values: new Set(raw.map(toExactValue)), index: index.flat() };
    return said;
  };
  return {
    async find({ conversation, tool, arguments: args, userText, exact, targets }) {
      const elsewhere = await log.readElsewhere(conversation);
      const { tools, dropped, ...opened } = read.open(conversation);
      const texts = [...opened.texts];
      const all = [...new Set([...tools, ...elsewhere])];
      const notHere = new Set([...dropped, ...elsewhere]);
      const pace = createPace({ most: MAX_STEPS });
      const words = await userWords(userText, pace);
      const known = [...words.index, ...(await ownText(tool, pace))];
      const leaves = await readLeaves(args, pace);
      const fromUser: string[] = [];
      const copies: ArgumentSource[] = [];
      const wanted = targets?.length === 0 ? [] : leavesWithin(leaves, targets ?? [""]);
      for (const leaf of wanted) {
        if (pace.isSpent()) break;
        const wait = pace.take(leaf.raw.length + 20);
        if (wait !== undefined) await wait;
        const sought = toSought(leaf);
        if (isSaid(sought, words)) fromUser.push(leaf.path);
        else copies.push(...(await findCopies(leaf, { sought, texts, known, pace })));
      }
      const sources = await checkEchoes(exact, { leaves, texts, pace });
      const unexamined = pace.isSpent() ? all : [...notHere];
      const more = copies.filter((copy) => !sources.some((one) => saysAsMuch(one, copy)));
      return { sources: [...sources, ...more], fromUser, read: all, unexamined };
    },
    expect: ({ conversation, ...place }) => log.write(conversation, sourceId(place)),
    async keep({ conversation, text, asked = "", ...place }) {
      const pace = createPace();
      const index = await indexText(text, pace);
      const kept = { ...place, id: sourceId(place), index, asked: await indexText(asked, pace) };
      read.add(conversation, kept);
    },
  };
}

/** The user's own words: as they were stated, as values, and to be searched. Messages are never joined. */
interface Said {
  readonly raw: readonly string[];
  readonly values: ReadonlySet<string>;
  readonly index: IndexedText;
}

/** Shorter values occur in prose by chance. */
const MIN_SAID = 4;

function isSaid(sought: SoughtValue, { values, index }: Said): boolean {
  const { exact } = sought;
  if (exact !== "" && values.has(exact)) return true;
  return exact.length >= MIN_SAID && isSaidIn(index, sought);
}

/** All leaves of the arguments, read at a pace. */
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

/** A call that was given the value may only repeat it: then the value came from elsewhere. */
async function checkEchoes(
  sources: readonly ArgumentSource[],
  {
    leaves,
    texts,
    pace,
  }: {
    readonly leaves: readonly ArgumentLeaf[];
    readonly texts: readonly KeptText[];
    readonly pace: Pace;
  },
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
      if (needle && kept?.asked.some((section) => holds(section, needle))) isSure = false;
    }
    checked.push(isSure || source.part ? source : { ...source, part: true });
  }
  return checked;
}

/** True if an exact source says all that a copy says: the same argument came from the same tool. */
function saysAsMuch(exact: ArgumentSource, copy: ArgumentSource): boolean {
  if (exact.how === "copy" || (exact.part && !copy.part)) return false;
  return sourceId(exact) === sourceId(copy) && isWithin(copy.path, exact.path);
}
