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

type LaneAlert = Extract<SiteEventBody, { type: 'lane.alert' }>['alert'];

/** What a lane writes down of a passage, each with its event, within the running transaction. */
export interface PassageNotes {
  /** @returns the id of the stored read */
  read(
    read: PlateRead,
    cameraId: string,
    at: UtcTime,
    standing: ReadStanding,
    passageId: string | null,
  ): string;
  decision(passage: Passage, decision: Decision, at: UtcTime): void;
  alert(alert: LaneAlert, passage: Passage, at: UtcTime): void;
}

export function createPassageNotes(parts: {
  lane: LaneConfig;
  passages: PassageStore;
  events: EventLog;
  feedAt: () => number;
}): PassageNotes {
  const { lane, passages, events, feedAt } = parts;
  const laneId = lane.id;

  function alert(alert: LaneAlert, passage: Passage, at: UtcTime): void {
    events.append({ type: 'lane.alert', laneId, alert, plate: passage.plate, passageId: passage.id }, at);
  }

  return {
    read(read, cameraId, at, standing, passageId) {
      const stored = { ...read, id: newId(), cameraId, laneId, receivedAt: at, standing, passageId };
      passages.saveRead(stored);
      events.append({ type: 'read.stored', read: stored }, at);
      return stored.id;
    },
    decision(passage, decision, at) {
      const { id: passageId, plate, visitId } = passage;
      const { direction } = lane;
      events.append(
        { type: 'passage.decided', passageId, laneId, direction, plate, decision, visitId, feedAt: feedAt() },
        at,
      );
      for (const what of alertsOf(decision)) alert(what, passage, at);
    },
    alert,
  };
}
