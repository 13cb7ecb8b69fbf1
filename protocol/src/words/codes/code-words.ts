import type { OfficeLanguage } from '../../base/language.ts';
import { type Texts, textsByLanguage } from '../../base/texts.ts';
import { CODES_EN } from './en.ts';
import { CODES_IS } from './is.ts';

export type CodeWords = Texts<typeof CODES_EN>;

/** The texts of codes, for programs. A page has the texts of its own language. */
export const CODE_WORDS = textsByLanguage<OfficeLanguage, typeof CODES_EN>({
  is: CODES_IS,
  en: CODES_EN,
});
