import type { ProjectReflection, SomeType } from "typedoc";

/** The most characters of a framework's type whose arguments are worth reading. */
const READABLE = 400;

/** Makes signatures readable: names what has none in the code, and cuts what only a compiler reads. */
export function tidySignatures(project: ProjectReflection): void {
  for (const one of Object.values(project.reflections)) {
    if (one.isParameter() && one.name === "__namedParameters") one.name = nameOf(one.type);
    if (one.isSignature() && one.type?.type === "reference") {
      const { type } = one;
      const isOfFramework = type.reflection === undefined;
      if (isOfFramework && type.toString().length > READABLE) delete type.typeArguments;
    }
  }
}

/** The name of a parameter that is destructured in its declaration. It is derived from the type. */
function nameOf(type: SomeType | undefined): string {
  if (type?.type !== "reference") return "options";
  if (["Pick", "Omit", "Partial"].includes(type.name)) return nameOf(type.typeArguments?.[0]);
  if (/(Options|Settings)$/.test(type.name)) return "options";
  return type.name.charAt(0).toLowerCase() + type.name.slice(1);
}
