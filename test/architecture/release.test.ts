import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifests = globSync("{packages,examples}/*/package.json", { cwd: ROOT })
  .concat("package.json", "scripts/api-reference/package.json", "test/evidence/package.json")
  .map((path): Manifest & { path: string } => ({ path, ...JSON.parse(read(path)) }));
const published = manifests.filter((manifest) => manifest.private !== true);

describe("a release", () => {
  it("publishes packages alone, all with one version.", () => {
    expect(published.filter(({ path }) => !/^packages[\\/]/.test(path))).toEqual([]);
    expect(new Set(published.map(({ version }) => version)).size).toBe(1);
  });

  it("says of each package what it is, with the words by which one looks for it.", () => {
    for (const { name, description, keywords } of published) {
      expect(description, name).toMatch(/MCP/);
      expect(keywords, name).toEqual(expect.arrayContaining(["mcp", "agents"]));
    }
  });

  it("installs from two tarballs for each framework: its own and that of the core, which `npm run pack` names.", () => {
    const pack = read("scripts/pack.ts");
    for (const { name, dependencies, peerDependencies } of published) {
      const folder = name.replace("@toolrail/", "");
      // The command runs a pipe in LangGraph only where that is installed.
      const needed = Object.keys(
        folder === "cli" ? (dependencies ?? {}) : { ...dependencies, ...peerDependencies },
      );
      const ours = needed.filter((other) => other.startsWith("@toolrail/"));
      expect([name, ours]).toEqual([name, name === "@toolrail/core" ? [] : ["@toolrail/core"]]);
      if (folder !== "core") expect(pack).toContain(`install("core", "${folder}")`);
    }
  });

  it("needs the same Node in all packages, except for the command.", () => {
    const others = published.filter(({ name }) => name !== "@toolrail/cli");
    expect(new Set(others.map(({ engines }) => engines?.node))).toEqual(new Set([">=20.3"]));
  });

  it("is signed with where it comes from, without a token, and keeps the pages of the API.", () => {
    const workflow = read(".github/workflows/release.yml");
    expect(workflow).toContain("id-token: write");
    expect(workflow).toContain('NPM_CONFIG_PROVENANCE: "true"');
    expect(workflow).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
    expect(workflow).toContain("npm run check:api");
  });

  it("finds the pnpm that publishes the packages, on a machine that has none.", () => {
    const { scripts } = JSON.parse(read("package.json"));
    expect(scripts.release).toMatch(/ npx -y pnpm@\S+ --recursive publish /);
  });

  it("is described in the changelog.", () => {
    const [, version] = /^## (\d+\.\d+\.\d+)/m.exec(read("CHANGELOG.md")) ?? [];
    expect(version).toBe(published[0]?.version);
  });
});
