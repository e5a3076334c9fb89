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

/** TypeDoc keeps the docstring of a function with its signature, even if a property holds the function. */
function isDocumented({ comment, signatures, type }: DeclarationReflection): boolean {
  const held = type?.type === "reflection" ? type.declaration.signatures : undefined;
  return [{ comment }, ...(signatures ?? []), ...(held ?? [])].some(
    (one) => one.comment?.hasVisibleComponent() === true,
  );
}

/** TypeDoc gives an interface without a docstring the one of an interface that it extends. */
function isInherited(one: DeclarationReflection): boolean {
  return (one.extendedTypes ?? []).some(
    (type) =>
      type.type === "reference" && type.reflection && summaryOf(type.reflection) === summaryOf(one),
  );
}

function summaryOf({ comment }: Reflection): string {
  return Comment.combineDisplayParts(comment?.summary);
}
