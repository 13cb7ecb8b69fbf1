/** The address at which a program listens, and the setting that names the port. */
export interface ConfiguredListener {
  setting: string;
  host: string;
  port: number;
}

const EVERY_ADDRESS = new Set(['0.0.0.0', '::', '']);

/** A warning for each pair of listeners that cannot both have their port. Port 0 is any free one. */
export function sharedPorts(listeners: readonly ConfiguredListener[]): string[] {
  return listeners.flatMap((other, at) =>
    listeners
      .slice(0, at)
      .filter((one) => one.port !== 0 && one.port === other.port && overlap(one.host, other.host))
      .map(
        (one) =>
          `${other.setting}: port ${other.port} is that of ${one.setting} too: only one of them can have it.`,
      ),
  );
}

function overlap(one: string, other: string): boolean {
  return one === other || EVERY_ADDRESS.has(one) || EVERY_ADDRESS.has(other);
}
