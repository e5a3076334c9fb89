// The pages that a package ships, with links that lead somewhere: on npm, and in a folder `node_modules`.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** Pages of the repository, and their pictures, that the core ships in its folder `docs`. */
const GUIDES = globSync(["docs/**/*.{md,txt,svg}", "SECURITY.md"], { cwd: ROOT }).map(toPosix);

/** A page of a package: its path in the repository, and its path in the package. */
export interface ShippedPage {
  readonly source: string;
  readonly path: string;
  readonly text: string;
}

/**
 * Lists the pages that a package ships. Links to pages of the same package stay relative. All others lead to the address of the
 * repository if it is known, else to another package beside this one. A link without any target becomes plain text.
 */
export function shippedPages(name: string, repository?: string): ShippedPage[] {
  const own = `packages/${name}`;
  const sources = [`${own}/README.md`, ...(name === "core" ? GUIDES : [])];
  return sources.map((source) => {
    const shipped = shippedAs(source) ?? source;
    const page = { own, source, shipped, repository };
    const text = readFileSync(join(ROOT, source), "utf8").replaceAll(
      /(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g,
      (link, label: string, to: string) => {
        if (/^(https?:|mailto:|#)/.test(to)) return link;
        const target = targetOf(to, page);
        return target === undefined ? label : `[${label}](${target})`;
      },
    );
    return { source, path: posix.relative(own, shipped), text };
  });
}

interface LinkingPage {
  readonly own: string;
  readonly source: string;
  readonly shipped: string;
  readonly repository: string | undefined;
}

function targetOf(link: string, { own, source, shipped, repository }: LinkingPage) {
  const [path = "", anchor] = link.split("#");
  const target = posix.join(posix.dirname(source), path);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const there = shippedAs(target);
  const isOwn = there?.startsWith(`${own}/`) ?? false;
  if (!isOwn && repository !== undefined) return `${repository}/blob/HEAD/${target}${hash}`;
  if (there === undefined) return undefined;
  return posix.relative(posix.dirname(shipped), there) + hash;
}

/** Finds the path of a file or folder of the repository in the packages. Returns `undefined` if no package ships it. */
function shippedAs(path: string): string | undefined {
  if (GUIDES.includes(path)) return `packages/core/docs/${path.replace("docs/", "")}`;
  const [, folder, rest = ""] = /^(packages\/[^/]+)\/?(.*)$/.exec(path) ?? [];
  if (folder === undefined) return undefined;
  const isShipped = rest === "" || /^[^/]+\.md$/.test(rest);
  return isShipped && existsSync(join(ROOT, path)) ? path : undefined;
}

function toPosix(path: string): string {
  return path.replaceAll("\\", "/");
}

/** The address of the repository as a browser takes it, from the manifest of the package in this folder. */
export function repositoryOf(folder: string): string | undefined {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const { repository }: { repository?: { url?: string } } = JSON.parse(text);
  return repository?.url?.replace(/^git\+/, "").replace(/\.git$/, "");
}
