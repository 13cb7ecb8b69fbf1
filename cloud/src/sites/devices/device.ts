import { type UtcTime, UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import {
  type DeviceKind,
  DeviceKindSchema,
  type DeviceState,
  DeviceStateSchema,
  isAlarm,
  severityOf,
} from '@hlid/protocol/records/device';
import { deviceAdvice } from '@hlid/protocol/words/device-advice/device-advice';
import { z } from '@hono/zod-openapi';
import type { DeviceChangeRow, DeviceRow } from '../../records/devices/device-store.ts';

const DeviceChangeSchema = z
  .strictObject({ state: DeviceStateSchema, detail: z.string(), on: UtcTimeSchema })
  .meta({ id: 'DeviceChange' });

/** A device of a site as the API shows it. */
export const DeviceSchema = z
  .strictObject({
    kind: DeviceKindSchema,
    id: z.string(),
    name: z
      .string()
      .nullable()
      .describe('What people at the site call it; null: the site has no name for it.'),
    state: DeviceStateSchema.describe('`unknown` as long as the site is not connected.'),
    since: UtcTimeSchema.describe('When this status began.'),
    detail: z.string().describe('The problem, for a technician; empty: none.'),
    alarm: z.boolean().describe('It needs attention.'),
    advice: z
      .strictObject({ is: z.string(), en: z.string() })
      .nullable()
      .describe('What to do; null: nothing.'),
    lastKnown: z
      .strictObject({ state: DeviceStateSchema, since: UtcTimeSchema })
      .describe('The latest report of the site.'),
    changedOn: UtcTimeSchema.describe('When the latest report arrived.'),
    changes: z.array(DeviceChangeSchema).describe('Earlier statuses, newest first.'),
  })
  .meta({ id: 'Device' });
export type Device = z.infer<typeof DeviceSchema>;

export const DeviceSummarySchema = z
  .strictObject({
    total: z.int(),
    alarms: z.int().describe('Devices that need attention.'),
    worst: DeviceStateSchema.nullable().describe('The worst status of all devices; null: none is known.'),
  })
  .meta({ id: 'DeviceSummary' });
export type DeviceSummary = z.infer<typeof DeviceSummarySchema>;

/** The time since which a site is away; null: it is connected. */
export type AwaySince = UtcTime | null;

/** One name for a device within its site, such as `camera:in-1`. */
export function subjectOf({ kind, deviceId }: { kind: DeviceKind; deviceId: string }): string {
  return `${kind}:${deviceId}`;
}

export function deviceFrom(row: DeviceRow, changes: readonly DeviceChangeRow[], away: AwaySince): Device {
  const { kind, deviceId: id, name, state, since, detail, at } = row;
  const isKnown = away === null || isKnownHere(row);
  const shown = isKnown ? { state, since, detail } : { ...fromAfar(kind), since: away, detail: '' };
  const alarm = isAlarm(shown.state);
  return {
    kind,
    id,
    name,
    ...shown,
    alarm,
    advice: isAlarm(shown.state)
      ? {
          is: deviceAdvice('is', kind, shown.state),
          en: deviceAdvice('en', kind, shown.state),
        }
      : null,
    lastKnown: { state, since },
    changedOn: at,
    changes: changes.map((change) => ({ state: change.state, detail: change.detail, on: change.at })),
  };
}

/** Online payment at a site: the cloud checks it, and the site does not know. */
export const ONLINE_PAYMENT = { kind: 'payment', deviceId: 'online' } as const;

/** The device for events of a site that the cloud does not accept: the cloud counts them. */
export const SITE_FLOOD = { kind: 'outbox', deviceId: 'flood' } as const;

/** A camera that posts to the cloud itself. Cameras of a site's own configuration have no colon in their ids. */
export function postingCamera(cameraId: string) {
  return { kind: 'camera', deviceId: `${POSTING}${cameraId}` } as const;
}
const POSTING = 'cloud:';

/** Whether it is a camera that posts to the cloud itself, and is out of its site's reach. */
export function isPosting({ kind, deviceId }: Pick<DeviceRow, 'kind' | 'deviceId'>): boolean {
  return kind === 'camera' && deviceId.startsWith(POSTING);
}

/** Whether the cloud knows how it is without the site. */
function isKnownHere(device: Pick<DeviceRow, 'kind' | 'deviceId'>): boolean {
  if (isPosting(device)) return true;
  const { kind, deviceId } = device;
  return [ONLINE_PAYMENT, SITE_FLOOD].some((known) => kind === known.kind && deviceId === known.deviceId);
}

/** The state of a device at a site that is away: only the link is known to be unreachable. */
function fromAfar(kind: DeviceKind): { state: DeviceState } {
  return { state: kind === 'link' ? 'unreachable' : 'unknown' };
}

export function summaryOf(
  rows: readonly Pick<DeviceRow, 'kind' | 'deviceId' | 'state'>[],
  away: AwaySince,
): DeviceSummary {
  const states = rows.map((row) =>
    away === null || isKnownHere(row) ? row.state : fromAfar(row.kind).state,
  );
  const [worst] = states.toSorted((one, other) => severityOf(other) - severityOf(one));
  return { total: rows.length, alarms: states.filter(isAlarm).length, worst: worst ?? null };
}
