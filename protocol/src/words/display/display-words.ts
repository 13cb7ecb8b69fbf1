import type { OfficeLanguage } from '../../base/language.ts';
import { textsByLanguage } from '../../base/texts.ts';
import { DISPLAY_EN } from './en.ts';
import { DISPLAY_IS } from './is.ts';

export const DISPLAY_WORDS = textsByLanguage<OfficeLanguage, typeof DISPLAY_EN>({
  is: DISPLAY_IS,
  en: DISPLAY_EN,
});
