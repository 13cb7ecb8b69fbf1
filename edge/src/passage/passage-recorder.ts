import type { Decision } from '@hlid/protocol/decision';
import type { ReadStanding } from '@hlid/protocol/passage';
import { alertsOf } from '@hlid/protocol/passage-transitions';
import type { PlateRead } from '@hlid/protocol/plate-read';
import type { SiteEventBody } from '@hlid/protocol/site-event';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { LaneConfig } from '../config.ts';
import { newId } from '../new-id.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { Passage, PassageStore } from './passage-store.ts';

export type LaneAlert = Extract<SiteEventBody, { type: 'lane.alert' }>['alert'];

/** Stores what happens to the passages of a lane, each with its event, within the running transaction. */
export class PassageRecorder {
  readonly #lane: Pick<LaneConfig, 'id' | 'direction'>;
  readonly #passages: PassageStore;
  readonly #events: EventLog;
  readonly #feedAt: () => number;

  constructor(
    lane: Pick<LaneConfig, 'id' | 'direction'>,
    site: { passages: PassageStore; events: EventLog; feedAt: () => number },
  ) {
    this.#lane = lane;
    this.#passages = site.passages;
    this.#events = site.events;
    this.#feedAt = site.feedAt;
  }

  /** @returns the id of the stored read */
  read(
    read: PlateRead,
    cameraId: string,
    at: UtcTime,
    standing: ReadStanding,
    passageId: string | null,
  ): string {
    const id = newId();
    const stored = { ...read, id, cameraId, laneId: this.#lane.id, receivedAt: at, standing, passageId };
    this.#passages.saveRead(stored);
    this.#events.append({ type: 'read.stored', read: stored }, at);
    return id;
  }

  decision(passage: Passage, decision: Decision, at: UtcTime): void {
    const { id: passageId, plate, visitId } = passage;
    const { id: laneId, direction } = this.#lane;
    const feedAt = this.#feedAt();
    this.#events.append(
      { type: 'passage.decided', passageId, laneId, direction, plate, decision, visitId, feedAt },
      at,
    );
    for (const alert of alertsOf(decision)) this.alert(alert, passage, at);
  }

  /** @param passage of the car that it is about; null: nobody knows it */
  alert(alert: LaneAlert, passage: Pick<Passage, 'id' | 'plate'> | null, at: UtcTime): void {
    const { id: passageId = null, plate = null } = passage ?? {};
    this.#events.append({ type: 'lane.alert', laneId: this.#lane.id, alert, plate, passageId }, at);
  }
}
