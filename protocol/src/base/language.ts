import { z } from 'zod';

/** The languages of drivers: kiosk, receipts and mail to drivers. */
export const LANGUAGES = ['is', 'en', 'pl', 'de', 'fr', 'es', 'da'] as const;

export const LanguageSchema = z.enum(LANGUAGES).meta({ id: 'Language' });
export type Language = z.infer<typeof LanguageSchema>;

/** The language of a site that sets none. */
export const DEFAULT_LANGUAGE: Language = 'is';

/** Each language by its own name. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  is: 'Íslenska',
  en: 'English',
  pl: 'Polski',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  da: 'Dansk',
};

/** A value in each language of drivers. */
export function byLanguage<Value>(inLanguage: (language: Language) => Value): Record<Language, Value> {
  return {
    is: inLanguage('is'),
    en: inLanguage('en'),
    pl: inLanguage('pl'),
    de: inLanguage('de'),
    fr: inLanguage('fr'),
    es: inLanguage('es'),
    da: inLanguage('da'),
  };
}

/** The languages of offices: invoices, customers, alarms and files. */
export const OFFICE_LANGUAGES = ['is', 'en'] as const;
export const OfficeLanguageSchema = z.enum(OFFICE_LANGUAGES);
export type OfficeLanguage = z.infer<typeof OfficeLanguageSchema>;

/** The language of an office for what a driver began in his: English for all but Icelandic. */
export function officeLanguage(language: Language): OfficeLanguage {
  return language === 'is' ? 'is' : 'en';
}

/** The locales for Intl. Not every browser knows Icelandic; texts in it are put together by hand. */
export const LOCALES: Record<Language, string> = {
  is: 'is-IS',
  en: 'en-GB',
  pl: 'pl-PL',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  da: 'da-DK',
};

/** A form for each of the numbers that a language distinguishes; Polish has `few` and `many`. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const rules = new Map<Language, Intl.PluralRules>();

/** The form that goes with a number. */
export function pluralForm(language: Language, n: number, forms: PluralForms): string {
  let rule = rules.get(language);
  if (!rule) {
    rule = new Intl.PluralRules(LOCALES[language]);
    rules.set(language, rule);
  }
  return forms[rule.select(n)] ?? forms.other;
}

/** The number and the form that goes with it, such as `2 dni`. */
export function counted(language: Language, n: number, forms: PluralForms): string {
  return `${n} ${pluralForm(language, n, forms)}`;
}

/** How a language writes numbers: what stands between thousands, and before decimals. */
export const NUMBER_MARKS: Record<OfficeLanguage, { group: string; decimal: string }> = {
  is: { group: '.', decimal: ',' },
  en: { group: ',', decimal: '.' },
};

/**
 * The locales for numbers of `Intl`. German marks thousands and decimals as Icelandic does, which not every browser
 * knows.
 */
export const NUMBER_LOCALES: Record<OfficeLanguage, string> = { is: 'de-DE', en: 'en-GB' };
