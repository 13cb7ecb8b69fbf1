import { askNodeOnvif } from './ask-node-onvif.ts';
import { durationOf, readDuration } from './device-time.ts';
import { NS } from './namespaces.ts';
import type { OnvifSession } from './onvif-session.ts';
import type { SoapAnswer, SoapFailure } from './soap-answer.ts';
import { children, descendants, find, textAt, type XmlElement } from './xml-element.ts';
import { type Xml, xml } from './xml-text.ts';

/** Where a device's services are; addresses as seen from here. */
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

type Asked<T> = { ok: true; value: T } | SoapFailure;

const TDS = 'http://www.onvif.org/ver10/device/wsdl';
/** The action's spelling differs from the namespace's (DeviceIo WSDL). */
const TMD_ACTION = 'http://www.onvif.org/ver10/deviceio/wsdl';

function ask(session: OnvifSession, operation: string, body: Xml, signal?: AbortSignal): Promise<SoapAnswer> {
  return session.call({ url: session.options.url, action: `${TDS}/${operation}`, body, signal });
}

export async function getServices(session: OnvifSession): Promise<Asked<OnvifServices>> {
  const capabilities =
    (await askNodeOnvif(session, 'getCapabilities')) ??
    (await ask(
      session,
      'GetCapabilities',
      xml`<tds:GetCapabilities><tds:Category>All</tds:Category></tds:GetCapabilities>`,
    ));
  if (capabilities.ok)
    return { ok: true, value: servicesIn(session, find(capabilities.body, 'Capabilities')) };
  if (!isNotSupported(capabilities)) return capabilities;
  // The younger way, which is the only one on the youngest devices.
  const services = await ask(
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
  const told = textAt(element, 'XAddr');
  return told === null ? null : asSeenFrom(options.url, told);
}

/**
 * An address that a device gives of itself. One that names another host is one it has behind a router, or an old one:
 * host and port are ours then, and https stays https.
 */
export function asSeenFrom(deviceUrl: string, given: string): string {
  // Some tell several: of IPv4 and IPv6, of http and https.
  const [told = ''] = given.trim().split(/\s+/);
  if (!URL.canParse(told, deviceUrl)) return deviceUrl;
  const known = new URL(deviceUrl);
  const address = new URL(told, deviceUrl);
  if (address.hostname === known.hostname && address.protocol === known.protocol) return address.href;
  return new URL(address.pathname + address.search, known).href;
}

export async function getInformation(session: OnvifSession): Promise<Asked<OnvifInformation>> {
  const answer =
    (await askNodeOnvif(session, 'getDeviceInformation')) ??
    (await ask(session, 'GetDeviceInformation', xml`<tds:GetDeviceInformation/>`));
  if (!answer.ok) return answer;
  const said = (name: string) => textAt(answer.body, name) ?? '';
  const [maker, model] = [said('Manufacturer'), said('Model')];
  return {
    ok: true,
    value: { maker, model, firmware: said('FirmwareVersion'), serial: said('SerialNumber') },
  };
}

export async function getRelayOutputs(
  session: OnvifSession,
  { deviceIo }: Pick<OnvifServices, 'deviceIo'>,
): Promise<Asked<RelayOutput[]>> {
  const action = `${TMD_ACTION}/GetRelayOutputs`;
  let answer =
    (await askNodeOnvif(session, 'getRelayOutputs')) ??
    (await ask(session, 'GetRelayOutputs', xml`<tds:GetRelayOutputs/>`));
  if (isNotSupported(answer) && deviceIo !== null) {
    answer = await session.call({ url: deviceIo, action, body: xml`<tmd:GetRelayOutputs/>` });
  }
  if (!answer.ok) return answer;
  return {
    ok: true,
    value: children(answer.body, 'RelayOutputs').flatMap((relay) => readRelay(relay) ?? []),
  };
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

/** Some devices have their relays with the device service, some with DeviceIO only. */
export async function setRelaySettings(
  session: OnvifSession,
  services: OnvifServices,
  relay: RelayOutput,
): Promise<SoapAnswer> {
  const properties = xml`<tt:Mode>${relay.mode}</tt:Mode>
<tt:DelayTime>${durationOf(relay.delayMs)}</tt:DelayTime>
<tt:IdleState>${relay.idleState}</tt:IdleState>`;
  const answer = await ask(
    session,
    'SetRelayOutputSettings',
    xml`<tds:SetRelayOutputSettings><tds:RelayOutputToken>${relay.token}</tds:RelayOutputToken>
<tds:Properties>${properties}</tds:Properties></tds:SetRelayOutputSettings>`,
  );
  if (!isNotSupported(answer) || services.deviceIo === null) return answer;
  return session.call({
    url: services.deviceIo,
    action: `${TMD_ACTION}/SetRelayOutputSettings`,
    body: xml`<tmd:SetRelayOutputSettings><tmd:RelayOutput token="${relay.token}">
<tt:Properties>${properties}</tt:Properties></tmd:RelayOutput></tmd:SetRelayOutputSettings>`,
  });
}

export async function setRelayState(
  session: OnvifSession,
  deviceIo: string | null,
  token: string,
  state: 'active' | 'inactive',
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<SoapAnswer> {
  const body = xml`<tds:SetRelayOutputState><tds:RelayOutputToken>${token}</tds:RelayOutputToken>
<tds:LogicalState>${state}</tds:LogicalState></tds:SetRelayOutputState>`;
  const { url } = session.options;
  const answer = await session.call({ url, action: `${TDS}/SetRelayOutputState`, body, ...limits });
  if (!isNotSupported(answer) || deviceIo === null) return answer;
  return session.call({ url: deviceIo, action: `${TMD_ACTION}/SetRelayOutputState`, body, ...limits });
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

/** Where the device keeps a picture of what it sees now. */
export async function getSnapshotUri(session: OnvifSession, mediaUrl: string): Promise<Asked<string | null>> {
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
  const [told] = descendants(answer.body, 'Uri');
  return { ok: true, value: told ? asSeenFrom(session.options.url, told.text) : null };
}
