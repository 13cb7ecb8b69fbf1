import { setTimeout as pause } from 'node:timers/promises';
import { startSmtpServer } from '@hlid/cloud/test/smtp-server';
import { DRIVER_PATHS, ELECTRONIC_ID_PATHS } from '@hlid/protocol/driver-paths';
import { z } from 'zod';
import { DEMO_DRIVER } from './demo-fleet.ts';

/** A mail server that shows links for drivers: nobody else reads the demo's mail. */
export class DemoMail {
  readonly #print: (text: string) => void;
  readonly #waiting = new Map<string, (link: string) => void>();
  #server: Awaited<ReturnType<typeof startSmtpServer>> | null = null;

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  /** @returns the server's address */
  async start(): Promise<string> {
    const server = await startSmtpServer();
    this.#server = server;
    void this.#read(server);
    return server.url;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.stop();
  }

  /** The link in the next mail to an address. Nobody is shown that one. */
  nextLink(email: string, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(email, resolve);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  }

  async #read(server: Awaited<ReturnType<typeof startSmtpServer>>): Promise<void> {
    while (this.#server === server) {
      await server.noticing();
      for (const { to, raw } of server.received.splice(0)) this.#show(to.join(), raw);
    }
  }

  #show(to: string, raw: string): void {
    // Quoted-printable: a long line is broken, and an equals sign is written as its code.
    const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const [link] = /http\S+\/pay\/driver#\S+/.exec(text) ?? [];
    if (link === undefined) return;
    const reader = this.#waiting.get(to);
    this.#waiting.delete(to);
    if (reader) reader(link);
    else this.#print(`Mail to ${to}: ${link}`);
  }
}

const StartedSchema = z.object({ bearerToken: z.string() });
const StatusSchema = z.object({ status: z.string(), wait: z.number() });

/**
 * Gives the person with the simulated phone a driver's account, as a driver gets one: by a mailed link, and then by
 * connecting the electronic identity. The register proves one car.
 */
export async function connectDemoDriver(
  cloudUrl: string,
  mail: DemoMail,
  signal: AbortSignal,
): Promise<void> {
  let token: string | null = null;
  const call = async (path: string, body: object): Promise<unknown> => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(cloudUrl + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    if (!response.ok) throw new Error(`POST ${path} was answered with ${response.status}`);
    return await response.json();
  };
  const { email, phone, plate } = DEMO_DRIVER;
  const mailed = mail.nextLink(email, signal);
  const [text] = await Promise.all([mailed, call(DRIVER_PATHS.login, { email, language: 'is' })]);
  const [, link = ''] = /#(\S+)$/.exec(text) ?? [];
  token = z.object({ token: z.string() }).parse(await call(DRIVER_PATHS.open, { link })).token;
  const { session } = z
    .object({ session: z.string() })
    .parse(await call(DRIVER_PATHS.connectElectronicId, {}));
  const started = await call(ELECTRONIC_ID_PATHS.authenticate, { session, method: 'sim', phone });
  const { bearerToken } = StartedSchema.parse(started);
  let status = { status: 'pending', wait: 0 };
  while (status.status === 'pending') {
    await pause(status.wait * 1000, undefined, { signal });
    status = StatusSchema.parse(await call(ELECTRONIC_ID_PATHS.status, { session, bearerToken }));
  }
  if (status.status !== 'success') throw new Error(`The simulated phone answered with ${status.status}`);
  await call(DRIVER_PATHS.addVehicle, { plate });
  await call(DRIVER_PATHS.logout, {});
}
