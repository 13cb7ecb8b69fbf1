import type { RefusalWords } from '@hlid/protocol/base/mistakes/refusal-file';
import { localMoments, sayRefusal } from '@hlid/protocol/base/mistakes/say-refusal';
import { OWN_ZONE, wallText } from '../ui/time.tsx';
import { COMMON } from '../words/common.ts';
import { LANGUAGE } from '../words/words.ts';
import { AwaitsApproval } from './awaits-approval.ts';
import { Refusal } from './refusal.ts';

/** Icelandic sentences by code. The cloud's own sentences are the English ones of the same dictionary. */
let words: RefusalWords | null = null;

/** The time zone of the site that is shown, or the browser's before a site is shown. */
let timeZone = OWN_ZONE;

/** Moments in sentences are on that clock from now on. */
export function setRefusalTimeZone(zone: string): void {
  timeZone = zone;
}

/** Loads the sentences of the page's language, beside its first room. */
export async function loadRefusalWords(): Promise<void> {
  if (LANGUAGE !== 'is') return;
  words = (await import('@hlid/protocol/base/mistakes/refusals/refusals-is')).REFUSALS_IS;
}

/** The error, in sentences for the person at the page. */
export function sayFailure(error: unknown): string[] {
  if (error instanceof AwaitsApproval) return [COMMON.approvalRequested];
  if (!(error instanceof Refusal)) return [error instanceof Error ? error.message : String(error)];
  if (error.unanswered !== null) return [COMMON.unanswered[error.unanswered]];
  if (error.status === 412) return [COMMON.changedMeanwhile];
  const sentences = sentencesOf(error);
  if (sentences.length > 0) return [...new Set(sentences)];
  if (error.status === 403) return [COMMON.notYours];
  if (error.status === 404) return [COMMON.notFound];
  return [COMMON.refusedTitle];
}

/** The sentences by the places in the input that they concern, such as `settings.capacity`. */
export function sentencesByPlace(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof Refusal)) return new Map();
  const sentences = sentencesOf(error);
  return new Map(
    error.codes.flatMap(({ path }, at) => {
      const sentence = sentences[at];
      return path.length === 0 || sentence === undefined ? [] : [[path.join('.'), sentence] as const];
    }),
  );
}

/** The mistakes, one sentence for each code. */
export function sentencesOf({ codes, messages }: Pick<Refusal, 'codes' | 'messages'>): string[] {
  const said = codes.map((mistake, at) => {
    const sentence = (words && sayRefusal(mistake, words)) ?? messages[at] ?? mistake.code;
    return localMoments(sentence, mistake, (moment) => wallText(moment, timeZone));
  });
  return said.length > 0 ? said : [...messages];
}
