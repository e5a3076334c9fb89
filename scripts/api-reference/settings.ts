import { join } from "node:path";
import type { TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";

/** The settings with which TypeDoc reads the sources and writes its pages. */
export const settings = {
  name: "API reference",
  tsconfig: join(import.meta.dirname, "tsconfig.json"),
  readme: join(import.meta.dirname, "about.md"),
  sortEntryPoints: false,
  disableSources: true,
  excludeExternals: true,
  groupOrder: ["Functions", "Classes", "Interfaces", "Type Aliases", "Variables", "*"],
  sort: ["source-order"],
  logLevel: "Warn",
  // The links of about.md are relative to the page that includes it.
  validation: { notExported: false, invalidLink: true, invalidPath: false },

  // One page for each entry: signatures as code, options as tables.
  plugin: ["typedoc-plugin-markdown"],
  router: "module",
  flattenOutputFiles: true,
  excludeScopesInPaths: true,
  mergeReadme: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  expandObjects: true,
  expandParameters: true,
  indexFormat: "table",
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  propertyMembersFormat: "table",
  typeDeclarationFormat: "table",
  tableColumnSettings: {
    hideDefaults: true,
    hideInherited: true,
    hideModifiers: true,
    hideOverrides: true,
    hideValues: true,
    leftAlignHeaders: true,
  },
} satisfies Partial<TypeDocOptions & PluginOptions>;
