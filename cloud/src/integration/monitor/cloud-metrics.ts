import { statSync } from 'node:fs';
import type { TlsFiles } from '@hlid/node/tls-files';
import { millis, UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { SOFTWARE } from '../../platform/software.ts';
import type { CloudState } from './cloud-state.ts';

const SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3, 10];

/** Metrics for Prometheus. Labels are routes, jobs and codes, which are few: no plate, no person. */
export class CloudMetrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #requests = new Histogram({
    name: 'hlid_http_request_duration_seconds',
    help: 'Calls of the API, by route and class of status.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: this.#registers,
  });
  readonly #gauges = {
    sites: this.#gauge('hlid_sites', 'Sites in use, by whether they are connected.', ['connected']),
    alarms: this.#gauge('hlid_device_alarms', 'Devices of all sites in use that a person should fix.'),
    calls: this.#gauge('hlid_calls_ringing', 'Calls for help that nobody has accepted.'),
    mail: this.#gauge('hlid_mail', 'Mail that waits, or that could not be sent.', ['status']),
    webhooks: this.#gauge('hlid_webhooks_failing', 'Webhooks that do not accept events.'),
    jobDone: this.#gauge('hlid_job_last_done_timestamp_seconds', 'When a job last ended well.', ['name']),
    jobFailed: this.#gauge('hlid_job_failed', '1 where the last run of a job failed.', ['name']),
    database: this.#gauge('hlid_database_bytes', 'Size of the database, and of its write-ahead log.', [
      'file',
    ]),
  };
  readonly #certificates = this.#gauge(
    'hlid_certificate_expires_seconds',
    'How long the certificates of the cloud are still valid.',
    ['certificate'],
  );
  readonly #databasePath: string | null;

  /** @param databasePath null: the database is at a server */
  constructor(databasePath: string | null) {
    this.#databasePath = databasePath;
    collectDefaultMetrics({ register: this.#registry });
    const build = this.#gauge('hlid_build_info', 'Always 1; its labels are the running versions.', [
      'software',
      'node',
    ]);
    build.set({ software: SOFTWARE, node: process.versions.node }, 1);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** @param route as the API describes it, such as `/visit/{id}`; null: there is no such route */
  requestEnded(method: string, route: string | null, status: number, tookMs: number): void {
    const labels = { method, route: route ?? 'none', status: `${Math.floor(status / 100)}xx` };
    this.#requests.observe(labels, tookMs / 1000);
  }

  setCertificates(files: readonly TlsFiles[], nowMs: number): void {
    this.#certificates.reset();
    for (const { path: certificate, endsAt } of files.flatMap((one) => one.certificates()))
      this.#certificates.set({ certificate }, (endsAt.getTime() - nowMs) / 1000);
  }

  /**
   * The text of `GET /metrics`, in the format of Prometheus. @param state null: the database does not answer
   */
  async text(state: CloudState | null): Promise<string> {
    for (const gauge of Object.values(this.#gauges)) gauge.reset();
    if (state !== null) this.#set(state);
    if (this.#databasePath !== null) {
      this.#gauges.database.set({ file: 'database' }, sizeOf(this.#databasePath));
      this.#gauges.database.set({ file: 'log' }, sizeOf(`${this.#databasePath}-wal`));
    }
    return await this.#registry.metrics();
  }

  #set({ sites, deviceAlarms, callsRinging, mail, webhooksFailing, jobs }: CloudState): void {
    this.#gauges.sites.set({ connected: 'yes' }, sites.connected);
    this.#gauges.sites.set({ connected: 'no' }, sites.away);
    this.#gauges.alarms.set(deviceAlarms);
    this.#gauges.calls.set(callsRinging);
    this.#gauges.mail.set({ status: 'waiting' }, mail.waiting);
    this.#gauges.mail.set({ status: 'failed' }, mail.failed);
    this.#gauges.webhooks.set(webhooksFailing);
    for (const { name, lastDoneAt, lastError } of jobs) {
      if (lastDoneAt !== null) {
        this.#gauges.jobDone.set({ name }, millis(UtcTimeSchema.parse(lastDoneAt)) / 1000);
      }
      this.#gauges.jobFailed.set({ name }, lastError === null ? 0 : 1);
    }
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: this.#registers });
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
