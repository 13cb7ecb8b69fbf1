import type { GateMode } from '@hlid/protocol/base/statuses';
import type { GateReason } from '@hlid/protocol/records/gate-reason';
import type { SiteDb } from '../db/site-db.ts';
import type { GateHold } from './gate-mode.ts';

interface HoldRow {
  lane_id: string;
  mode: GateMode;
  since: string;
  given_by: string;
  name: string | null;
  reason_code: GateReason | null;
  reason: string;
  lapses_at: string | null;
  confirmed: number;
}

/** The holds that people have set for the gates, kept over restarts. */
export class GateHoldStore {
  readonly #load;
  readonly #save;
  readonly #remove;

  constructor(db: SiteDb) {
    this.#load = db.prepare<[string], HoldRow>('SELECT * FROM gate_hold WHERE lane_id = ?');
    this.#save = db.prepare(
      `INSERT INTO gate_hold (lane_id, mode, since, given_by, name, reason_code, reason, lapses_at, confirmed)
       VALUES (@laneId, @mode, @since, @by, @name, @reasonCode, @reason, @lapsesAt, @confirmed)
       ON CONFLICT (lane_id) DO UPDATE SET mode = @mode, since = @since, given_by = @by, name = @name,
         reason_code = @reasonCode, reason = @reason, lapses_at = @lapsesAt, confirmed = @confirmed`,
    );
    this.#remove = db.prepare('DELETE FROM gate_hold WHERE lane_id = ?');
  }

  load(laneId: string): GateHold | undefined {
    const row = this.#load.get(laneId);
    if (!row) return undefined;
    const { mode, since, given_by: by, name, reason_code: reasonCode, reason, confirmed } = row;
    return {
      laneId,
      mode,
      since,
      by,
      name,
      reasonCode,
      reason,
      lapsesAt: row.lapses_at,
      confirmed: confirmed === 1,
    };
  }

  save(hold: GateHold): void {
    this.#save.run({ ...hold, confirmed: hold.confirmed ? 1 : 0 });
  }

  /** Removes the hold of a lane after the device has confirmed its release. */
  remove(laneId: string): void {
    this.#remove.run(laneId);
  }
}
