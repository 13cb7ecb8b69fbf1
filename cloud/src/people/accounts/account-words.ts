import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import { ACCOUNT_EN } from './words/en.ts';
import { ACCOUNT_IS } from './words/is.ts';

export const ACCOUNT_WORDS = textsByLanguage<OfficeLanguage, typeof ACCOUNT_EN>({
  is: ACCOUNT_IS,
  en: ACCOUNT_EN,
});
