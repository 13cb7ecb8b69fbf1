import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import type { ReadStanding } from '@hlid/protocol/records/passage';
import { alertsOf } from '@hlid/protocol/rules/passage-transitions';
import type { LaneAlert, StoredRead } from '@hlid/protocol/site-link/site-event';
import type { LaneConfig } from '../config/config.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { Passage, PassageStore } from './passage-store.ts';

interface RecorderContext {
  lane: Pick<LaneConfig, 'id' | 'direction'>;
  passages: PassageStore;
  events: EventLog;
  feedAt(): number;
}

/**
 * Stores what happens to the passages of a lane, each with its event, within the running transaction. A read and its
 * decision are one event.
 */
export class PassageRecorder {
  readonly #context: RecorderContext;
  /** The read that is being decided on, not in an event yet. */
  #undecided: StoredRead | null = null;

  constructor(context: RecorderContext) {
    this.#context = context;
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

  decision(passage: Passage, at: UtcTime, alerts: readonly LaneAlert[] = []): void {
    const { id: passageId, plate, visitId, decision } = passage;
    const { lane, events, feedAt } = this.#context;
    const { id: laneId, direction } = lane;
    const read = this.#undecided;
    this.#undecided = null;
    const all = [...alerts, ...alertsOf(decision)];
    const where = { passageId, laneId, direction, plate, visitId };
    events.append({ type: 'passage.decided', decision, feedAt: feedAt(), read, alerts: all, ...where }, at);
  }

  /** @param passage of the car that it is about; null: unknown */
  alert(alert: LaneAlert, passage: { id: string | null; plate: string | null } | null, at: UtcTime): void {
    const { id: passageId = null, plate = null } = passage ?? {};
    const { lane, events } = this.#context;
    events.append({ type: 'lane.alert', laneId: lane.id, alert, plate, passageId }, at);
  }

  #saveRead(
    read: PlateRead,
    cameraId: string,
    at: UtcTime,
    standing: ReadStanding,
    passageId: string | null,
  ): StoredRead {
    const { lane, passages } = this.#context;
    // The read comes last: adding to a copy takes as long as writing the row.
    const own = { id: newId(), cameraId, laneId: lane.id, receivedAt: at, standing, passageId };
    const stored: StoredRead = { ...own, ...read };
    passages.saveRead(stored);
    return stored;
  }

  #reportRead(read: StoredRead): void {
    this.#context.events.append({ type: 'read.stored', read }, read.receivedAt);
  }
}
