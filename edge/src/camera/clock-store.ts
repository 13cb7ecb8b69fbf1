import type { SiteDb } from '../db/site-db.ts';
import type { ClockBeliefs } from './camera-clock.ts';

/** What was learned of the cameras' clocks, kept over restarts. */
export interface ClockStore {
  load(): ClockBeliefs;
  save(beliefs: ClockBeliefs): void;
}

export function createClockStore(db: SiteDb): ClockStore {
  const all = db.prepare<[], { cameraId: string; behindMs: number }>(
    'SELECT camera_id AS cameraId, behind_ms AS behindMs FROM camera_clock',
  );
  const clear = db.prepare('DELETE FROM camera_clock');
  const insert = db.prepare('INSERT INTO camera_clock VALUES (?, ?)');
  return {
    load: () => Object.fromEntries(all.all().map(({ cameraId, behindMs }) => [cameraId, behindMs])),
    save(beliefs) {
      clear.run();
      for (const [cameraId, behindMs] of Object.entries(beliefs)) insert.run(cameraId, behindMs);
    },
  };
}
