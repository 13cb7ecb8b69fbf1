/** Each fact that the shell logs has one of these names. */
export type ShellFact =
  | 'kiosk.started'
  | 'kiosk.page-loaded'
  | 'kiosk.page-failed'
  | 'kiosk.page-reloaded'
  | 'kiosk.help-shown'
  | 'kiosk.screen-sent'
  | 'kiosk.screen-unsent'
  | 'kiosk.request-refused'
  | 'kiosk.permission-refused'
  | 'kiosk.window-refused'
  | 'kiosk.helper-failed'
  | 'kiosk.gave-up'
  | 'kiosk.lock-removed'
  | 'kiosk.stopped';

export type ShellLog = (fact: ShellFact, details?: Readonly<Record<string, string | number>>) => void;

/**
 * One line of JSON for each fact, on standard output, where the journal finds it. Only the origin of
 * addresses is kept, since the rest may contain a driver's plate. The page's own console output is kept
 * nowhere.
 */
export function createShellLog(write: (line: string) => void, now: () => Date): ShellLog {
  return (fact, details = {}) => {
    const kept = Object.entries(details).map(([name, value]) => [name, withoutPath(value)]);
    write(`${JSON.stringify({ time: now().toISOString(), event: fact, ...Object.fromEntries(kept) })}\n`);
  };
}

/** Addresses anywhere in a text, without what comes after the host. */
function withoutPath(value: string | number): string | number {
  return typeof value === 'string'
    ? value.replace(/\b([a-z][a-z0-9+.-]*:\/\/[^/\s?#]*)[^\s]*/gi, '$1')
    : value;
}
