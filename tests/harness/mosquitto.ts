import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { waitFor } from './wait.ts';

/** Whether Debian's broker is on this machine. */
export const MOSQUITTO_INSTALLED = spawnSync('sh', ['-c', 'command -v mosquitto']).status === 0;

/** A broker at work. */
export interface RunningMosquitto {
  /** Has it read its password and ACL files again. */
  reload(): void;
  /** A command that does the same. */
  reloadCommand: string;
  /** What it has logged. */
  messages(): string;
  stop(): Promise<void>;
}

export interface Mosquitto extends RunningMosquitto {
  /** For sites, and for clouds (`HLID_BROKER_URL`). */
  url: string;
}

/** A stock MQTT broker on a free port of the loopback, open to all, that keeps nothing. */
export async function startMosquitto(): Promise<Mosquitto> {
  const port = await freePort();
  const lines = [`listener ${port} 127.0.0.1`, 'allow_anonymous true', 'persistence false'];
  const running = await runMosquitto(lines.join('\n'));
  return { ...running, url: `mqtt://127.0.0.1:${port}` };
}

/** Another broker to try, which is at work and open to all (`HLID_BROKER`): HiveMQ, EMQX. */
const OTHER_BROKER = process.env['HLID_BROKER'];

/** Whether there is a broker for several clouds to share. */
export const BROKER_AVAILABLE = OTHER_BROKER !== undefined || MOSQUITTO_INSTALLED;

/** A broker for several clouds to share, open to all: the one that is named, or Mosquitto. */
export async function startSharedBroker(): Promise<Pick<Mosquitto, 'url' | 'stop'>> {
  return OTHER_BROKER === undefined ? startMosquitto() : { url: OTHER_BROKER, stop: async () => undefined };
}

/** A stock MQTT broker with a configuration of one's own, as the user that we are. */
export async function runMosquitto(config: string): Promise<RunningMosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-mosquitto-'));
  const path = join(folder, 'mosquitto.conf');
  await writeFile(path, `log_dest stderr\nuser ${userInfo().username}\n${config}\n`);
  const child = spawn('mosquitto', ['-c', path], { stdio: ['ignore', 'pipe', 'pipe'] });
  let messages = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => (messages += String(piece)));
  let over = false;
  const gone = new Promise<void>((resolve) =>
    child.once('close', () => {
      over = true;
      resolve();
    }),
  );
  const stop = async () => {
    child.kill();
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitFor(() => over || messages.includes(' running'), { what: 'mosquitto', detail: () => messages });
    if (over) throw new Error(`mosquitto has ended: ${messages}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    reload: () => void child.kill('SIGHUP'),
    reloadCommand: `kill -HUP ${child.pid}`,
    messages: () => messages,
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
