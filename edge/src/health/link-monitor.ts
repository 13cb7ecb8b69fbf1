import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { z } from 'zod';
import { type LinkBoard, waitingEvents } from '../cloud-link/link-view.ts';
import type { HealthSettings } from '../config/config.ts';
import type { DeviceHealth } from './device-health.ts';
import { siteWide } from './device-ref.ts';
import { linkSignal, listsSignal, waitingSignal } from './health-signals.ts';
import type { HealthStore } from './health-store.ts';

const ListsNoteSchema = z.object({ receivedAt: z.number() });

/** Reports the health of the link to the cloud: the connection, the lists that come down, the events that go up. */
export class LinkMonitor {
  readonly #parts: LinkMonitorParts;
  #listsCurrentAt: number;
  #acknowledged = -1;
  /** When the cloud last acknowledged something, or nothing waited. */
  #movedAt: number;

  constructor(parts: LinkMonitorParts) {
    this.#parts = parts;
    this.#listsCurrentAt = parts.store.note('lists', ListsNoteSchema)?.receivedAt ?? parts.now();
    this.#movedAt = parts.tick();
  }

  check(): void {
    const { devices, link, settings, now } = this.#parts;
    if (!link) return;
    const view = link.view();
    if (view.connected && view.listsTrouble === null) this.#listsCurrentAt = now();
    devices.report(siteWide('link'), 'link', linkSignal(view));
    const maxAgeMs = settings.listsMaxAgeHours * HOUR_MS;
    devices.report(siteWide('lists'), 'age', listsSignal(link.listsDiffer(), this.listsAgeMs(), maxAgeMs));
    const waiting = waitingEvents(view);
    const maxMs = settings.waitingMaxMinutes * MINUTE_MS;
    const stuckMs = this.#stuckMs(waiting, view.acknowledged);
    devices.report(siteWide('outbox'), 'waiting', waitingSignal(waiting, stuckMs, maxMs));
  }

  /** Stores what was learned, within the running transaction. */
  save(): void {
    this.#parts.store.saveNote('lists', { receivedAt: this.#listsCurrentAt });
  }

  /** Milliseconds since the lists were last known to equal the cloud's. */
  listsAgeMs(): number {
    return this.#parts.now() - this.#listsCurrentAt;
  }

  /** The time for which the cloud has not acknowledged any waiting event. */
  #stuckMs(waiting: number, acknowledged: number): number {
    if (waiting === 0 || acknowledged !== this.#acknowledged) this.#movedAt = this.#parts.tick();
    this.#acknowledged = acknowledged;
    return this.#parts.tick() - this.#movedAt;
  }
}

interface LinkMonitorParts {
  devices: Pick<DeviceHealth, 'report'>;
  store: HealthStore;
  /** Null: the site runs without a cloud. */
  link: Pick<LinkBoard, 'view' | 'listsDiffer'> | null;
  settings: HealthSettings;
  /** Milliseconds of the site's clock. */
  now: () => number;
  /** The milliseconds of a monotonic clock. */
  tick: () => number;
}
