import { describe, expect, it } from "vitest";
import { shippedPages } from "../../scripts/shipped-pages.ts";
import { PACKAGES } from "../architecture/read-sources.ts";

const REPOSITORY = "https://git.test/toolrail";
const linksOf = (text: string) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
const textOf = (path: string, ...[name, repository]: Parameters<typeof shippedPages>) =>
  shippedPages(name, repository).find((page) => page.path === path)?.text ?? "";

describe("the pages that packages ship", () => {
  it("are the README of each, and all guides in the core.", () => {
    const paths = PACKAGES.map((name) => [name, shippedPages(name).map(({ path }) => path)]);
    expect(Object.fromEntries(paths)).toMatchObject({ cli: ["README.md"], server: ["README.md"] });
    const inTheCore = ["docs/pipe.md", "docs/costs.svg", "docs/SECURITY.md"];
    expect(shippedPages("core").map(({ path }) => path)).toEqual(expect.arrayContaining(inTheCore));
  });

  it("link to the guides next to them if the repository's address is unknown.", () => {
    expect(linksOf(textOf("README.md", "ai-sdk"))).toContain("../core/docs/sources.md");
    expect(linksOf(textOf("README.md", "core"))).toContain("docs/sources.md");
    expect(linksOf(textOf("docs/chain.md", "core"))).toContain("ai-sdk.md");
    expect(linksOf(textOf("docs/ai-sdk.md", "core"))).toContain("../../ai-sdk/README.md");
  });

  it("link to the repository if its address is known, except for their own files.", () => {
    const links = linksOf(textOf("README.md", "ai-sdk", REPOSITORY));
    expect(links).toContain(`${REPOSITORY}/blob/HEAD/docs/ai-sdk.md#many-tools`);
    expect(links).toContain("native-hops.md");
    const guide = linksOf(textOf("docs/chain.md", "core", REPOSITORY));
    expect(guide).toContain("rules.md");
    expect(guide).toContain(`${REPOSITORY}/blob/HEAD/examples/chain-stories`);
  });

  it("name files that are not shipped without a link if the address is unknown.", () => {
    const text = textOf("docs/chain.md", "core");
    expect(text).toContain("run as stories:");
    expect(linksOf(text).join()).not.toContain("examples");
  });
});
