/** A value in the arguments of a call that a plugin has replaced, such as the address of a kept result. */
export interface UsedReference {
  /** The path of the argument: `rows.0.name`. */
  readonly path: string;
  /** The first 300 characters of the value as it was written. */
  readonly address: string;
  /** The first 300 characters of the value that is sent, for a person who is asked. */
  readonly preview: string;
}
