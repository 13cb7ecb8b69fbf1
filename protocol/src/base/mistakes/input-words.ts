import type { z } from 'zod';
import { issueMistake } from './input-mistakes.ts';
import { REFUSALS_EN } from './refusals/refusals-en.ts';
import { refusalText } from './say-refusal.ts';

/** The mistake in words for people, to be read after the name of the field. */
export function inputWords(issue: z.core.$ZodIssue): string {
  return refusalText(issueMistake(issue), REFUSALS_EN);
}
