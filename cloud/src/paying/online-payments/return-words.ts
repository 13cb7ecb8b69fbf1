import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import { RETURN_EN } from './words/en.ts';
import { RETURN_IS } from './words/is.ts';

export const RETURN_WORDS = textsByLanguage<OfficeLanguage, typeof RETURN_EN>({
  is: RETURN_IS,
  en: RETURN_EN,
});
