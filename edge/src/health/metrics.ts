import { statSync } from 'node:fs';
import type { CertificateView } from '@hlid/node/tls-files';
import { messageOf } from '@hlid/protocol/base/fault';
import { millis } from '@hlid/protocol/base/utc-time';
import { isAlarm } from '@hlid/protocol/records/device';
import type { SiteEventBody, StoredRead } from '@hlid/protocol/site-link/site-event';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DiskSpace } from '../base/disk-space.ts';
import type { CameraView } from '../camera/camera-watch.ts';
import { type LinkView, waitingEvents } from '../cloud-link/link-view.ts';
import type { OnFlushed } from '../db/group-commit.ts';
import type { DeviceView } from './device-health.ts';

/** The parts that are read on each request. */
export interface MeteredSite {
  devices: () => readonly DeviceView[];
  cameras: () => readonly CameraView[];
  /** Null: the site runs without a cloud. */
  link: (() => LinkView) | null;
  disk: () => DiskSpace | null;
  /** When the kiosk's page last asked for the site; null: never. */
  kioskSeenAt: () => Date | null;
  listsAgeMs: () => number;
  cloudAheadMs: () => number | null;
  certificates: () => readonly CertificateView[];
  nowMs: () => number;
  databasePath: string;
  software: string;
}

const FAST = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3];
const SLOW = [0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** Counts what happens while it happens: cheap, since drivers wait. */
export interface SiteMeter {
  /** An event of the log; one that is undone later is counted all the same. */
  eventWritten(body: SiteEventBody): void;
  flushed: OnFlushed;
}

/**
 * The metrics for Prometheus. Labels are ids of the configuration and codes of the protocol: never a plate,
 * and limited in number.
 */
export class Metrics implements SiteMeter {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #decisions = new Counter({
    name: 'hlid_decisions_total',
    help: 'Decisions on passages, by lane and reason.',
    labelNames: ['lane', 'reason', 'open'],
    registers: this.#registers,
  });
  readonly #reads = new Counter({
    name: 'hlid_reads_total',
    help: 'Reads of plates, by camera and whether they count.',
    labelNames: ['camera', 'standing'],
    registers: this.#registers,
  });
  readonly #alerts = new Counter({
    name: 'hlid_lane_alerts_total',
    help: 'Alerts of lanes for a person.',
    labelNames: ['lane', 'alert'],
    registers: this.#registers,
  });
  readonly #movements = new Counter({
    name: 'hlid_gate_movements_total',
    help: 'Commands to gates, by their outcome.',
    labelNames: ['lane', 'action', 'outcome'],
    registers: this.#registers,
  });
  readonly #movementTimes = new Histogram({
    name: 'hlid_gate_movement_duration_seconds',
    help: 'How long gates took to answer.',
    labelNames: ['lane'],
    buckets: SLOW,
    registers: this.#registers,
  });
  readonly #relayTimes = new Histogram({
    name: 'hlid_document_to_relay_seconds',
    help: "From a camera's document to the command to the relay, with everything on the disk.",
    buckets: FAST,
    registers: this.#registers,
  });
  readonly #commits = new Histogram({
    name: 'hlid_commit_duration_seconds',
    help: 'Transactions of the site database, flushed to the disk.',
    buckets: FAST,
    registers: this.#registers,
  });
  readonly #failures = new Counter({
    name: 'hlid_commit_failures_total',
    help: 'Transactions that failed.',
    registers: this.#registers,
  });
  #fault: string | null = null;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The metrics for `GET /metrics`, in the text format of Prometheus. */
  async text(): Promise<string> {
    return await this.#registry.metrics();
  }

  readonly eventWritten = (body: SiteEventBody): void => {
    switch (body.type) {
      case 'passage.decided': {
        const { open, reason } = body.decision;
        this.#decisions.inc({ lane: body.laneId, reason, open: String(open) });
        if (body.read) this.#countRead(body.read);
        for (const alert of body.alerts) this.#alerts.inc({ lane: body.laneId, alert });
        return;
      }
      case 'read.stored':
        this.#countRead(body.read);
        return;
      case 'gate.moved': {
        const { laneId: lane, action, outcome, tookMs } = body;
        this.#movements.inc({ lane, action, outcome });
        this.#movementTimes.observe({ lane }, tookMs / 1000);
        return;
      }
      case 'lane.alert':
        this.#alerts.inc({ lane: body.laneId, alert: body.alert });
        return;
      default:
        return;
    }
  };

  readonly flushed: OnFlushed = (tookMs, failure) => {
    this.#fault = failure === null ? null : messageOf(failure);
    if (failure === null) this.#commits.observe(tookMs / 1000);
    else this.#failures.inc();
  };

  /** A relay was commanded to open, this long after the camera's document. */
  readonly relayCommanded = (sinceDocumentMs: number): void => {
    this.#relayTimes.observe(sinceDocumentMs / 1000);
  };

  /** Why the last transaction failed; null: it did not. */
  commitFault(): string | null {
    return this.#fault;
  }

  #countRead({ cameraId: camera, standing }: StoredRead): void {
    this.#reads.inc({ camera, standing });
  }

  /** Adds what is read from the site on each request; to be called once. */
  watch(site: MeteredSite): void {
    watchSite(site, this.#registers);
  }
}

function watchSite(site: MeteredSite, registers: Registry[]): void {
  gauge('hlid_build_info', 'Always 1; its labels are the running versions.', ['software', 'node'], (set) =>
    set(1, { software: site.software, node: process.versions.node }),
  );
  gauge('hlid_device_state', 'Always 1; how each device is.', ['kind', 'device', 'state'], (set) => {
    for (const { kind, id: device, state } of site.devices()) set(1, { kind, device, state });
  });
  gauge('hlid_device_alarm', '1 where a person should fix a device.', ['kind', 'device'], (set) => {
    for (const { kind, id: device, state } of site.devices()) set(isAlarm(state) ? 1 : 0, { kind, device });
  });
  gauge(
    'hlid_camera_last_seen_timestamp_seconds',
    'When a camera last sent something.',
    ['camera'],
    (set) => {
      for (const { id: camera, lastSeenAt } of site.cameras()) {
        if (lastSeenAt !== null) set(millis(lastSeenAt) / 1000, { camera });
      }
    },
  );
  gauge(
    'hlid_kiosk_last_seen_timestamp_seconds',
    'When the page of the kiosk last asked for the site.',
    [],
    (set) => {
      const seenAt = site.kioskSeenAt();
      if (seenAt !== null) set(seenAt.getTime() / 1000);
    },
  );
  gauge('hlid_disk_free_bytes', 'Free space on the disk of the data folder.', [], (set) => {
    const disk = site.disk();
    if (disk) set(disk.free);
  });
  gauge('hlid_disk_size_bytes', 'Size of the disk of the data folder.', [], (set) => {
    const disk = site.disk();
    if (disk) set(disk.total);
  });
  gauge('hlid_database_bytes', 'Size of the site database.', [], (set) => set(sizeOf(site.databasePath)));
  gauge('hlid_database_wal_bytes', 'Size of its write-ahead log.', [], (set) =>
    set(sizeOf(`${site.databasePath}-wal`)),
  );
  gauge(
    'hlid_certificate_expires_seconds',
    "How long certificates of the site are still valid, and the cloud's as last seen.",
    ['certificate'],
    (set) => {
      for (const { path: certificate, endsAt } of site.certificates())
        set((endsAt.getTime() - site.nowMs()) / 1000, { certificate });
    },
  );
  const { link } = site;
  if (link === null) return;
  gauge('hlid_link_up', '1 while the site is connected to the cloud.', [], (set) =>
    set(link().connected ? 1 : 0),
  );
  gauge('hlid_outbox_waiting_events', 'Events that the cloud has not acknowledged.', [], (set) =>
    set(waitingEvents(link())),
  );
  gauge('hlid_feed_position', 'The newest change of the feed that is applied.', [], (set) =>
    set(link().feedAt),
  );
  gauge('hlid_feed_lag_seconds', "Since the lists were last known to equal the cloud's.", [], (set) =>
    set(site.listsAgeMs() / 1000),
  );
  gauge('hlid_clock_offset_seconds', "How far the cloud's clock is ahead of the site's.", [], (set) => {
    const aheadMs = site.cloudAheadMs();
    if (aheadMs !== null) set(aheadMs / 1000);
  });

  function gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (set: (value: number, labels?: Record<Label, string>) => void) => void,
  ): void {
    const made: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        // Values of the request before must not stay.
        made.reset();
        read((value, labels) => (labels ? made.set(labels, value) : made.set(value)));
      },
    });
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
