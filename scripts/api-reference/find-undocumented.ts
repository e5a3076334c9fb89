import { type DeclarationReflection, type ProjectReflection, ReflectionKind } from "typedoc";

/** The exports, and the options in those of them that are called so, which have no docstring. */
export function findUndocumented(project: ProjectReflection): string[] {
  const exported = (project.children ?? []).flatMap(({ children = [] }) => children);
  const own = exported.filter(({ kind }) => kind !== ReflectionKind.Reference);
  const options = own.filter(({ name }) => name.endsWith("Options"));
  return [...own, ...options.flatMap(({ children = [] }) => children)]
    .filter((one) => !isDocumented(one))
    .map((one) => one.getFriendlyFullName());
}

/** TypeDoc keeps the docstring of a function with its signature, also where a property holds it. */
function isDocumented({ comment, signatures, type }: DeclarationReflection): boolean {
  const held = type?.type === "reflection" ? type.declaration.signatures : undefined;
  return [{ comment }, ...(signatures ?? []), ...(held ?? [])].some(
    (one) => one.comment?.hasVisibleComponent() === true,
  );
}
