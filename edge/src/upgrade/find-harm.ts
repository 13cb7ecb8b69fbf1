import { DeviceStateSchema, isAlarm } from '@hlid/protocol/records/device';
import { z } from 'zod';

/** The parts of `status --json` that are read; the daemon may have any version. */
const StatusSchema = z.looseObject({
  software: z.string(),
  startedAt: z.string(),
  faults: z.array(z.string()),
  devices: z.array(
    z.looseObject({ kind: z.string(), id: z.string(), state: z.string(), detail: z.string() }),
  ),
  link: z.looseObject({ connected: z.boolean() }).nullable(),
});
export type SiteStatus = z.infer<typeof StatusSchema>;

/** Null where no daemon answers, or in words that are not known. */
export function readStatus(printed: string): SiteStatus | null {
  try {
    return StatusSchema.parse(JSON.parse(printed));
  } catch {
    return null;
  }
}

/**
 * The faults of a site since its upgrade; none where it works as before. A device without a sign of life is
 * no fault, since many cameras send only when a car comes.
 *
 * @param before null: no daemon ran
 * @param software the version that must run now
 */
export function findHarm(before: SiteStatus | null, now: SiteStatus | null, software: string): string[] {
  if (now === null) return ['the daemon does not answer'];
  if (now.software !== software) return [`${now.software} answers, not ${software}`];
  const alarmedBefore = new Set(before?.devices.filter(hasAlarm).map(keyOf));
  const worse = now.devices
    .filter((device) => hasAlarm(device) && !BY_THEMSELVES.has(device.kind))
    // Without a comparison, the problems that keep every site from working count alone.
    .filter((device) => (before === null ? device.kind === 'database' : !alarmedBefore.has(keyOf(device))))
    .map(({ kind, id, state, detail }) => `${kind} ${id}: ${state}${detail === '' ? '' : ` (${detail})`}`);
  const isLinkLost = before?.link?.connected === true && now.link?.connected !== true;
  return [...now.faults, ...worse, ...(isLinkLost ? ['the cloud is not connected'] : [])];
}

/** These change with the time, whatever program runs. */
const BY_THEMSELVES: ReadonlySet<string> = new Set(['upgrade', 'certificate', 'backup']);

function hasAlarm({ state }: { state: string }): boolean {
  const known = DeviceStateSchema.safeParse(state);
  // A state that this version does not know is no calm one.
  return !known.success || isAlarm(known.data);
}

function keyOf({ kind, id }: { kind: string; id: string }): string {
  return `${kind} ${id}`;
}
