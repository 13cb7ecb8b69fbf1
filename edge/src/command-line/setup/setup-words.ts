import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { type Texts, textsByLanguage } from '@hlid/protocol/base/texts';
import { SETUP_EN } from './words/en.ts';
import { SETUP_IS } from './words/is.ts';

export type SetupWords = Texts<typeof SETUP_EN>;

export const SETUP_WORDS = textsByLanguage<OfficeLanguage, typeof SETUP_EN>({
  is: SETUP_IS,
  en: SETUP_EN,
});
