import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { find, readXml, textAt } from '@hlid/edge/onvif/xml-element';

/** The scopes that it announces. */
export const SCOPES = [
  'onvif://www.onvif.org/type/video_encoder',
  'onvif://www.onvif.org/Profile/M',
  'onvif://www.onvif.org/hardware/PLATE-1',
  'onvif://www.onvif.org/name/Hlid%20plate%20camera',
];

export interface DiscoveryOptions {
  /** 3702 is the standard's; 0 uses a free one, for clients of this device only. */
  port: number;
  /**
   * The multicast group, where others listen too; null: it receives only what is sent to this device itself.
   */
  group: string | null;
  /** The interface on which the group is joined. */
  host: string;
}

const SOAP = 'http://www.w3.org/2003/05/soap-envelope';
const WSA = 'http://schemas.xmlsoap.org/ws/2004/08/addressing';
const WSD = 'http://schemas.xmlsoap.org/ws/2005/04/discovery';
const NETWORK = 'http://www.onvif.org/ver10/network/wsdl';
const DEVICE = 'http://www.onvif.org/ver10/device/wsdl';

/** Answers WS-Discovery probes for its types. */
export async function startDiscovery(
  options: DiscoveryOptions,
  about: { urn: string; scopes: readonly string[]; addresses: () => readonly string[] },
) {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  let messages = 0;
  socket.on('message', (bytes, from) => {
    const root = readXml(bytes.toString('utf8'));
    const header = find(root, 'Header');
    const messageId = textAt(header, 'MessageID');
    const probe = find(root, 'Body', 'Probe');
    if (root?.namespace !== SOAP || probe?.namespace !== WSD || messageId === null) return;
    const types = find(probe, 'Types');
    const wanted = types?.text.split(/\s+/).filter((type) => type !== '') ?? [];
    const ours = wanted.every((type) => {
      const [prefix = '', name] = type.includes(':') ? type.split(':') : ['', type];
      const space = types?.prefixes.get(prefix);
      return (
        (space === NETWORK && name === 'NetworkVideoTransmitter') || (space === DEVICE && name === 'Device')
      );
    });
    if (!ours) return;
    const answer = `<?xml version="1.0" encoding="UTF-8"?>
<env:Envelope xmlns:env="${SOAP}" xmlns:wsa="${WSA}" xmlns:d="${WSD}" xmlns:dn="${NETWORK}" xmlns:tds="${DEVICE}">
<env:Header><wsa:MessageID>urn:uuid:${randomUUID()}</wsa:MessageID><wsa:RelatesTo>${messageId}</wsa:RelatesTo>
<wsa:To env:mustUnderstand="true">${WSA}/role/anonymous</wsa:To>
<wsa:Action env:mustUnderstand="true">${WSD}/ProbeMatches</wsa:Action>
<d:AppSequence InstanceId="1696270812" MessageNumber="${++messages}"/></env:Header>
<env:Body><d:ProbeMatches><d:ProbeMatch>
<wsa:EndpointReference><wsa:Address>${about.urn}</wsa:Address></wsa:EndpointReference>
<d:Types>dn:NetworkVideoTransmitter tds:Device</d:Types>
<d:Scopes>${about.scopes.join(' ')}</d:Scopes>
<d:XAddrs>${about.addresses().join(' ')}</d:XAddrs>
<d:MetadataVersion>10</d:MetadataVersion>
</d:ProbeMatch></d:ProbeMatches></env:Body></env:Envelope>`;
    socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(options.port, options.group === null ? options.host : undefined, () => {
      if (options.group !== null) socket.addMembership(options.group, options.host);
      resolve();
    });
  });
  return {
    port: socket.address().port,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
