/** Formats are slow to make, and programs and pages need the same few again and again. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(dates, Intl.DateTimeFormat, locale, options);
}

/** The same for numbers. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(numbers, Intl.NumberFormat, locale, options);
}

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();

function kept<Format, Options>(
  formats: Map<string, Format>,
  Maker: new (locale: string, options: Options) => Format,
  locale: string,
  options: Options,
): Format {
  const key = JSON.stringify([locale, options]);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Maker(locale, options);
    formats.set(key, format);
  }
  return format;
}
