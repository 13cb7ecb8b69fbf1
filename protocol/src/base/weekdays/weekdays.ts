import type { OfficeLanguage } from '../language.ts';
import { textsByLanguage } from '../texts.ts';
import { WEEKDAYS_EN } from './en.ts';
import { WEEKDAYS_IS } from './is.ts';

/** The names for programs. A page has the file of its own language among its texts. */
export const WEEKDAYS = textsByLanguage<OfficeLanguage, typeof WEEKDAYS_EN>({
  is: WEEKDAYS_IS,
  en: WEEKDAYS_EN,
});
