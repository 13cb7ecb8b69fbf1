import nodeOnvif from 'node-onvif';
import type { ProbeOptions } from './onvif-options.ts';

/** A device that answered a probe. */
export interface FoundDevice {
  /** Does not change with its address. */
  urn: string;
  name: string;
  hardware: string;
  /** The maker; empty: unknown. Many devices have it in their name. */
  maker: string;
  /** The addresses of its device service, those with an IPv4 address first. */
  addresses: string[];
  /** The ONVIF profiles, by letter: `M` for plates and other metadata, `S` and `T` for video. */
  profiles: string[];
}

const SCOPE = 'onvif://www.onvif.org/';

/** Probes the network for ONVIF devices by node-onvif: IPv4, for some seconds, one probe at a time in a process. */
export async function discoverDevices(options: ProbeOptions = {}): Promise<FoundDevice[]> {
  // node-onvif has no options for these.
  nodeOnvif._MULTICAST_ADDRESS = options.group ?? '239.255.255.250';
  nodeOnvif._PORT = options.port ?? 3702;
  nodeOnvif._DISCOVERY_WAIT = options.waitMs ?? 3000;
  const found = await nodeOnvif.startProbe();
  return found.map(({ urn, name, hardware, xaddrs, scopes }) => ({
    urn,
    name: decoded(name),
    hardware: decoded(hardware),
    // The maker is not in the standard; makers write it in one of these ways.
    maker: decoded(inScope(scopes, 'manufacturer')[0] ?? inScope(scopes, 'mfr')[0] ?? ''),
    addresses: [...xaddrs].sort((a, b) => Number(a.includes('[')) - Number(b.includes('['))),
    profiles: inScope(scopes, 'Profile'),
  }));
}

function inScope(scopes: readonly string[], kind: string): string[] {
  const prefix = `${SCOPE}${kind}/`;
  return scopes.filter((scope) => scope.startsWith(prefix)).map((scope) => scope.slice(prefix.length));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
