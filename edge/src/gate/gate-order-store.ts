import type { SiteDb } from '../db/site-db.ts';
import type { GateMode, GateOrder } from './gate-order.ts';

/** The standing orders, across restarts. */
export interface GateOrderStore {
  load(): GateOrder[];
  save(order: GateOrder): void;
  /** Nothing stands, and the device knows. */
  remove(laneId: string): void;
}

interface OrderRow {
  lane_id: string;
  mode: GateMode;
  since: string;
  given_by: string;
  why: string;
  lapses_at: string | null;
  told: number;
}

export function createGateOrderStore(db: SiteDb): GateOrderStore {
  const load = db.prepare<[], OrderRow>('SELECT * FROM gate_order');
  const save = db.prepare(
    `INSERT INTO gate_order VALUES (@laneId, @mode, @since, @by, @why, @lapsesAt, @told)
     ON CONFLICT (lane_id) DO UPDATE SET mode = @mode, since = @since, given_by = @by, why = @why,
       lapses_at = @lapsesAt, told = @told`,
  );
  const remove = db.prepare('DELETE FROM gate_order WHERE lane_id = ?');
  return {
    load: () =>
      load.all().map(({ lane_id: laneId, given_by: by, lapses_at: lapsesAt, told, ...row }) => {
        return { ...row, laneId, by, lapsesAt, told: told === 1 };
      }),
    save: (order) => void save.run({ ...order, told: order.told ? 1 : 0 }),
    remove: (laneId) => void remove.run(laneId),
  };
}
