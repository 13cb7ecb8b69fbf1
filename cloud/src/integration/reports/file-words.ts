import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import { FILE_EN } from './words/en.ts';
import { FILE_IS } from './words/is.ts';

export const FILE_WORDS = textsByLanguage<OfficeLanguage, typeof FILE_EN>({
  is: FILE_IS,
  en: FILE_EN,
});
