import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { CAMERA_FORMATS, type CameraFormat, CameraFormatSchema } from '@hlid/protocol/camera/camera-formats';
import { requestDevice } from '../../onvif/device-http.ts';

const TIMEOUT_MS = 2000;

/** What answers at an address, without a login. */
export interface ProbedDevice {
  /** Empty: it does not say. */
  maker: string;
  /** The address of this machine that the device sees; null: not known. */
  ownAddress: string | null;
}

/** Null: nothing accepts a connection there. Nothing moves, and no password is tried. */
export async function probeDevice(url: string): Promise<ProbedDevice | null> {
  const ownAddress = await reachFrom(url);
  if (ownAddress === null) return null;
  const page = new URL('/', url).href;
  const answer = await requestDevice({
    method: 'GET',
    url: page,
    headers: {},
    timeoutMs: TIMEOUT_MS,
    selfSigned: true,
  });
  const text = answer.ok
    ? [answer.headers['server'], ...answer.challenges, answer.body.toString('latin1').slice(0, 4000)].join(
        ' ',
      )
    : '';
  return { maker: MAKERS.find(({ sign }) => sign.test(text))?.maker ?? '', ownAddress };
}

/** How devices of a maker show themselves to anybody: in their server's name, their login, or their first page. */
const MAKERS: readonly { maker: string; sign: RegExp }[] = [
  { maker: 'Axis', sign: /\bAXIS_|\baxis communications\b|\/axis-cgi\//i },
  { maker: 'Hikvision', sign: /\bhikvision\b|\bDNVRS-Webs\b|\bApp-webs\b|\/doc\/page\/login\.asp/i },
  { maker: 'Dahua', sign: /\bdahua\b|"Login to [0-9A-F]{6,}/i },
  { maker: 'Intelbras', sign: /\bintelbras\b/i },
  { maker: 'Milesight', sign: /\bmilesight\b/i },
  { maker: 'Survision', sign: /\bsurvision\b/i },
  { maker: 'Tattile', sign: /\btattile\b/i },
  { maker: 'Vaxtor', sign: /\bvaxtor\b|\bvaxalpr\b/i },
];

/** The format in which cameras of a maker post; null: it is not known. */
export function formatOf(maker: string): CameraFormat | null {
  const words = maker
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 3);
  const all = CameraFormatSchema.options;
  return (
    all.find((format) => words.some((word) => CAMERA_FORMATS[format].maker.toLowerCase().includes(word))) ??
    null
  );
}

/** This machine's own address, as a device at `url` sees it. */
function reachFrom(url: string): Promise<string | null> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
    const settle = (found: string | null) => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(found);
    };
    const deadline = setTimeout(() => settle(null), TIMEOUT_MS);
    socket.once('connect', () => settle(socket.localAddress ?? '')).once('error', () => settle(null));
  });
}

/** The IPv4 addresses of this machine in its networks. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address),
  );
}
