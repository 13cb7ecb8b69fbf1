import type { Server } from 'node:http';
import { type Clock, nowUtc } from '@hlid/node/clock';
import { type ListenAt, listenPatiently, stopListening } from '@hlid/node/listen';
import type { Part } from '@hlid/node/started-parts';
import type { TlsFiles } from '@hlid/node/tls-files';
import { withTimeout } from '@hlid/node/with-timeout';
import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { WriteWatch } from '../../platform/db/write-watch.ts';
import { EVENTS } from '../../platform/events.ts';
import { SOFTWARE } from '../../platform/software.ts';
import { certificateConcerns } from '../alarms/certificate-check.ts';
import type { CloudMetrics } from './cloud-metrics.ts';
import { type CloudState, readCloudState } from './cloud-state.ts';

/** A database that takes longer is as good as away. */
const DATABASE_MS = 5000;

/** The answer of `GET /health`: it ends up in tickets and monitoring. */
interface HealthReport {
  /** `failing`: the database cannot be read or written. `attention`: it works, but a person should look at `concerns`. */
  status: 'ok' | 'attention' | 'failing';
  at: UtcTime;
  software: string;
  node: string;
  startedAt: UtcTime;
  /** The faults that keep the cloud from its work. */
  faults: string[];
  concerns: string[];
  /** Null: the database does not answer. */
  state: CloudState | null;
}

interface MonitorParts {
  db: Pick<WriteWatch, 'read' | 'writeFault'>;
  clock: Clock;
  metrics: CloudMetrics;
  /** The TLS files with the certificates that are watched. */
  tlsFiles: readonly TlsFiles[];
  log: Logger;
}

/** Health and metrics, on a separate address: no login, and nothing of the API. */
export class Monitor implements Part {
  readonly #at: ListenAt;
  readonly #server: Server;
  readonly #log: Logger;
  #url = '';

  constructor(parts: MonitorParts, at: ListenAt) {
    this.#at = at;
    this.#log = parts.log;
    this.#server = createAdaptorServer({ fetch: monitorApp(parts).fetch }) as Server;
  }

  /** Starts the monitor. A port that is taken is tried again, and does not keep the cloud from starting. */
  async start(): Promise<void> {
    const address = await listenPatiently(this.#server, this.#at, {
      hostSetBy: 'monitor.host',
      portSetBy: 'HLID_MONITOR_PORT',
      retries: 'every-failure',
      onWaiting: (reason) => this.#log.error({ event: EVENTS.notListening, reason }),
      onListening: (at) => this.#log.info({ event: EVENTS.listening, address: at }),
    });
    this.#url = `http://${address}`;
  }

  url(): string {
    return this.#url;
  }

  stop(): Promise<void> {
    return stopListening(this.#server);
  }
}

/** `GET /health` (503 where it is failing) and `GET /metrics`. */
export function monitorApp({ db, clock, metrics, tlsFiles }: Omit<MonitorParts, 'log'>): Hono {
  const startedAt = nowUtc(clock);
  const readState = () =>
    withTimeout(db.read(readCloudState), DATABASE_MS, () => {
      throw new Error(`no answer within ${DATABASE_MS / 1000} seconds`);
    });
  return new Hono()
    .get('/health', async (c) => {
      let state: CloudState | null = null;
      const faults: string[] = [];
      try {
        state = await readState();
      } catch (error) {
        faults.push(`the database cannot be read: ${messageOf(error)}`);
      }
      const writeFault = db.writeFault();
      if (writeFault !== null) faults.push(`the database cannot be written: ${writeFault}`);
      const certificates = certificateConcerns(tlsFiles, clock.now().getTime());
      const concerns = [...(state === null ? [] : concernsOf(state)), ...certificates];
      const status = faults.length > 0 ? 'failing' : concerns.length > 0 ? 'attention' : 'ok';
      const report: HealthReport = {
        status,
        at: nowUtc(clock),
        software: SOFTWARE,
        node: process.versions.node,
        startedAt,
        faults,
        concerns,
        state,
      };
      return c.json(report, status === 'failing' ? 503 : 200);
    })
    .get('/metrics', async (c) => {
      const state = await readState().catch(() => null);
      metrics.setCertificates(tlsFiles, clock.now().getTime());
      return c.body(await metrics.text(state), 200, { 'content-type': metrics.contentType });
    });
}

function concernsOf({ sites, deviceAlarms, mail, webhooksFailing, jobs }: CloudState): string[] {
  const some = (count: number, what: string) => (count === 0 ? [] : [`${what}: ${count}`]);
  return [
    ...some(sites.away, 'sites that are not connected'),
    ...some(deviceAlarms, 'devices that need a person (GET /sites/{id}/devices)'),
    ...some(mail.failed, 'mail that could not be sent (GET /mail?status=failed)'),
    ...some(webhooksFailing, 'webhooks that do not accept events (GET /webhooks)'),
    ...jobs.flatMap(({ name, lastError }) =>
      lastError === null ? [] : [`the job ${name} failed: ${lastError}`],
    ),
  ];
}
