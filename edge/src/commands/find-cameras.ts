import { type FoundCamera, MAX_FOUND_CAMERAS } from '@hlid/protocol/site-link/commands';
import type { EdgeConfig } from '../config/config.ts';
import type { FoundDevice } from '../onvif/discover.ts';

type Configured = FoundCamera['configured'][number];
type SiteDevices = Pick<EdgeConfig, 'cameras' | 'lanes'>;

/**
 * The devices that answered a probe, in the order in which people read them: by address, with what the
 * configuration already contains of them.
 */
export function foundCameras(
  devices: readonly FoundDevice[],
  config: SiteDevices,
  pushesFrom: (cameraId: string) => string | null,
): FoundCamera[] {
  return devices
    .flatMap(({ addresses: [address], name, hardware, maker, profiles }) =>
      address === undefined || !URL.canParse(address)
        ? []
        : [
            {
              address: address.slice(0, 500),
              name: name.slice(0, 200),
              maker: maker.slice(0, 200),
              model: hardware.slice(0, 200),
              profiles: profiles.slice(0, 20).map((profile) => profile.slice(0, 40)),
              configured: configuredAt(new URL(address), config, pushesFrom).slice(0, MAX_FOUND_CAMERAS),
            },
          ],
    )
    .toSorted((one, other) => one.address.localeCompare(other.address, 'en', { numeric: true }))
    .slice(0, MAX_FOUND_CAMERAS);
}

/** The cameras and gates that are at the address of an ONVIF service. */
function configuredAt(
  found: URL,
  { cameras, lanes }: SiteDevices,
  pushesFrom: (cameraId: string) => string | null,
): Configured[] {
  const isIt = (url: string | undefined) => url !== undefined && isSameDevice(new URL(url), found);
  return [
    ...cameras
      .filter(
        ({ id, onvif, snapshot }) =>
          isIt(onvif?.url) || isIt(snapshot?.url) || pushesFrom(id) === found.hostname,
      )
      // The camera at this ONVIF service stands first.
      .toSorted((one, other) => Number(isIt(other.onvif?.url)) - Number(isIt(one.onvif?.url)))
      .map(({ id }): Configured => ({ kind: 'camera', id })),
    ...lanes.filter(({ gate }) => isIt(addressOf(gate))).map(({ id }): Configured => ({ kind: 'gate', id })),
  ];
}

/** The address of the device that moves a gate; undefined: there is none. */
function addressOf(gate: EdgeConfig['lanes'][number]['gate']): string | undefined {
  if (gate.kind === 'none') return undefined;
  return gate.kind === 'http' ? gate.open.url : gate.url;
}

/**
 * Services of one device have other ports than its pages; a configured port may be that of another device.
 */
function isSameDevice(configured: URL, found: URL): boolean {
  return configured.hostname === found.hostname && (configured.port === '' || configured.port === found.port);
}
