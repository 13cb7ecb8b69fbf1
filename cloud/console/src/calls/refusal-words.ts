import { COMMON } from '../words/common.ts';
import { Refusal } from './refusal.ts';

/** What went wrong, in sentences for the person at the page. */
export function sayFailure(error: unknown): string[] {
  if (!(error instanceof Refusal)) return [error instanceof Error ? error.message : String(error)];
  if (error.status === 0) return [COMMON.noAnswer];
  if (error.status === 412) return [COMMON.changedMeanwhile];
  if (error.messages.length > 0) return [...error.messages];
  if (error.status === 403) return [COMMON.notYours];
  if (error.status === 404) return [COMMON.notFound];
  return [COMMON.refusedTitle];
}
