import type { OfficeLanguage } from '../language.ts';
import { textsByLanguage } from '../texts.ts';
import { STATUS_EN } from './en.ts';
import { STATUS_IS } from './is.ts';

/** The words of states, for programs. A page has the texts of its own language. */
export const STATUS_WORDS = textsByLanguage<OfficeLanguage, typeof STATUS_EN>({
  is: STATUS_IS,
  en: STATUS_EN,
});
