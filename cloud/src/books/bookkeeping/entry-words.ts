import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { Entry, EntryKind } from './entry.ts';
import { ENTRY_WORDS_EN } from './words/en.ts';
import { ENTRY_WORDS_IS } from './words/is.ts';

const WORDS: Record<OfficeLanguage, Record<EntryKind, string>> = { en: ENTRY_WORDS_EN, is: ENTRY_WORDS_IS };

/** What an entry is, without names and plates: those are erased one day, and a file stays the same. */
export function entryText(
  { kind, number, creditOf }: Pick<Entry, 'kind' | 'number' | 'creditOf'>,
  language: OfficeLanguage,
): string {
  const text = `${WORDS[language][kind]} ${number}`;
  return creditOf === null ? text : `${text} (${creditOf})`;
}
