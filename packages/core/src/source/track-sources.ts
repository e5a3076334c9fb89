import type { ArgumentSource, SourceTracking } from "../call/argument-source.ts";
import { toScopedKey } from "../call/memory-store.ts";
import { notify } from "../call/notify.ts";
import { askStore } from "../call/store.ts";
import type { HostTool } from "../call/tool.ts";
import { type ArgumentLeaf, argumentLeaves, isWithin } from "./argument-leaves.ts";
import { findCopies } from "./find-copies.ts";
import { holds, type IndexedText, indexText } from "./index-text.ts";
import { normalizeText } from "./normalize-text.ts";
import { createReadTexts, type KeptText, type ReadBounds } from "./read-texts.ts";
import { sourceId } from "./source-policy.ts";

/** How long the host's store remembers which tools were read in a scope. */
const READ_TTL_MS = 30 * 86_400_000;
/** The most characters of one result that are examined. */
const MAX_READ = 1_048_576;

/**
 * Lets a host find where the arguments of calls came from: `createHost({ sources: trackSources() })`. Texts of results
 * are kept by `scope` in this process, and the names of the tools also in the host's `store`: other processes know only
 * those, so policies ask more often there, never less.
 */
export function trackSources({
  maxResults = 10_000,
  maxLength = 67_108_864,
}: Partial<ReadBounds> = {}): SourceTracking {
  return ({ store }) => {
    const read = createReadTexts({ maxResults, maxLength });
    const ownTexts = new WeakMap<HostTool, IndexedText>();
    let said = { raw: "", index: indexText("") };
    const ownText = (tool: HostTool) => {
      const { description = "", inputSchema } = tool;
      const own = ownTexts.get(tool) ?? indexText(`${description} ${JSON.stringify(inputSchema)}`);
      ownTexts.set(tool, own);
      return own;
    };
    const userWords = (text: string | readonly string[]) => {
      const items = [text].flat();
      const raw = items.join("\n");
      if (raw !== said.raw) said = { raw, index: indexText(raw) };
      return { items: new Set(items.map(normalizeText)), index: said.index };
    };
    /** What was read in a scope, here and by other processes. */
    const openScope = async (name: string) => {
      const known = await askStore(() => store.get(keyOf(name)));
      const scope = read.open(name);
      for (const tool of Array.isArray(known) ? known : []) scope.tools.add(String(tool));
      return scope;
    };
    return {
      async find({ scope, tool, arguments: args, userText, exact }) {
        const { texts, tools } = await openScope(scope);
        const { index, items } = userWords(userText);
        const known = [index, ownText(tool)];
        const leaves = argumentLeaves(args);
        // Shorter ones occur in prose by chance.
        const isSaid = ({ text, needle }: ArgumentLeaf) =>
          items.has(text) || (text.length >= 4 && holds(index, needle));
        const fromUser = leaves.filter(isSaid).map(({ path }) => path);
        const others = leaves.filter((leaf) => !isSaid(leaf));
        const copies = findCopies(others, { texts, known });
        const sources = [...exact.map((source) => checkEcho(source, { leaves, texts })), ...copies];
        return { sources, fromUser, read: [...tools] };
      },
      async keep({ text, ...place }) {
        const { tools } = read.add({ ...place, text: text.slice(0, MAX_READ) });
        tools.add(sourceId(place));
        // The call was made: if the store fails, this process still knows.
        await notify(async () => {
          await openScope(place.scope);
          await store.set(keyOf(place.scope), [...tools], READ_TTL_MS);
        }, undefined);
      },
    };
  };
}

function keyOf(scope: string): string {
  return toScopedKey(scope, "read");
}

/** A call that was given the value may only repeat it: then the value came from elsewhere. */
function checkEcho(
  source: ArgumentSource,
  {
    leaves,
    texts,
  }: { readonly leaves: readonly ArgumentLeaf[]; readonly texts: readonly KeptText[] },
): ArgumentSource {
  const kept = texts.find(({ callId }) => callId === source.callId);
  const inside = leaves.filter(({ path }) => isWithin(path, source.path));
  const isSure = kept && !inside.some(({ needle }) => holds(kept.asked, needle));
  return isSure ? source : { ...source, part: true };
}
