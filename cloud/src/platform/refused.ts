import type { Mistake } from '@hlid/protocol/base/mistakes/mistake';
import { REFUSALS_EN } from '@hlid/protocol/base/mistakes/refusals/refusals-en';
import { refusalLine } from '@hlid/protocol/base/mistakes/say-refusal';

/** Why a use case did not do what was asked: an expected outcome, and nothing was changed. */
export type Refused =
  | { ok: false; reason: 'input'; mistakes: Mistake[] }
  /** The row does not exist, or belongs to another. */
  | { ok: false; reason: 'not-found' }
  /** It was made before, as `id`. */
  | { ok: false; reason: 'already-there'; id: string; mistake: Mistake };

/** The caller may do it, and must prove again who they are before. */
export interface RefusedProof {
  ok: false;
  reason: 'step-up';
}

/** The same of a change that goes by `If-Match`: it may also be of a version that is no longer the newest. */
export type RefusedEdit = Refused | RefusedProof | { ok: false; reason: 'stale' };

/** It cannot be done as things are: another caller is doing it, or it has changed since. */
export interface RefusedConflict {
  ok: false;
  reason: 'conflict';
  mistake: Mistake;
}

/** All that is wrong with what was asked. */
export type RefusedInput = Extract<Refused, { reason: 'input' }>;

export function refusedInput(...mistakes: Mistake[]): RefusedInput {
  return { ok: false, reason: 'input', mistakes };
}

export function refusedConflict(why: Mistake): RefusedConflict {
  return { ok: false, reason: 'conflict', mistake: why };
}

/** The English sentences of mistakes, each behind its place: what the API answers beside the codes, and files report. */
export function englishLines(mistakes: readonly Mistake[]): string[] {
  return mistakes.map((found) => refusalLine(found, REFUSALS_EN));
}

export const STEP_UP = { ok: false, reason: 'step-up' } as const satisfies RefusedProof;

export const NOT_FOUND = { ok: false, reason: 'not-found' } as const satisfies Refused;
