import { globSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { shippedPages } from "../../scripts/shipped-pages.ts";
import { PACKAGES } from "../architecture/read-sources.ts";

const REPOSITORY = "https://git.test/toolrail";

/** The pages of all packages, as they are installed beside each other. */
function ship(repository?: string) {
  return PACKAGES.flatMap((name) =>
    shippedPages(name, repository).map(({ path, text }) => ({
      ...{ name, path: posix.join(name, path) },
      links: [...text.matchAll(/(?<!!)\[[^\]]+\]\(([^)\s]+)\)/g)]
        .map(([, link = ""]) => link)
        .filter((link) => !/^(https?:\/\/(?!git\.test)|mailto:|#)/.test(link)),
    })),
  );
}

const targetOf = (path: string, link: string) =>
  posix.join(posix.dirname(path), link.split("#")[0] ?? "").replace(/\/$/, "");

describe("the pages that packages ship", () => {
  it("are the README of each, and all guides in the core.", () => {
    const paths = ship().map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(PACKAGES.map((name) => `${name}/README.md`)));
    expect(paths).toContain("core/docs/SECURITY.md");
    expect(paths).toContain("core/docs/pipe.md");
  });

  it("link to pages that are shipped too if the repository's address is unknown.", () => {
    const pages = ship();
    const beside = globSync("*/*.md", { cwd: join(import.meta.dirname, "../../packages") });
    const shipped = [...PACKAGES, ...beside, ...pages.map(({ path }) => path)];
    expect(pages.flatMap(({ links }) => links).length).toBeGreaterThan(100);
    const lost = pages.flatMap(({ path, links }) =>
      links.map((link) => targetOf(path, link)).filter((target) => !shipped.includes(target)),
    );
    expect(lost).toEqual([]);
  });

  it("link to the repository if its address is known, except for their own files.", () => {
    const pages = ship(REPOSITORY);
    const links = pages.flatMap(({ links }) => links);
    const outside = links.filter((link) => link.startsWith(`${REPOSITORY}/blob/HEAD/`));
    expect(outside.length).toBeGreaterThan(50);
    const lost = pages.flatMap(({ name, path, links }) =>
      links
        .filter((link) => !outside.includes(link))
        .map((link) => targetOf(path, link))
        .filter((target) => !target.startsWith(`${name}/`)),
    );
    expect(lost).toEqual([]);
  });
});
