import { LANGUAGES, type Language, type PluralForms, pluralForm } from './language.ts';

/**
 * The texts of one language, as its file has them. `{plate}` stands for a value, and `{day.date}` for one
 * form of a value that has several. `{days: one # day | other # days}` is the form for a number, with the
 * number for `#`. `=1` is the form for exactly 1, and `none` the form for null and for an empty text.
 */
export interface TextFile {
  readonly [key: string]: string | TextFile;
}

/** The value of a place. One with several forms has `base` for a place that names none. */
export type TextValue = string | number | Readonly<Record<string, string>>;

/** The names of the places of a text. */
export type PlacesOf<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}`
  ? NameOf<Place> | PlacesOf<Rest>
  : never;
type NameOf<Place extends string> = Place extends `${infer Name}:${string}`
  ? Name
  : Place extends `${infer Name}.${string}`
    ? Name
    : Place;

/** A text without places is a string, and one with places is a function of their values. */
type Text<English extends string> = [PlacesOf<English>] extends [never]
  ? string
  : (values: { readonly [Place in PlacesOf<English>]: ValueOf<English, Place> }) => string;

/** Null only where the text has a form for it. */
type ValueOf<
  English extends string,
  Place extends string,
> = English extends `${string}{${Place}: none ${string}` ? TextValue | null : TextValue;

/** The texts of a language that is loaded, with the keys and places of the English file. */
export type Texts<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? Text<English[Key]> : Texts<English[Key]>;
};

/** The file of another language: every key of the English one, and every place of its texts. */
export type Translation<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Translation<English[Key]>;
};

type SamePlaces<English, Own> = {
  readonly [Key in keyof English]: Key extends keyof Own
    ? English[Key] extends string
      ? Own[Key] extends string
        ? [PlacesOf<English[Key]>, PlacesOf<Own[Key]>] extends [PlacesOf<Own[Key]>, PlacesOf<English[Key]>]
          ? string
          : { places: PlacesOf<English[Key]> }
        : string
      : SamePlaces<English[Key], Own[Key]>
    : English[Key];
};

/**
 * The file of a language: `translate<typeof EN>()({ … })`. A key that it lacks or has too many, and a place that one of
 * its texts lacks or has too many, does not compile.
 */
export function translate<English>() {
  return <const Own extends Translation<English>>(
    own: Own & SamePlaces<English, Own> & Record<Exclude<keyof Own, keyof English>, never>,
  ): Own => own;
}

/** The texts of a file, ready to be filled in. */
export function textsOf<English>(file: Translation<English>, language: Language): Texts<English>;
export function textsOf(file: TextFile, language: Language): object {
  const ready = Object.entries(file).map(
    ([key, text]) =>
      [key, typeof text === 'string' ? textOf(text, language) : textsOf(text, language)] as const,
  );
  return Object.fromEntries(ready);
}

/** One text, ready to be filled in; the text itself where it has no places. */
export function textOf(text: string, language: Language): string | ((values: Values) => string) {
  return text.includes('{') ? (values) => filledIn(text, values, language) : text;
}

/** The texts of several languages, for programs, which have all of them. */
export function textsByLanguage<Known extends Language, English>(
  files: Readonly<Record<Known, Translation<English>>>,
): Readonly<Record<Known, Texts<English>>>;
export function textsByLanguage(files: Readonly<Partial<Record<Language, TextFile>>>): object {
  const known = LANGUAGES.flatMap((language) => {
    const file = files[language];
    return file ? [[language, textsOf(file, language)] as const] : [];
  });
  return Object.fromEntries(known);
}

/** The text of a code. A program may be newer than its page: a code without a text is shown as it is. */
export function codeText(texts: Readonly<Record<string, string>>, code: string): string {
  return texts[code] ?? code.replaceAll('-', ' ');
}

type Values = Readonly<Record<string, TextValue | null>>;

const PLACE = /\{(\w+)(?:\.(\w+)|: ([^}]*))?\}/g;

function filledIn(text: string, values: Values, language: Language): string {
  return text.replace(PLACE, (_place, name: string, form?: string, forms?: string) => {
    const value = values[name] ?? '';
    if (forms !== undefined)
      return formFor(value, formsIn(forms), language).replaceAll('#', () => String(value));
    return typeof value === 'object' ? (value[form ?? 'base'] ?? '') : String(value);
  });
}

function formFor(value: TextValue, forms: TextForms, language: Language): string {
  if (value === '' && forms.none !== undefined) return forms.none;
  if (typeof value !== 'number') return forms.other;
  return forms[`=${value}`] ?? pluralForm(language, value, forms);
}

type TextForms = PluralForms & { none?: string; [exactly: `=${number}`]: string };

/** `one # day | other # days` */
function formsIn(text: string): TextForms {
  const forms = text.split(' | ').map((form) => {
    const space = form.indexOf(' ');
    return [form.slice(0, space), form.slice(space + 1)] as const;
  });
  return { other: '', ...Object.fromEntries(forms) };
}
