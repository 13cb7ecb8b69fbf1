export type MistakePath = readonly (string | number)[];

/** A refusal as it travels: a code that a reader may not know yet. */
export interface AnyMistake {
  code: string;
  /** The path of the field in the input; empty where the refusal concerns the whole call. */
  path: (string | number)[];
  params: Record<string, unknown>;
}

/** Writes a mistake that is within another one in words. */
export type Say = (mistake: AnyMistake) => string;
