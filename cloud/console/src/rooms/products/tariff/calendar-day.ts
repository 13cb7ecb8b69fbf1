/** `24.12.` of `12-24`, and `24.12.2026` of `2026-12-24`. */
export function calendarDayText(day: string): string {
  if (day === '') return '';
  const [date = '', month = '', year = ''] = day.split('-').toReversed();
  return `${Number(date)}.${Number(month)}.${year}`;
}

/** The day as a tariff has it, `12-24` or `2026-12-24`; null: the text is no day. */
export function parseCalendarDay(text: string): string | null {
  const parts = /^\s*(\d{1,2})[./ ](\d{1,2})[./ ]?(\d{4})?\s*$/.exec(text);
  if (parts === null) return null;
  const [, date = '', month = '', year] = parts;
  const padded = `${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  // A leap year, so that 29 February is a day of every year.
  const whole = `${year ?? '2024'}-${padded}`;
  const moment = Date.parse(`${whole}T00:00:00Z`);
  if (Number.isNaN(moment) || !new Date(moment).toISOString().startsWith(whole)) return null;
  return year === undefined ? padded : whole;
}
