const PROBES = 4;

/** Tests a hash. It is true for every hash of the filter, and for about one in 3,000 others. */
export type HashFilter = (hash: number) => boolean;

/** Creates a Bloom filter of two to four bytes for each hash. `distinct` is the approximate number of different hashes. */
export function createHashFilter(hashes: readonly number[], distinct = hashes.length): HashFilter {
  const mask = 2 ** Math.ceil(Math.log2(distinct * 16 + 32)) - 1;
  const table = new Uint8Array((mask + 1) / 8);
  for (const hash of hashes) {
    for (let probe = 0; probe < PROBES; probe++) {
      const at = spread(hash, probe) & mask;
      table[at >>> 3] = (table[at >>> 3] ?? 0) | (1 << (at & 7));
    }
  }
  return (hash) => {
    for (let probe = 0; probe < PROBES; probe++) {
      const at = spread(hash, probe) & mask;
      if ((((table[at >>> 3] ?? 0) >>> (at & 7)) & 1) === 0) return false;
    }
    return true;
  };
}

/** Returns a different position for each probe. */
function spread(hash: number, probe: number): number {
  const mixed = Math.imul(hash ^ Math.imul(probe, 0x9e3779b1), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 15);
}
