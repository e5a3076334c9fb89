import {
  Comment,
  type DeclarationReflection,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
} from "typedoc";

/** The exports, and the options in those of them that are called so, which have no docstring. */
export function findUndocumented(project: ProjectReflection): string[] {
  const exported = (project.children ?? []).flatMap(({ children = [] }) => children);
  const own = exported.filter(({ kind }) => kind !== ReflectionKind.Reference);
  const options = own.filter(({ name }) => name.endsWith("Options"));
  const members = options.flatMap(({ children = [] }) => children);
  return [
    ...own.filter(isInherited),
    ...[...own, ...members].filter((one) => !isDocumented(one)),
  ].map((one) => one.getFriendlyFullName());
}

/** TypeDoc keeps the docstring of a function with its signature, also where a property holds it. */
function isDocumented({ comment, signatures, type }: DeclarationReflection): boolean {
  const held = type?.type === "reflection" ? type.declaration.signatures : undefined;
  return [{ comment }, ...(signatures ?? []), ...(held ?? [])].some(
    (one) => one.comment?.hasVisibleComponent() === true,
  );
}

/** An interface without a docstring of its own is given that of one that it extends. */
function isInherited(one: DeclarationReflection): boolean {
  return (one.extendedTypes ?? []).some(
    (type) =>
      type.type === "reference" && type.reflection && summaryOf(type.reflection) === summaryOf(one),
  );
}

function summaryOf({ comment }: Reflection): string {
  return Comment.combineDisplayParts(comment?.summary);
}
