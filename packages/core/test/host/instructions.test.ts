import { expect, it } from "vitest";
import { createHost } from "../../src/index.ts";
import { clientLibraries } from "../clients.ts";
import { createTestServer, serveTools } from "../servers.ts";

it.each(clientLibraries.slice(0, 3))(
  "The application reads what a server says of its use, at most 32,768 characters ($name).",
  async ({ connect }) => {
    const { transport } = await serveTools(
      { a: {} },
      { instructions: "Search first.".repeat(9_000) },
    );
    const silent = await createTestServer({ b: {} });
    const host = await createHost({
      servers: { docs: () => connect(transport), silent: silent.client },
    });
    expect(Object.keys(host.instructions)).toEqual(["docs"]);
    expect(host.instructions.docs).toMatch(/^Search first\./);
    expect(host.instructions.docs).toHaveLength(32_768);
  },
);
