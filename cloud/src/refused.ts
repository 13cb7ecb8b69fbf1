/** Why a use case did not do what was asked: an expected outcome, and nothing was changed. */
export type Refused =
  | { ok: false; reason: 'input'; messages: string[] }
  /** Not there, or somebody else's. */
  | { ok: false; reason: 'not-found' }
  /** It was made before, as `id`. */
  | { ok: false; reason: 'already-there'; id: string; message: string };

/** The same of a change that goes by `If-Match`: it may also be of a version that is no longer the newest. */
export type RefusedEdit = Refused | { ok: false; reason: 'stale' };

/** All that is wrong with what was asked. */
export type RefusedInput = Extract<Refused, { reason: 'input' }>;

export function refusedInput(...messages: string[]): RefusedInput {
  return { ok: false, reason: 'input', messages };
}

export const NOT_FOUND: Refused = { ok: false, reason: 'not-found' };
