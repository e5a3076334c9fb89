// The pages and the manifests agree on versions, platforms and support.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PACKAGES } from "../architecture/read-sources.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const flat = (path: string) => read(path).replaceAll(/\s+/g, " ");

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (name: string): Manifest => JSON.parse(read(`packages/${name}/package.json`));
const nodeOf = (name: string) => manifestOf(name).engines.node.replace(">=", "");
const majorsIn = (range: string) =>
  range.split("||").map((part) => /\d+/.exec(part)?.[0] ?? part.trim());

const pages = globSync(
  ["README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/*.{md,txt}", "packages/*/README.md"],
  { cwd: ROOT },
);

describe("the pages and the manifests agree", () => {
  it("on the version: it is the same in all packages.", () => {
    expect(new Set(PACKAGES.map((name) => manifestOf(name).version)).size).toBe(1);
    expect(flat("docs/stability.md")).toContain("All packages share one version");
  });

  it("on the lowest Node, of the command and of all others.", () => {
    const others = PACKAGES.filter((name) => name !== "cli").map(nodeOf);
    expect(new Set(others)).toEqual(new Set(["20.3"]));
    expect(nodeOf("cli")).toBe("22.12");
    for (const page of ["README.md", "docs/stability.md"]) {
      expect(flat(page)).toMatch(/Node\W+20\.3 or newer/);
      expect(flat(page)).toMatch(/22\.12/);
    }
  });

  it.each(pages)("on every exact version of Node that %s names.", (page) => {
    const named = [...flat(page).matchAll(/Node\W{1,3}(\d+\.\d+)/g)].map(([, version]) => version);
    const isOfTheCommand = page === "docs/cli.md" || page === "packages/cli/README.md";
    const known = isOfTheCommand ? ["22.12"] : ["20.3", "22.12"];
    expect(named.filter((version) => !known.includes(version ?? ""))).toEqual([]);
  });

  it("on the versions of Node that are tried.", () => {
    const [, list = ""] = /NODES = \[(.*?)\]/.exec(read("scripts/check-peers.ts")) ?? [];
    const tried = [...list.matchAll(/\d+/g)].map(([major]) => major);
    const text = `Node ${tried.slice(0, -1).join(", ")} and ${tried.at(-1)}`;
    expect(flat("docs/stability.md")).toContain(`${text}, and all tests run on Node`);
  });

  it("on the majors of the MCP SDK, of the AI SDK, and of LangChain.", () => {
    const core = manifestOf("core").peerDependencies ?? {};
    const stability = flat("docs/stability.md");
    for (const name of ["@modelcontextprotocol/sdk", "@modelcontextprotocol/client"]) {
      const [major] = majorsIn(core[name] ?? "");
      expect(stability).toContain(`\`${name}\` ${major}`);
    }
    const majors = majorsIn(manifestOf("ai-sdk").peerDependencies?.ai ?? "");
    expect(majors).toEqual(["6", "7"]);
    expect(flat("README.md")).toContain(`the Vercel AI SDK, versions ${majors.join(" and ")}`);
  });

  it("on platforms: Linux is tested, and no page promises another.", () => {
    expect(flat("README.md")).toContain("tested [on Linux](docs/stability.md)");
    const [, platforms = ""] =
      /\*\*Platforms\.\*\* (.*?) \*\*/.exec(flat("docs/stability.md")) ?? [];
    expect(platforms).toMatch(/All tests run on Linux.*take these as untested/);
    const others = pages.filter((page) => /\b(macOS|Windows)\b/.test(read(page)));
    expect(others).toEqual(["docs/stability.md"]);
  });

  it("on support: fixes go into the newest minor version alone.", () => {
    for (const page of ["SECURITY.md", "docs/stability.md"]) {
      expect(flat(page)).toMatch(/into the newest minor version; older ones get none/);
    }
  });

  it("on releases: as long as the README says that there is none, no page says otherwise.", () => {
    expect(flat("README.md")).toContain("**not published yet**");
    expect(flat("docs/stability.md")).toContain("**Releases.** There is none yet");
    expect(flat("SECURITY.md")).toContain("There is no release yet");
    const installed = PACKAGES.filter((name) =>
      /npm install/.test(read(`packages/${name}/README.md`)),
    );
    const silent = installed.filter(
      (name) => !/not published yet/.test(read(`packages/${name}/README.md`)),
    );
    expect(silent).toEqual([]);
  });

  it("on figures: those of the README stand in the page on evidence.", () => {
    const [, figures = ""] = read("README.md").split("## Figures");
    const [measured = ""] = figures.split("- **Time**");
    const numbers = [...measured.matchAll(/\b\d[\d,.]*\d\b/g)].map(([number]) => number);
    expect(numbers.length).toBeGreaterThan(10);
    const evidence = flat("docs/evidence.md");
    expect(numbers.filter((number) => !evidence.includes(number))).toEqual([]);
  });
});
