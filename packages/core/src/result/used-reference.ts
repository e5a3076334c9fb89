/** The call that a kept result comes from. */
export interface KeptFrom {
  readonly server: string;
  readonly tool: string;
  readonly callId: string;
}

/** An address in the arguments of a call, with the source of its value. */
export interface UsedReference extends KeptFrom {
  /** The path of the argument that contains it: `rows.0.name`. */
  readonly path: string;
  readonly address: string;
  /** True if the address is inside a longer text. */
  readonly part?: true;
  /** The first 300 characters of the inserted value, for a person who is asked. */
  readonly preview: string;
}
