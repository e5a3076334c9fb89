import type { HostTool } from "../host/tool.ts";
import { definitionHash } from "./fingerprint.ts";

type Hashes = { readonly [tool: string]: string };

/** The tools as they were when a query began. */
export interface KnownTools {
  /** `undefined` for a tool that was not there. */
  hashOf(tool: HostTool): string | undefined;
  hashes(): Hashes;
}

/** Remembers tools as they are now. They are hashed when that is asked for, since most never are. */
export function rememberTools(tools: readonly HostTool[]): KnownTools {
  return {
    hashOf({ id }) {
      const tool = tools.find((one) => one.id === id);
      return tool && definitionHash(tool);
    },
    hashes: () => Object.fromEntries(tools.map((tool) => [tool.id, definitionHash(tool)])),
  };
}

/** Takes up what another process remembered. */
export function readHashes(hashes: Hashes): KnownTools {
  return {
    hashOf: ({ id }) => (Object.hasOwn(hashes, id) ? hashes[id] : undefined),
    hashes: () => hashes,
  };
}
