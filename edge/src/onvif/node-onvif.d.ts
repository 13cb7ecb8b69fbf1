/** The part of node-onvif 0.1.7 that is used here: the package has no types. */
declare module 'node-onvif' {
  interface Answer {
    /** The whole answer as it came. */
    soap: string;
  }
  interface DeviceService {
    /** Milliseconds that the device's clock is ahead. */
    time_diff: number;
    getCapabilities(): Promise<Answer>;
    getDeviceInformation(): Promise<Answer>;
    getRelayOutputs(): Promise<Answer>;
  }
  interface Profile {
    snapshot: string;
  }
  class OnvifDevice {
    constructor(given: { xaddr: string; user?: string; pass?: string });
    services: { device: DeviceService };
    current_profile: Profile | null;
    fetchSnapshot(): Promise<{ headers: Record<string, string | undefined>; body: Uint8Array }>;
  }
  export interface Probe {
    urn: string;
    name: string;
    hardware: string;
    location: string;
    types: readonly string[] | string;
    xaddrs: readonly string[];
    scopes: readonly string[];
  }
  const nodeOnvif: {
    OnvifDevice: typeof OnvifDevice;
    startProbe(): Promise<Probe[]>;
    /** Settings without a setter. */
    _MULTICAST_ADDRESS: string;
    _PORT: number;
    _DISCOVERY_WAIT: number;
  };
  export default nodeOnvif;
}
