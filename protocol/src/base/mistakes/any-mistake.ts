export type MistakePath = readonly (string | number)[];

/** A refusal as it travels: a code that a reader may not know yet. */
export interface AnyMistake {
  code: string;
  /** Where it is in the input; empty where it concerns the whole call. */
  path: (string | number)[];
  params: Record<string, unknown>;
}

/** Says what is within another mistake. */
export type Say = (mistake: AnyMistake) => string;
