import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
}

const manifests = globSync(["{packages,examples}/*/package.json", "test/evidence/package.json"], {
  cwd: ROOT,
})
  .concat("scripts/api-reference/package.json")
  .map((path): Manifest => JSON.parse(read(path)));

/** What the configuration of the changesets keeps at one version. */
const [fixed = []]: string[][] = JSON.parse(read(".changeset/config.json")).fixed;
const isFixed = ({ name }: Manifest) =>
  fixed.every((glob) => (glob.startsWith("!") ? !matchesGlob(name, glob.slice(1)) : true)) &&
  fixed.some((glob) => !glob.startsWith("!") && matchesGlob(name, glob));

describe("a release", () => {
  it("gives one version to all packages that are published, and to nothing else.", () => {
    const published = manifests.filter((manifest) => manifest.private !== true);
    expect(manifests.filter(isFixed)).toEqual(published);
    expect(new Set(published.map(({ version }) => version)).size).toBe(1);
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
    expect(scripts.release).toMatch(/ npx -y pnpm@\S+ exec changeset publish$/);
  });

  it("has its version summed up in the changelog.", () => {
    const [, version = ""] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(read("CHANGELOG.md")) ?? [];
    const current = manifests.find(({ name }) => name === "@toolrail/core")?.version ?? "";
    expect(version.localeCompare(current, "en", { numeric: true })).toBeGreaterThanOrEqual(0);
  });
});
