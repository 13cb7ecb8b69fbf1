import { execFile } from 'node:child_process';

/** Notifies the service manager that started us that we are alive. */
export interface ServiceWatch {
  ready(): void;
  alive(): void;
}

/**
 * The interval of watchdog messages to systemd, at most half of its timeout; null: it did not request any.
 */
export function watchPauseMs(environment: Readonly<Record<string, string | undefined>>): number | null {
  const waits = Number(environment['WATCHDOG_USEC']);
  if (!environment['NOTIFY_SOCKET'] || !Number.isFinite(waits) || waits <= 0) return null;
  return Math.max(1000, Math.floor(waits / 3000));
}

/**
 * Notifies systemd by the program `systemd-notify`, since Node.js cannot write to a unix socket of datagrams;
 * the unit has `NotifyAccess=all` for that. Without a service manager nothing is sent.
 */
export function createServiceWatch(
  environment: Readonly<Record<string, string | undefined>>,
  command = 'systemd-notify',
): ServiceWatch {
  const notify = (state: string) => {
    if (!environment['NOTIFY_SOCKET']) return;
    // A message that cannot be sent shows by itself: systemd restarts us, and its journal has the reason.
    execFile(command, [state], { timeout: 5000 }, () => {});
  };
  return { ready: () => notify('READY=1'), alive: () => notify('WATCHDOG=1') };
}
