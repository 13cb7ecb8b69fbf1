import { createServer } from 'node:net';

/** The ports of the demo, by the variable that sets each. */
const PORTS = {
  HLID_CLOUD_PORT: { standard: 8080, of: "the cloud's API" },
  HLID_MQTT_PORT: { standard: 1883, of: "the cloud's MQTT broker" },
  HLID_EDGE_PORT: { standard: 7070, of: "the edge's page and local API" },
  HLID_CAMERA_PORT: { standard: 7071, of: "the edge's camera push" },
} as const;
type PortName = keyof typeof PORTS;
export type Ports = Record<PortName, number>;

const NAMES = Object.keys(PORTS) as PortName[];

/** The ports to use, or every mistake in them. */
export function readPorts(
  environment: Readonly<Record<string, string | undefined>>,
): { ok: true; ports: Ports } | { ok: false; mistakes: string[] } {
  const mistakes: string[] = [];
  const entries = NAMES.map((name) => {
    const text = environment[name] || String(PORTS[name].standard);
    const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (!(port <= 65_535)) mistakes.push(`${name} is ${text}: a port is 0 (any free one) to 65535.`);
    return [name, port] as const;
  });
  const ports = Object.fromEntries(entries) as Ports;
  for (const [at, name] of NAMES.entries()) {
    const twin = NAMES.slice(0, at).find((other) => ports[other] === ports[name]);
    if (twin && ports[name] !== 0) mistakes.push(`${twin} and ${name} are both ${ports[name]}.`);
  }
  return mistakes.length === 0 ? { ok: true, ports } : { ok: false, mistakes };
}

/** The ports that are taken, in a text with what to do. */
export async function findTakenPorts(ports: Ports): Promise<string[]> {
  const taken: string[] = [];
  for (const name of NAMES) {
    const port = ports[name];
    if (port === 0) continue;
    const problem = await tryPort(port);
    if (problem === null) continue;
    const reason = problem === 'EACCES' ? 'may not be used by this user' : 'is taken by another program';
    taken.push(
      `Port ${port} (${PORTS[name].of}) ${reason}. Set ${name} to another one, or to 0 for any free one.`,
    );
  }
  return taken;
}

function tryPort(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, () => server.close(() => resolve(null)));
  });
}
