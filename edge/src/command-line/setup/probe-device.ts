import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { CameraFormat } from '@hlid/protocol/camera/camera-formats';
import { requestDevice } from '../../onvif/device-http.ts';

const TIMEOUT_MS = 2000;

/** A device that answers at an address, without a login. */
export interface ProbedDevice {
  /** The maker; empty: unknown. */
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

/**
 * How devices of a maker can be recognised without a login: by their server's name, their login, or their
 * first page.
 */
const MAKERS: readonly { maker: string; sign: RegExp; format: CameraFormat }[] = [
  { maker: 'Axis', sign: /\bAXIS_|\baxis communications\b|\/axis-cgi\//i, format: 'axis' },
  {
    maker: 'Hikvision',
    sign: /\bhikvision\b|\bDNVRS-Webs\b|\bApp-webs\b|\/doc\/page\/login\.asp/i,
    format: 'hikvision',
  },
  { maker: 'Dahua', sign: /\bdahua\b|"Login to [0-9A-F]{6,}/i, format: 'dahua' },
  { maker: 'Intelbras', sign: /\bintelbras\b/i, format: 'dahua' },
  { maker: 'Milesight', sign: /\bmilesight\b/i, format: 'milesight' },
  { maker: 'Survision', sign: /\bsurvision\b/i, format: 'survision' },
  { maker: 'Tattile', sign: /\btattile\b/i, format: 'tattile' },
  { maker: 'Vaxtor', sign: /\bvaxtor\b|\bvaxalpr\b/i, format: 'vaxtor' },
];

/** The format in which a maker's cameras post, by the name that a device gives of itself; null: it is not known. */
export function formatOf(name: string): CameraFormat | null {
  const words = name.toLowerCase().split(/[^a-z]+/);
  return MAKERS.find(({ maker }) => words.includes(maker.toLowerCase()))?.format ?? null;
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
