import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import { ALARM_MAIL_EN } from './words/en.ts';
import { ALARM_MAIL_IS } from './words/is.ts';

export const ALARM_MAIL_WORDS = textsByLanguage<OfficeLanguage, typeof ALARM_MAIL_EN>({
  is: ALARM_MAIL_IS,
  en: ALARM_MAIL_EN,
});
