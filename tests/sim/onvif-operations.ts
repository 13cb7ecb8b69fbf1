import { find, textAt, type XmlElement } from '@hlid/edge/onvif/xml-element';
import {
  capabilities,
  dateAndTime,
  deviceInformation,
  type Outcome,
  PROFILES,
  relayOutputs,
  services,
  snapshotUri,
  VIDEO_SOURCES,
} from './onvif-answers.ts';
import type { createRelays } from './onvif-relays.ts';
import { type createSubscriptions, duration } from './onvif-subscriptions.ts';

/** The paths of a simulated device's services. */
export const PATHS = {
  device: '/onvif/device_service',
  events: '/onvif/event_service',
  media: '/onvif/media_service',
  deviceIo: '/onvif/deviceio_service',
  subscription: '/onvif/Subscription',
  snapshot: '/snapshot.jpg',
};

/** Access class PRE_AUTH: calls without a login. */
export const OPEN_TO_ALL = ['GetSystemDateAndTime', 'GetCapabilities', 'GetServices'];

const NOT_SUPPORTED: Outcome = { fault: 'ter:ActionNotSupported' };

/** All that a simulated device can be asked. */
export function createOperations(parts: {
  /** Scheme, host and port. */
  base: () => string;
  urn: string;
  now: () => Date;
  relays: ReturnType<typeof createRelays>;
  /** The service that has the relays. */
  relaysAt: 'device' | 'deviceIo';
  withoutRelays: 'empty' | `ter:${string}`;
  hidesDeviceIo: boolean;
  inputs: () => number;
  subscriptions: ReturnType<typeof createSubscriptions>;
}) {
  const { relays, subscriptions } = parts;
  const address = (path: string) => `${parts.base()}${path}`;
  const addresses = () => ({
    device: address(PATHS.device),
    events: address(PATHS.events),
    media: address(PATHS.media),
    deviceIo: parts.relaysAt === 'deviceIo' ? address(PATHS.deviceIo) : null,
  });

  function performRelays(path: string, body: XmlElement): Outcome {
    const here = path === PATHS.deviceIo;
    if (here !== (parts.relaysAt === 'deviceIo')) {
      const { withoutRelays } = parts;
      if (withoutRelays !== 'empty') return { fault: withoutRelays };
      return body.name === 'GetRelayOutputs'
        ? relayOutputs([], here ? 'tmd' : 'tds')
        : { fault: 'ter:RelayToken' };
    }
    const prefix = here ? 'tmd' : 'tds';
    if (body.name === 'GetRelayOutputs') return relayOutputs(relays.all(), prefix);
    const settings = find(body, 'RelayOutput') ?? body;
    const token = settings.attributes['token'] ?? textAt(body, 'RelayOutputToken') ?? '';
    const messages = (name: string) => textAt(settings, 'Properties', name) ?? '';
    const fault =
      body.name === 'SetRelayOutputState'
        ? relays.set(token, textAt(body, 'LogicalState') ?? '')
        : relays.configure(
            token,
            messages('Mode'),
            duration(messages('DelayTime'), Number.NaN),
            messages('IdleState'),
          );
    return fault ? { fault } : { body: `<${prefix}:${body.name}Response/>` };
  }

  return function perform(
    { pathname, searchParams }: URL,
    header: XmlElement | null,
    body: XmlElement,
    gone: AbortSignal,
  ): Outcome | Promise<Outcome> {
    switch (body.name) {
      case 'GetSystemDateAndTime':
        return dateAndTime(parts.now());
      case 'GetDeviceInformation':
        return deviceInformation(parts.urn.slice(-12));
      case 'GetCapabilities':
        return capabilities(
          { ...addresses(), ...(parts.hidesDeviceIo && { deviceIo: null }) },
          { inputs: parts.inputs(), relays: relays.all().length },
        );
      case 'GetServices':
        return services(addresses());
      case 'GetRelayOutputs':
      case 'SetRelayOutputSettings':
      case 'SetRelayOutputState':
        return performRelays(pathname, body);
      case 'GetProfiles':
        return PROFILES;
      case 'GetVideoSources':
        return VIDEO_SOURCES;
      case 'GetSnapshotUri':
        return snapshotUri(textAt(body, 'ProfileToken'), address(`${PATHS.snapshot}?profile=Profile_1`));
      case 'CreatePullPointSubscription':
        return pathname === PATHS.events ? subscriptions.create(body) : NOT_SUPPORTED;
    }
    if (pathname !== PATHS.subscription) return NOT_SUPPORTED;
    return subscriptions.perform(subscriptions.idIn(searchParams, header), body, gone) ?? NOT_SUPPORTED;
  };
}
