import type { DeviceKind } from '@hlid/protocol/records/device';

/** A device of the site. */
export interface DeviceRef {
  kind: DeviceKind;
  /** The id of a camera, lane or terminal; `site` for parts that a site has once. */
  id: string;
}

const SITE_WIDE = 'site';

/** A part that a site has once. */
export function siteWide<Kind extends DeviceKind>(kind: Kind): DeviceRef & { kind: Kind } {
  return { kind, id: SITE_WIDE };
}

export function isSiteWide({ id }: Pick<DeviceRef, 'id'>): boolean {
  return id === SITE_WIDE;
}

/** The device's reference for people and tickets: `camera:cam-in-1`, `disk`. */
export function deviceReference(device: DeviceRef): string {
  return isSiteWide(device) ? device.kind : `${device.kind}:${device.id}`;
}
