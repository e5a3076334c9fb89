import fc from "fast-check";

/** What a fuzz has done, to be printed. */
export type Tally = Record<string, number>;

/** Something that must hold for any input. It throws where it does not. */
export interface FuzzProperty<Input = unknown> {
  /** A sentence that says what holds. */
  readonly name: string;
  readonly input: fc.Arbitrary<Input>;
  check(input: Input, tally: Tally): Promise<void>;
}

/** A property whose type of input is its own business. */
export function define<Input>(property: FuzzProperty<Input>): FuzzProperty {
  return property as FuzzProperty<never> as FuzzProperty;
}

/** Adds to what was done. */
export function count(tally: Tally, done: Readonly<Record<string, number>>): void {
  for (const [name, more] of Object.entries(done)) tally[name] = (tally[name] ?? 0) + more;
}

/** Runs a property with inputs that follow from the seed. */
export function runProperty(
  property: FuzzProperty,
  { tally, ...parameters }: fc.Parameters<[unknown]> & { readonly tally: Tally },
) {
  return fc.check(
    fc.asyncProperty(property.input, (input) => property.check(input, tally)),
    parameters,
  );
}
