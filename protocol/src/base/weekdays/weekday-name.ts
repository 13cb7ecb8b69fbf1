type Names = Readonly<Record<1 | 2 | 3 | 4 | 5 | 6 | 7, string>>;

/** @param weekday from 1, Monday, to 7, Sunday */
export function weekdayName(names: Names, weekday: number): string {
  return weekdayNames(names)[weekday - 1] ?? `${weekday}`;
}

/** The names from Monday to Sunday. */
export function weekdayNames(names: Names): string[] {
  return Object.values(names);
}
