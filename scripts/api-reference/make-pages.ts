import { join, relative } from "node:path";
import { Application, type ProjectReflection } from "typedoc";
import { findUndocumented } from "./find-undocumented.ts";
import { type PublicEntry, publicEntries } from "./public-entries.ts";
import { settings } from "./settings.ts";
import { tidySignatures } from "./tidy-signatures.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Writes one page for each public entry, and an index. Returns false if the sources have errors or lack a docstring. */
export async function makePages(folder: string): Promise<boolean> {
  const entries = publicEntries();
  const app = await Application.bootstrapWithPlugins({
    ...settings,
    entryPoints: entries.map(({ file }) => file),
    basePath: ROOT,
    out: folder,
  });
  const project = await app.convert();
  if (project === undefined) return false;
  nameModules(project, entries);
  tidySignatures(project);
  app.validate(project);
  for (const name of findUndocumented(project)) app.logger.error(`${name} has no docstring.`);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) return false;
  await app.generateOutputs(project);
  return !app.logger.hasErrors();
}

/** Modules have the names by which they are imported, and not those of their files. Their exports are in alphabetical order. */
function nameModules(project: ProjectReflection, entries: readonly PublicEntry[]): void {
  for (const { name, file } of entries) {
    const path = relative(ROOT, file).replaceAll("\\", "/");
    const module = project.children?.find(
      (one) => one.name === path.replace(/(\/index)?\.ts$/, ""),
    );
    if (module === undefined) throw new Error(`TypeDoc has no module for ${path}.`);
    module.name = name;
    for (const { children } of module.groups ?? []) {
      children.sort((a, b) => (a.name < b.name ? -1 : 1));
    }
  }
}
