import { z } from 'zod';

/** Things at a site with a monitored health: devices, and what the daemon itself depends on. */
export const DeviceKindSchema = z
  .enum([
    'camera',
    'gate',
    'terminal',
    'kiosk',
    'code-reader',
    'link',
    'disk',
    'database',
    'clock',
    'lists',
    'outbox',
    'pictures',
    'backup',
    'certificate',
    'upgrade',
    'payment',
  ])
  .meta({ id: 'DeviceKind' });
export type DeviceKind = z.infer<typeof DeviceKindSchema>;

/**
 * Health of a device.
 *
 * - `unknown`: nothing is known of it yet; in the cloud also: the site is not connected.
 * - `silent`: a camera has sent nothing for longer than usual; the kiosk's page has not asked for the site
 *   for that long.
 * - `unreachable`, `login-refused`, `failing`: it does not answer, refuses our login, or reports a fault.
 * - `clock-off`: its clock is wrong, or the site's own.
 * - `low`, `full`: a disk with little room left, and with next to none.
 * - `outdated`, `differing`: lists that were not compared with the cloud's for too long, or are not the same;
 *   a backup that is too old.
 * - `backlog`: events or pictures that wait for too long.
 * - `expiring`: a certificate that ends soon.
 * - `replaced`: the damaged database was replaced; the old file is kept for a person.
 * - `gone`: it is no longer part of the site.
 */
export const DeviceStateSchema = z
  .enum([
    'ok',
    'unknown',
    'silent',
    'unreachable',
    'login-refused',
    'failing',
    'clock-off',
    'low',
    'full',
    'outdated',
    'differing',
    'backlog',
    'expiring',
    'replaced',
    'gone',
  ])
  .meta({ id: 'DeviceState' });
export type DeviceState = z.infer<typeof DeviceStateSchema>;

/** States that need a person. */
export type AlarmState = Exclude<DeviceState, (typeof CALM_STATES)[number]>;

/** Severity of the states, the worst last; of several faults of a device the worst is reported. */
const SEVERITY: Readonly<Record<DeviceState, number>> = {
  gone: 0,
  ok: 1,
  unknown: 2,
  backlog: 3,
  expiring: 4,
  'clock-off': 5,
  low: 6,
  outdated: 7,
  silent: 8,
  replaced: 9,
  differing: 10,
  'login-refused': 11,
  unreachable: 12,
  failing: 13,
  full: 14,
};

export function severityOf(state: DeviceState): number {
  return SEVERITY[state];
}

/** The others. */
export const CALM_STATES = ['ok', 'unknown', 'gone'] as const satisfies readonly DeviceState[];

export function isAlarm(state: DeviceState): state is AlarmState {
  return !CALM_STATES.some((calm) => calm === state);
}

const MENDED = 'understood, though ';

/**
 * The faults of a device's messages that are understood all the same: they stand in its `detail`, for its
 * installer.
 */
export function mendedDetail(faults: readonly string[]): string {
  return faults.length === 0 ? '' : `${MENDED}${[...new Set(faults)].toSorted().join('; ')}`;
}

/** The faults that such a detail has. */
export function mendedIn(detail: string): string[] {
  return detail.startsWith(MENDED) ? detail.slice(MENDED.length).split('; ') : [];
}
