import type { AnyMistake, Say } from './any-mistake.ts';
import type { RefusalCode } from './mistake.ts';
import type { RefusalWords } from './refusal-file.ts';

/** The words of one refusal as a sentence, to stand beside its field; null for a code that these words do not have. */
export function sayRefusal(mistake: AnyMistake, words: RefusalWords): string | null {
  const text = wordsOf(mistake, words);
  return text === null ? null : sentence(text);
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

/**
 * A sentence of a refusal with its moments, which are in UTC as the API has them, as a page writes them.
 *
 * @param textOf on the clock of the site
 */
export function localMoments(
  said: string,
  { params }: AnyMistake,
  textOf: (moment: string) => string,
): string {
  return Object.values(params).reduce<string>(
    (text, param) =>
      typeof param === 'string' && MOMENT.test(param) ? text.replaceAll(param, textOf(param)) : text,
    said,
  );
}

/** The same for a list without fields, behind the place of the mistake: `account.siteIds: there is no such site`. */
export function refusalLine(mistake: AnyMistake, words: RefusalWords): string {
  const line = placed(mistake, words);
  return mistake.path.length === 0 ? sentence(line) : line;
}

function placed(mistake: AnyMistake, words: RefusalWords): string {
  const text = refusalText(mistake, words);
  return mistake.path.length === 0 ? text : `${mistake.path.join('.')}: ${text}`;
}

/** The words of one refusal as they stand in the dictionary, to be read behind the name of the field. */
export function refusalText(mistake: AnyMistake, words: RefusalWords): string {
  return wordsOf(mistake, words) ?? mistake.code;
}

function wordsOf(mistake: AnyMistake, words: RefusalWords): string | null {
  if (!Object.hasOwn(words, mistake.code)) return null;
  // The parameters fit: `mistake` and `wrong` are typed, and the cloud's answers are made of these.
  const entry = words[mistake.code as RefusalCode] as string | ((params: unknown, say: Say) => string);
  return typeof entry === 'string' ? entry : entry(mistake.params, (within) => placed(within, words));
}

function sentence(text: string): string {
  const begun = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
