import type { SiteDb } from '../db/site-db.ts';
import type { ClockBeliefs } from './camera-clock.ts';

/** The corrections of the cameras' clocks, kept over restarts. */
export class ClockStore {
  readonly #all;
  readonly #clear;
  readonly #insert;

  constructor(db: SiteDb) {
    this.#all = db.prepare<[], { cameraId: string; behindMs: number }>(
      'SELECT camera_id AS cameraId, behind_ms AS behindMs FROM camera_clock',
    );
    this.#clear = db.prepare('DELETE FROM camera_clock');
    this.#insert = db.prepare('INSERT INTO camera_clock (camera_id, behind_ms) VALUES (?, ?)');
  }

  load(): ClockBeliefs {
    return Object.fromEntries(this.#all.all().map(({ cameraId, behindMs }) => [cameraId, behindMs]));
  }

  save(beliefs: ClockBeliefs): void {
    this.#clear.run();
    for (const [cameraId, behindMs] of Object.entries(beliefs)) this.#insert.run(cameraId, behindMs);
  }
}
