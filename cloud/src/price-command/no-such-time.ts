/** What is said of a time that cannot be read. */
export function noSuchTime(text: string): string {
  return `there is no such time: ${text} (ISO 8601, such as 2026-11-20T08:00 or 2026-11-20T08:00Z)`;
}
