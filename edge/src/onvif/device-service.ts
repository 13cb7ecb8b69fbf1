import { callNodeOnvif } from './call-node-onvif.ts';
import { durationOf, readDuration } from './device-time.ts';
import { NS } from './namespaces.ts';
import type { OnvifSession } from './onvif-session.ts';
import type { SoapAnswer, SoapFailure } from './soap-answer.ts';
import { children, descendants, find, textAt, type XmlElement } from './xml-element.ts';
import { type Xml, xml } from './xml-text.ts';

/** The addresses of a device's services, as seen from here. */
export interface OnvifServices {
  device: string;
  events: string | null;
  deviceIo: string | null;
  media: string | null;
}

export interface OnvifInformation {
  maker: string;
  model: string;
  firmware: string;
  serial: string;
}

/** A relay as the device describes it. */
export interface RelayOutput {
  token: string;
  mode: 'Monostable' | 'Bistable';
  delayMs: number;
  idleState: 'open' | 'closed';
}

type Reply<T> = { ok: true; value: T } | SoapFailure;

const TDS = 'http://www.onvif.org/ver10/device/wsdl';
/** The action's spelling differs from the namespace's (DeviceIo WSDL). */
const TMD_ACTION = 'http://www.onvif.org/ver10/deviceio/wsdl';

function callService(
  session: OnvifSession,
  operation: string,
  body: Xml,
  signal?: AbortSignal,
): Promise<SoapAnswer> {
  return session.call({ url: session.options.url, action: `${TDS}/${operation}`, body, signal });
}

export async function getServices(session: OnvifSession): Promise<Reply<OnvifServices>> {
  const capabilities =
    (await callNodeOnvif(session, 'getCapabilities')) ??
    (await callService(
      session,
      'GetCapabilities',
      xml`<tds:GetCapabilities><tds:Category>All</tds:Category></tds:GetCapabilities>`,
    ));
  if (capabilities.ok)
    return { ok: true, value: servicesIn(session, find(capabilities.body, 'Capabilities')) };
  if (!isNotSupported(capabilities)) return capabilities;
  return await requestServices(session);
}

/** Newer than GetCapabilities; new devices have only this. */
async function requestServices(session: OnvifSession): Promise<Reply<OnvifServices>> {
  const services = await callService(
    session,
    'GetServices',
    xml`<tds:GetServices><tds:IncludeCapability>false</tds:IncludeCapability></tds:GetServices>`,
  );
  if (!services.ok) return services;
  const at = (namespace: string) => {
    const found = children(services.body, 'Service').find(
      (service) => textAt(service, 'Namespace')?.toLowerCase() === namespace.toLowerCase(),
    );
    return addressIn(session, found);
  };
  const { url: device } = session.options;
  return {
    ok: true,
    value: { device, events: at(NS.tev), deviceIo: at(NS.tmd), media: at(NS.trt) },
  };
}

function servicesIn(session: OnvifSession, capabilities: XmlElement | null): OnvifServices {
  const at = (...path: string[]) => addressIn(session, find(capabilities, ...path));
  return {
    device: session.options.url,
    events: at('Events'),
    deviceIo: at('Extension', 'DeviceIO') ?? at('DeviceIO'),
    media: at('Media'),
  };
}

function addressIn({ options }: OnvifSession, element: XmlElement | null | undefined): string | null {
  const address = textAt(element, 'XAddr');
  return address === null ? null : asSeenFrom(options.url, address);
}

/**
 * An address that a device gives of itself. If it names another host, the device is behind a router, or the address is
 * old: host and port are then those by which we reach it, and https stays https.
 */
export function asSeenFrom(deviceUrl: string, given: string): string {
  // Some have several: for IPv4 and IPv6, for http and https.
  const [first = ''] = given.trim().split(/\s+/);
  const known = new URL(deviceUrl);
  const path = pathWithoutHost(first);
  if (path === '' || (path === null && !URL.canParse(first, deviceUrl))) return deviceUrl;
  if (path !== null) return new URL(path, known).href;
  const address = new URL(first, deviceUrl);
  if (address.hostname === known.hostname && address.protocol === known.protocol) return address.href;
  return new URL(address.pathname + address.search, known).href;
}

/**
 * The path of an address without a valid host, such as `http:///onvif/…`: a URL parser takes the first part
 * of the path for a host. Null: the address has a host, or is a path already.
 */
function pathWithoutHost(given: string): string | null {
  const [whole, slashes = '', authority = '', path = ''] = /^https?:(\/*)([^/?#]*)(.*)$/i.exec(given) ?? [];
  if (whole === undefined) return null;
  if (slashes.length !== 2) return `/${authority}${path}`;
  return /^(?::\d*)?$/.test(authority) || !URL.canParse(given) ? path : null;
}

export async function getInformation(session: OnvifSession): Promise<Reply<OnvifInformation>> {
  const answer =
    (await callNodeOnvif(session, 'getDeviceInformation')) ??
    (await callService(session, 'GetDeviceInformation', xml`<tds:GetDeviceInformation/>`));
  if (!answer.ok) return answer;
  const text = (name: string) => textAt(answer.body, name) ?? '';
  const [maker, model] = [text('Manufacturer'), text('Model')];
  return {
    ok: true,
    value: { maker, model, firmware: text('FirmwareVersion'), serial: text('SerialNumber') },
  };
}

/** The service that has a relay. */
export interface RelayHome {
  service: 'device' | 'deviceIo';
  /** The address of DeviceIO; null: there is none. */
  deviceIo: string | null;
}

/** The relays of a device, and the service that has them. */
interface FoundRelays {
  relays: RelayOutput[];
  home: RelayHome;
}

/**
 * Finds the relays with the device service, otherwise with DeviceIO. Some devices have them in DeviceIO only,
 * and their device service lists none or fails.
 *
 * @param deviceIo the address in the device's capabilities; null: they do not name it
 */
export async function findRelayOutputs(
  session: OnvifSession,
  deviceIo: string | null,
): Promise<Reply<FoundRelays>> {
  const answer =
    (await callNodeOnvif(session, 'getRelayOutputs')) ??
    (await callService(session, 'GetRelayOutputs', xml`<tds:GetRelayOutputs/>`));
  if (!answer.ok && answer.reason !== 'fault') return answer;
  const atDevice = answer.ok ? relaysIn(answer.body) : [];
  if (atDevice.length > 0)
    return { ok: true, value: { relays: atDevice, home: { service: 'device', deviceIo } } };
  const url = deviceIo ?? (await findDeviceIo(session));
  const other =
    url === null
      ? null
      : await session.call({
          url,
          action: `${TMD_ACTION}/GetRelayOutputs`,
          body: xml`<tmd:GetRelayOutputs/>`,
        });
  if (other?.ok) {
    const relays = relaysIn(other.body);
    return { ok: true, value: { relays, home: { service: 'deviceIo', deviceIo: url } } };
  }
  return answer.ok ? { ok: true, value: { relays: [], home: { service: 'device', deviceIo } } } : answer;
}

/** Some devices have it and do not list it in their capabilities. */
async function findDeviceIo(session: OnvifSession): Promise<string | null> {
  const services = await requestServices(session);
  return services.ok ? services.value.deviceIo : null;
}

function relaysIn(body: XmlElement): RelayOutput[] {
  return children(body, 'RelayOutputs').flatMap((relay) => readRelay(relay) ?? []);
}

function readRelay(relay: XmlElement): RelayOutput | null {
  const { token } = relay.attributes;
  if (!token) return null;
  return {
    token,
    mode: textAt(relay, 'Properties', 'Mode')?.toLowerCase() === 'monostable' ? 'Monostable' : 'Bistable',
    delayMs: readDuration(textAt(relay, 'Properties', 'DelayTime')) ?? 0,
    idleState: textAt(relay, 'Properties', 'IdleState')?.toLowerCase() === 'closed' ? 'closed' : 'open',
  };
}

export async function setRelaySettings(
  session: OnvifSession,
  home: RelayHome,
  relay: RelayOutput,
): Promise<SoapAnswer> {
  const properties = xml`<tt:Mode>${relay.mode}</tt:Mode>
<tt:DelayTime>${durationOf(relay.delayMs)}</tt:DelayTime>
<tt:IdleState>${relay.idleState}</tt:IdleState>`;
  return await callRelay(session, home, 'SetRelayOutputSettings', {
    device: xml`<tds:SetRelayOutputSettings><tds:RelayOutputToken>${relay.token}</tds:RelayOutputToken>
<tds:Properties>${properties}</tds:Properties></tds:SetRelayOutputSettings>`,
    deviceIo: xml`<tmd:SetRelayOutputSettings><tmd:RelayOutput token="${relay.token}">
<tt:Properties>${properties}</tt:Properties></tmd:RelayOutput></tmd:SetRelayOutputSettings>`,
  });
}

export async function setRelayState(
  session: OnvifSession,
  home: RelayHome,
  token: string,
  state: 'active' | 'inactive',
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<SoapAnswer> {
  // DeviceIO takes the elements of the device service here.
  const body = xml`<tds:SetRelayOutputState><tds:RelayOutputToken>${token}</tds:RelayOutputToken>
<tds:LogicalState>${state}</tds:LogicalState></tds:SetRelayOutputState>`;
  return await callRelay(session, home, 'SetRelayOutputState', { device: body, deviceIo: body }, limits);
}

/** Some devices name their relays with the device service and move them with DeviceIO only. */
async function callRelay(
  session: OnvifSession,
  { service, deviceIo }: RelayHome,
  operation: string,
  bodies: Record<RelayHome['service'], Xml>,
  limits: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<SoapAnswer> {
  const { url } = session.options;
  if (service === 'device' || deviceIo === null) {
    const answer = await session.call({ url, action: `${TDS}/${operation}`, body: bodies.device, ...limits });
    if (deviceIo === null || !isNotSupported(answer)) return answer;
  }
  const action = `${TMD_ACTION}/${operation}`;
  return await session.call({ url: deviceIo, action, body: bodies.deviceIo, ...limits });
}

function isNotSupported(answer: SoapAnswer): boolean {
  return (
    !answer.ok &&
    answer.reason === 'fault' &&
    answer.fault.codes.some(
      (code) => code === 'ActionNotSupported' || code === 'OptionalActionNotImplemented',
    )
  );
}

/** The address of the device's snapshots. */
export async function getSnapshotUri(session: OnvifSession, mediaUrl: string): Promise<Reply<string | null>> {
  const media = (operation: string, body: Xml) =>
    session.call({ url: mediaUrl, action: `http://www.onvif.org/ver10/media/wsdl/${operation}`, body });
  const profiles = await media('GetProfiles', xml`<trt:GetProfiles/>`);
  if (!profiles.ok) return profiles;
  const [profile] = children(profiles.body, 'Profiles');
  const token = profile?.attributes['token'];
  if (token === undefined) return { ok: true, value: null };
  const answer = await media(
    'GetSnapshotUri',
    xml`<trt:GetSnapshotUri><trt:ProfileToken>${token}</trt:ProfileToken></trt:GetSnapshotUri>`,
  );
  if (!answer.ok) return answer;
  const [uri] = descendants(answer.body, 'Uri');
  return { ok: true, value: uri ? asSeenFrom(session.options.url, uri.text) : null };
}
