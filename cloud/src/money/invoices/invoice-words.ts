import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import { INVOICE_EN } from './words/en.ts';
import { INVOICE_IS } from './words/is.ts';

export const INVOICE_WORDS = textsByLanguage<OfficeLanguage, typeof INVOICE_EN>({
  is: INVOICE_IS,
  en: INVOICE_EN,
});
