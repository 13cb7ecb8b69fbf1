import type { OfficeLanguage } from '../../language.ts';
import type { RefusalWords } from '../refusal-file.ts';
import { REFUSALS_EN } from './refusals-en.ts';
import { REFUSALS_IS } from './refusals-is.ts';

/** The words of refusals, for programs. A page loads the file of its own language. */
export const REFUSAL_WORDS: Readonly<Record<OfficeLanguage, RefusalWords>> = {
  is: REFUSALS_IS,
  en: REFUSALS_EN,
};
