import type { Session } from 'electron';
import { mayRequest } from './address-policy.ts';
import type { ShellLog } from './shell-log.ts';

/** The part of Electron's `Session` that is restricted here. */
export type GuardedSession = Pick<
  Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setSpellCheckerEnabled'
> & {
  webRequest: Pick<Session['webRequest'], 'onBeforeRequest'>;
  on(event: 'will-download', listener: (event: { preventDefault(): void }) => void): unknown;
};

/**
 * Denies the session all permissions, devices, downloads, and addresses other than the shell's own.
 * @param devTools allows the developer tools, at a desk: they are a page in the same session
 */
export function guardSession(
  session: GuardedSession,
  { log, devTools }: { log: ShellLog; devTools: boolean },
): void {
  session.setPermissionRequestHandler((_page, permission, answer) => {
    log('kiosk.permission-refused', { permission });
    answer(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const cancel = !mayRequest(url) && !(devTools && url.startsWith('devtools://'));
    if (cancel) log('kiosk.request-refused', { url });
    answer({ cancel });
  });
  session.on('will-download', (event) => event.preventDefault());
}
