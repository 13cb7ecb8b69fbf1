import type { OfficeLanguage } from '../language.ts';

/** The days of a week from Monday, the first of ISO 8601. Chromium and some builds of Node.js have no Icelandic names. */
export const WEEKDAYS: Record<OfficeLanguage, readonly string[]> = {
  is: ['mánudagur', 'þriðjudagur', 'miðvikudagur', 'fimmtudagur', 'föstudagur', 'laugardagur', 'sunnudagur'],
  en: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
};

/** The same in short, for a narrow column. */
export const SHORT_WEEKDAYS: Record<OfficeLanguage, readonly string[]> = {
  is: ['mán.', 'þri.', 'mið.', 'fim.', 'fös.', 'lau.', 'sun.'],
  en: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
};
