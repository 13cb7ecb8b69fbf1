/** The newest reading of the cloud's clock, as the difference to this page's clock, which may be wrong. */
let ahead: number | null = null;

/** Learns from an answer what time it is at the cloud. Its header has no more than seconds, so it is never ahead. */
export function noteCloudTime({ headers }: Pick<Response, 'headers'>): void {
  const date = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(date)) return;
  const read = date - performance.now();
  // An answer that took long to arrive, or a clock of the page that stood still while the computer slept, is behind.
  if (ahead === null || read > ahead) ahead = read;
}

/** When that time has passed, by the cloud's clock; null: the cloud has not answered yet. */
export function cloudTimeIn(ms: number): string | null {
  return ahead === null ? null : new Date(performance.now() + ahead + ms).toISOString();
}
