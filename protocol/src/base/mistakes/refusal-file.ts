import type { Language } from '../language.ts';
import { type PlacesOf, textOf } from '../texts.ts';
import type { Say } from './any-mistake.ts';
import type { RefusalCode, RefusalParams } from './mistake.ts';

type Words<Params> = [Params] extends [null] ? string : string | ((params: Params, say: Say) => string);

/** The words of every refusal in one language: a text for each code, made from its parameters. */
export type RefusalWords = { readonly [Code in RefusalCode]: Words<RefusalParams<Code>> };

/**
 * The file of refusals in a language. Most are texts with places, as in every file of texts. A function makes those that
 * list something, or name a status, a kind or a weekday by other texts.
 */
type RefusalFile<Code extends RefusalCode = RefusalCode> = Pick<RefusalWords, Code>;

type SamePlaces<English, Own> = {
  readonly [Code in keyof English & keyof Own]: [English[Code], Own[Code]] extends [
    infer EnglishText extends string,
    infer OwnText extends string,
  ]
    ? [PlacesOf<EnglishText>, PlacesOf<OwnText>] extends [PlacesOf<OwnText>, PlacesOf<EnglishText>]
      ? string
      : { places: PlacesOf<EnglishText> }
    : unknown;
};

/** A part of the file of another language. A code or a place that it lacks, or has too many, does not compile. */
export function translateRefusals<English>() {
  return <const Own extends RefusalFile<keyof English & RefusalCode>>(
    own: Own & SamePlaces<English, Own> & Record<Exclude<keyof Own, keyof English>, never>,
  ): Own => own;
}

/** The words of a file, ready to be filled in. */
export function refusalWords(file: RefusalFile, language: Language): RefusalWords;
export function refusalWords(file: Readonly<Record<string, unknown>>, language: Language): object {
  const ready = Object.entries(file).map(
    ([code, words]) => [code, typeof words === 'string' ? textOf(words, language) : words] as const,
  );
  return Object.fromEntries(ready);
}
