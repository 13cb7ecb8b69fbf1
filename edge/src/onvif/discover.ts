import nodeOnvif from 'node-onvif';

/** A device that answered a probe. */
export interface FoundDevice {
  /** Does not change with its address. */
  urn: string;
  name: string;
  hardware: string;
  /** Of its device service, those with an IPv4 address first. */
  addresses: string[];
  /** Of ONVIF, by letter: `M` for plates and other metadata, `S` and `T` for video. */
  profiles: string[];
}

/** Where to probe; by default as in the standard. */
export interface ProbeOptions {
  group?: string;
  port?: number;
  waitMs?: number;
}

const PROFILE = 'onvif://www.onvif.org/Profile/';

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
    addresses: [...xaddrs].sort((a, b) => Number(a.includes('[')) - Number(b.includes('['))),
    profiles: scopes.filter((scope) => scope.startsWith(PROFILE)).map((scope) => scope.slice(PROFILE.length)),
  }));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
