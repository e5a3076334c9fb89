/** The call that a kept result comes from. */
export interface KeptFrom {
  readonly server: string;
  readonly tool: string;
  readonly callId: string;
}

/** An address in the arguments of a call, with what it stands for. */
export interface UsedReference extends KeptFrom {
  /** The argument that contains it: `rows.0.name`. */
  readonly path: string;
  readonly address: string;
  /** True if it is inside a longer text. */
  readonly part?: true;
  /** The first 300 characters of the inserted value, for a person who is asked. */
  readonly preview: string;
}
