import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { spawnServer } from './server-process.ts';
import { waitFor } from './wait.ts';

/** Whether Debian's broker is on this machine. */
export const MOSQUITTO_INSTALLED = spawnSync('sh', ['-c', 'command -v mosquitto']).status === 0;

/** A broker at work. */
export interface RunningMosquitto {
  /** Makes the broker read its password and ACL files again. */
  reload(): void;
  /** A command that does the same. */
  reloadCommand: string;
  /** What it has logged. */
  messages(): string;
  signal(signal: NodeJS.Signals): void;
  /** Stops it like a power cut. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A stock broker that a test can lose. */
export interface Mosquitto {
  /** The address for sites, and for clouds (`HLID_BROKER_URL`). */
  url: string;
  /** Stops it like a power cut: it keeps nothing. */
  kill(): Promise<void>;
  /** Starts it at the same address. */
  start(): Promise<void>;
  /** Suspends the broker: it answers no request, and keeps its connections, until it is resumed. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** A stock MQTT broker on a free port of the loopback, open to all, that keeps nothing. */
export async function startMosquitto(): Promise<Mosquitto> {
  const port = await freePort();
  const lines = [`listener ${port} 127.0.0.1`, 'allow_anonymous true', 'persistence false'];
  const run = () => runMosquitto(lines.join('\n'));
  let running = await run();
  return {
    url: `mqtt://127.0.0.1:${port}`,
    kill: () => running.kill(),
    async start() {
      running = await run();
    },
    pause: () => running.signal('SIGSTOP'),
    resume: () => running.signal('SIGCONT'),
    stop: () => running.stop(),
  };
}

/** Another broker to try, which is at work and open to all (`HLID_BROKER`): HiveMQ, EMQX. */
const OTHER_BROKER = process.env['HLID_BROKER'];

/** Whether there is a broker for several clouds to share. */
export const BROKER_AVAILABLE = OTHER_BROKER !== undefined || MOSQUITTO_INSTALLED;

/** A broker for several clouds to share, open to all: the one that is named, which no test can lose, or Mosquitto. */
export async function startSharedBroker(): Promise<Mosquitto> {
  if (OTHER_BROKER === undefined) return await startMosquitto();
  const lose = () => {
    throw new Error('the broker in HLID_BROKER is not a process of this test');
  };
  return {
    url: OTHER_BROKER,
    stop: async () => undefined,
    kill: lose,
    start: lose,
    pause: lose,
    resume: lose,
  };
}

/** A stock MQTT broker with a configuration of one's own, as the user that we are. */
export async function runMosquitto(config: string): Promise<RunningMosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-mosquitto-'));
  const path = join(folder, 'mosquitto.conf');
  await writeFile(path, `log_dest stderr\nuser ${userInfo().username}\n${config}\n`);
  const server = spawnServer('mosquitto', ['-c', path]);
  const { messages } = server;
  const end = async (signal: NodeJS.Signals) => {
    await server.end(signal);
    await rm(folder, { recursive: true, force: true });
  };
  const stop = () => {
    // One that is paused ends as soon as it goes on.
    server.signal('SIGCONT');
    return end('SIGTERM');
  };
  try {
    await waitFor(() => server.hasEnded() || messages().includes(' running'), {
      what: 'mosquitto',
      detail: messages,
    });
    if (server.hasEnded()) throw new Error(`mosquitto has ended: ${messages()}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    reload: () => server.signal('SIGHUP'),
    reloadCommand: `kill -HUP ${server.pid}`,
    signal: server.signal,
    messages,
    kill: () => end('SIGKILL'),
    stop,
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
