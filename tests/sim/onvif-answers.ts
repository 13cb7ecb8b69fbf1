import type { ServerResponse } from 'node:http';
import type { RelayView } from './onvif-relays.ts';

/** The outcome of an operation: the content of the body, or the fault's code. */
export type Outcome = { body: string } | { fault: string; status?: number };

export const SOAP = 'http://www.w3.org/2003/05/soap-envelope';
export const AXIS_EVENT = 'http://www.axis.com/2009/event';
const BASE = 'http://www.onvif.org/ver10';
const SPACES = [
  `xmlns:s="${SOAP}"`,
  'xmlns:wsa="http://www.w3.org/2005/08/addressing"',
  `xmlns:tds="${BASE}/device/wsdl"`,
  `xmlns:tmd="${BASE}/deviceIO/wsdl"`,
  `xmlns:trt="${BASE}/media/wsdl"`,
  `xmlns:tev="${BASE}/events/wsdl"`,
  'xmlns:wsnt="http://docs.oasis-open.org/wsn/b-2"',
  `xmlns:tt="${BASE}/schema"`,
  `xmlns:ter="${BASE}/error"`,
  'xmlns:wsrfr="http://docs.oasis-open.org/wsrf/r-2"',
].join(' ');

const REASONS: Readonly<Record<string, string>> = {
  'ter:NotAuthorized': 'Sender not authorized',
  'ter:ActionNotSupported': 'Optional action not implemented',
};

export function envelopeOf(outcome: Outcome): string {
  const content =
    'body' in outcome
      ? outcome.body
      : `<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>${outcome.fault}</s:Value></s:Subcode></s:Code>
<s:Reason><s:Text xml:lang="en">${REASONS[outcome.fault] ?? `Refused: ${outcome.fault}`}</s:Text></s:Reason></s:Fault>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<s:Envelope ${SPACES}><s:Header/><s:Body>${content}</s:Body></s:Envelope>`;
}

export function sendOutcome(response: ServerResponse, outcome: Outcome): void {
  if (response.destroyed) return;
  const text = envelopeOf(outcome);
  const headers = {
    'content-type': 'application/soap+xml; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  response.writeHead('fault' in outcome ? (outcome.status ?? 400) : 200, headers).end(text);
}

/** Never answers, or breaks the connection in the middle of it. */
export function cutOff(response: ServerResponse, kind: 'silent' | 'dropped', text: string): void {
  if (kind === 'silent') return;
  // The length promises more than is sent.
  response.writeHead(200, { 'content-type': 'application/soap+xml', 'content-length': text.length + 100 });
  response.write(text.slice(0, 60) || '<', () => response.socket?.destroy());
}

/** Devices report whole seconds. */
export function dateTime(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

export function dateAndTime(at: Date): Outcome {
  return {
    body: `<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:DateTimeType>NTP</tt:DateTimeType>
<tt:DaylightSavings>false</tt:DaylightSavings><tt:TimeZone><tt:TZ>GMT0</tt:TZ></tt:TimeZone><tt:UTCDateTime>
<tt:Time><tt:Hour>${at.getUTCHours()}</tt:Hour><tt:Minute>${at.getUTCMinutes()}</tt:Minute>
<tt:Second>${at.getUTCSeconds()}</tt:Second></tt:Time>
<tt:Date><tt:Year>${at.getUTCFullYear()}</tt:Year><tt:Month>${at.getUTCMonth() + 1}</tt:Month>
<tt:Day>${at.getUTCDate()}</tt:Day></tt:Date>
</tt:UTCDateTime></tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>`,
  };
}

export function deviceInformation(serial: string): Outcome {
  return {
    body: `<tds:GetDeviceInformationResponse><tds:Manufacturer>Hlid</tds:Manufacturer><tds:Model>Plate camera</tds:Model>
<tds:FirmwareVersion>1.0</tds:FirmwareVersion><tds:SerialNumber>${serial}</tds:SerialNumber>
<tds:HardwareId>sim</tds:HardwareId></tds:GetDeviceInformationResponse>`,
  };
}

/** Addresses of a device's services. */
interface ServiceAddresses {
  device: string;
  events: string;
  media: string;
  deviceIo: string | null;
}

export function capabilities(at: ServiceAddresses, counts: { inputs: number; relays: number }): Outcome {
  const io = at.deviceIo
    ? `<tt:Extension><tt:DeviceIO><tt:XAddr>${at.deviceIo}</tt:XAddr><tt:VideoSources>1</tt:VideoSources>
<tt:VideoOutputs>0</tt:VideoOutputs><tt:AudioSources>0</tt:AudioSources><tt:AudioOutputs>0</tt:AudioOutputs>
<tt:RelayOutputs>${counts.relays}</tt:RelayOutputs></tt:DeviceIO></tt:Extension>`
    : '';
  return {
    body: `<tds:GetCapabilitiesResponse><tds:Capabilities>
<tt:Device><tt:XAddr>${at.device}</tt:XAddr><tt:IO><tt:InputConnectors>${counts.inputs}</tt:InputConnectors>
<tt:RelayOutputs>${counts.relays}</tt:RelayOutputs></tt:IO></tt:Device>
<tt:Events><tt:XAddr>${at.events}</tt:XAddr><tt:WSSubscriptionPolicySupport>true</tt:WSSubscriptionPolicySupport>
<tt:WSPullPointSupport>true</tt:WSPullPointSupport>
<tt:WSPausableSubscriptionManagerInterfaceSupport>false</tt:WSPausableSubscriptionManagerInterfaceSupport></tt:Events>
<tt:Media><tt:XAddr>${at.media}</tt:XAddr></tt:Media>${io}</tds:Capabilities></tds:GetCapabilitiesResponse>`,
  };
}

export function services(at: ServiceAddresses): Outcome {
  const service = (space: string, address: string) =>
    `<tds:Service><tds:Namespace>${BASE}/${space}/wsdl</tds:Namespace><tds:XAddr>${address}</tds:XAddr>
<tds:Version><tt:Major>2</tt:Major><tt:Minor>60</tt:Minor></tds:Version></tds:Service>`;
  const all = [service('device', at.device), service('events', at.events), service('media', at.media)];
  if (at.deviceIo) all.push(service('deviceIO', at.deviceIo));
  return { body: `<tds:GetServicesResponse>${all.join('')}</tds:GetServicesResponse>` };
}

/** @param prefix of the service that is asked */
export function relayOutputs(
  relays: readonly Readonly<RelayView & { token: string }>[],
  prefix: 'tds' | 'tmd',
): Outcome {
  const each = relays.map(
    ({ token, mode, delayMs }) =>
      `<${prefix}:RelayOutputs token="${token}"><tt:Properties><tt:Mode>${mode}</tt:Mode>
<tt:DelayTime>PT${delayMs / 1000}S</tt:DelayTime><tt:IdleState>open</tt:IdleState></tt:Properties></${prefix}:RelayOutputs>`,
  );
  return { body: `<${prefix}:GetRelayOutputsResponse>${each.join('')}</${prefix}:GetRelayOutputsResponse>` };
}

export const PROFILES: Outcome = {
  body: `<trt:GetProfilesResponse><trt:Profiles token="Profile_1" fixed="true"><tt:Name>Main</tt:Name>
<tt:VideoSourceConfiguration token="VSC_1"><tt:Name>VSC</tt:Name><tt:UseCount>1</tt:UseCount>
<tt:SourceToken>VideoSource_1</tt:SourceToken><tt:Bounds x="0" y="0" width="1280" height="720"/></tt:VideoSourceConfiguration>
<tt:VideoEncoderConfiguration token="VEC_1"><tt:Name>VEC</tt:Name><tt:UseCount>1</tt:UseCount><tt:Encoding>H264</tt:Encoding>
<tt:Resolution><tt:Width>1280</tt:Width><tt:Height>720</tt:Height></tt:Resolution><tt:Quality>5</tt:Quality>
<tt:RateControl><tt:FrameRateLimit>25</tt:FrameRateLimit><tt:EncodingInterval>1</tt:EncodingInterval>
<tt:BitrateLimit>2048</tt:BitrateLimit></tt:RateControl></tt:VideoEncoderConfiguration>
</trt:Profiles></trt:GetProfilesResponse>`,
};

export const VIDEO_SOURCES: Outcome = {
  body: `<trt:GetVideoSourcesResponse><trt:VideoSources token="VideoSource_1"><tt:Framerate>25</tt:Framerate>
<tt:Resolution><tt:Width>1280</tt:Width><tt:Height>720</tt:Height></tt:Resolution></trt:VideoSources></trt:GetVideoSourcesResponse>`,
};

export function snapshotUri(profile: string | null, address: string): Outcome {
  if (profile !== 'Profile_1') return { fault: 'ter:NoProfile' };
  return {
    body: `<trt:GetSnapshotUriResponse><trt:MediaUri><tt:Uri>${address}</tt:Uri>
<tt:InvalidAfterConnect>false</tt:InvalidAfterConnect><tt:InvalidAfterReboot>false</tt:InvalidAfterReboot>
<tt:Timeout>PT0S</tt:Timeout></trt:MediaUri></trt:GetSnapshotUriResponse>`,
  };
}
