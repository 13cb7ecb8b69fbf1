import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import type { Decision } from '@hlid/protocol/records/decision';
import type { ReadStanding } from '@hlid/protocol/records/passage';
import { alertsOf } from '@hlid/protocol/rules/passage-transitions';
import type { LaneAlert, StoredRead } from '@hlid/protocol/site-link/site-event';
import type { LaneConfig } from '../config/config.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { Passage, PassageStore } from './passage-store.ts';

/**
 * Stores what happens to the passages of a lane, each with its event, within the running transaction. A read and its
 * decision are one event.
 */
export class PassageRecorder {
  readonly #lane: Pick<LaneConfig, 'id' | 'direction'>;
  readonly #passages: PassageStore;
  readonly #events: EventLog;
  readonly #feedAt: () => number;
  /** The read that is being decided on, not in an event yet. */
  #undecided: StoredRead | null = null;

  constructor(
    lane: Pick<LaneConfig, 'id' | 'direction'>,
    site: { passages: PassageStore; events: EventLog; feedAt: () => number },
  ) {
    this.#lane = lane;
    this.#passages = site.passages;
    this.#events = site.events;
    this.#feedAt = site.feedAt;
  }

  /** Stores a read that decides nothing. @returns its id */
  read(
    read: PlateRead,
    cameraId: string,
    at: UtcTime,
    standing: ReadStanding,
    passageId: string | null,
  ): string {
    const stored = this.#saveRead(read, cameraId, at, standing, passageId);
    this.#reportRead(stored);
    return stored.id;
  }

  /** Stores a read that counts, within `deciding`. @returns its id */
  countedRead(read: PlateRead, cameraId: string, at: UtcTime, passageId: string | null): string {
    const stored = this.#saveRead(read, cameraId, at, 'counts', passageId);
    this.#undecided = stored;
    return stored.id;
  }

  /** Runs the work of a read that counts: the read is reported with its decision, or alone where there is none. */
  deciding<Result>(work: () => Result): Result {
    try {
      const result = work();
      if (this.#undecided) this.#reportRead(this.#undecided);
      return result;
    } finally {
      this.#undecided = null;
    }
  }

  decision(passage: Passage, decision: Decision, at: UtcTime, alerts: readonly LaneAlert[] = []): void {
    const { id: passageId, plate, visitId } = passage;
    const { id: laneId, direction } = this.#lane;
    const read = this.#undecided;
    this.#undecided = null;
    const feedAt = this.#feedAt();
    const all = [...alerts, ...alertsOf(decision)];
    const where = { passageId, laneId, direction, plate, visitId };
    this.#events.append({ type: 'passage.decided', decision, feedAt, read, alerts: all, ...where }, at);
  }

  /** @param passage of the car that it is about; null: unknown */
  alert(alert: LaneAlert, passage: { id: string | null; plate: string | null } | null, at: UtcTime): void {
    const { id: passageId = null, plate = null } = passage ?? {};
    this.#events.append({ type: 'lane.alert', laneId: this.#lane.id, alert, plate, passageId }, at);
  }

  #saveRead(
    read: PlateRead,
    cameraId: string,
    at: UtcTime,
    standing: ReadStanding,
    passageId: string | null,
  ): StoredRead {
    // The read comes last: adding to a copy takes as long as writing the row.
    const own = { id: newId(), cameraId, laneId: this.#lane.id, receivedAt: at, standing, passageId };
    const stored: StoredRead = { ...own, ...read };
    this.#passages.saveRead(stored);
    return stored;
  }

  #reportRead(read: StoredRead): void {
    this.#events.append({ type: 'read.stored', read }, read.receivedAt);
  }
}
