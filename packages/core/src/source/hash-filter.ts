const LEAST = 2 ** 12;

/** A Bloom filter: for about one in twenty hashes that were never added, it says wrongly that they were. */
export interface HashFilter {
  mayHold(hash: number): boolean;
  /** Adds hashes. `all` are all hashes that count, including these, to rebuild the table from if it has become too small. */
  add(hashes: Int32Array, all: () => Iterable<Int32Array>): void;
}

/** Takes about a byte for each hash. */
export function createHashFilter(): HashFilter {
  let table = new Uint32Array(LEAST / 32);
  let [mask, count] = [LEAST - 1, 0];
  const isSet = (at: number) => ((table[at >>> 5] ?? 0) >>> (at & 31)) & 1;
  const set = (at: number) => {
    table[at >>> 5] = (table[at >>> 5] ?? 0) | (1 << (at & 31));
  };
  const put = (hashes: Int32Array) => {
    count += hashes.length;
    for (const hash of hashes) {
      set(hash & mask);
      set(spread(hash) & mask);
    }
  };
  return {
    mayHold: (hash) => isSet(hash & mask) === 1 && isSet(spread(hash) & mask) === 1,
    add(hashes, all) {
      if ((count + hashes.length) * 8 <= mask) {
        put(hashes);
        return;
      }
      const lists = [...all()];
      count = lists.reduce((sum, list) => sum + list.length, 0);
      const size = Math.max(LEAST, 2 ** Math.ceil(Math.log2(count * 16 + 1)));
      [table, mask, count] = [new Uint32Array(size / 32), size - 1, 0];
      for (const list of lists) put(list);
    },
  };
}

function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 12);
}
