import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { keysToStore } from '@hlid/protocol/records/passage';
import type { SiteDb } from '../db/site-db.ts';

/** A read as it was stored, with its passage as it is now. */
export interface PlacedRead {
  id: string;
  laneId: string;
  passageId: string | null;
  score: number;
  /** Its gate was opened. */
  passed: boolean;
}

/** The places of reads, which are known after a lane has stored them. */
export interface ReadPlaces {
  /** @param at when it came */
  find(cameraId: string, read: PlateRead, at: UtcTime): PlacedRead | undefined;
  /** The read of a passage that stands at its visit: that with which the visit began or ended. */
  visitReadOf(passageId: string): string | null;
}

export function createReadPlaces(db: SiteDb): ReadPlaces {
  const find = db.prepare<
    [string, string, string | null, number],
    Omit<PlacedRead, 'passed'> & { passed: number | null }
  >(
    `SELECT read.id, read.lane_id laneId, read.passage_id passageId, read.score,
       unpacked(passage.decision) ->> '$.open' passed
     FROM read LEFT JOIN passage ON passage.id = read.passage_id
     WHERE camera_id = ? AND event_key = ? AND read.plate IS ? AND read.score = ? AND standing <> 'camera-inactive'`,
  );
  const visitRead = db
    .prepare<[string], string | null>(
      `SELECT CASE passage.lane_id
         WHEN visit ->> '$.entryLaneId' THEN visit ->> '$.entryReadId'
         WHEN visit ->> '$.exitLaneId' THEN visit ->> '$.exitReadId' END
       FROM passage, (SELECT id, unpacked(body) AS visit FROM visit) AS stay
       WHERE stay.id = passage.visit_id AND passage.id = ?`,
    )
    .pluck();

  return {
    find(cameraId, read, at) {
      for (const key of keysToStore(read, at).reverse()) {
        const row = find.get(cameraId, key, read.plate, read.score);
        if (row) return { ...row, passed: row.passed === 1 };
      }
      return undefined;
    },
    visitReadOf: (passageId) => visitRead.get(passageId) ?? null,
  };
}
