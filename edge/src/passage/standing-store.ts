import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { isForgotten, type StandingPlate } from '@hlid/protocol/rules/standing-plate';
import type { SiteDb } from '../db/site-db.ts';

/** Limit of a lane; of more, those that were read last are kept. */
const MAX_OF_LANE = 20;

/**
 * The plates that stand still in view of the lanes' cameras. A lane seldom has any, so all of them are in
 * memory.
 */
export class StandingStore {
  readonly #all;
  readonly #save;
  readonly #remove;
  #byLane: Map<string, readonly StandingPlate[]> | null = null;

  constructor(db: SiteDb) {
    this.#all = db.prepare<[], { lane_id: string; body: string }>(
      'SELECT lane_id, body FROM standing_plate ORDER BY seen_at DESC',
    );
    this.#save = db.prepare(
      `INSERT INTO standing_plate (lane_id, plate, seen_at, body) VALUES (?, ?, ?, ?)
       ON CONFLICT (lane_id, plate) DO UPDATE SET seen_at = excluded.seen_at, body = excluded.body`,
    );
    this.#remove = db.prepare('DELETE FROM standing_plate WHERE lane_id = ? AND plate = ?');
  }

  /** The standing plates of a lane, the one that was read last first. */
  of(laneId: string): readonly StandingPlate[] {
    return this.#loaded().get(laneId) ?? [];
  }

  save(laneId: string, standing: StandingPlate): void {
    const { plate, seenAt } = standing;
    this.#save.run(laneId, plate, seenAt, JSON.stringify(standing));
    const others = this.of(laneId).filter((other) => other.plate !== plate);
    const all = [standing, ...others];
    for (const [place, old] of all.entries()) {
      if (place >= MAX_OF_LANE || isForgotten(old, seenAt)) this.#remove.run(laneId, old.plate);
    }
    const kept = all.filter((each, place) => place < MAX_OF_LANE && !isForgotten(each, seenAt));
    this.#loaded().set(laneId, kept);
  }

  remove(laneId: string, { plate }: StandingPlate): void {
    this.#remove.run(laneId, plate);
    const others = this.of(laneId).filter((other) => other.plate !== plate);
    this.#loaded().set(laneId, others);
  }

  /** Shifts the times by a change of the clock, within the transaction. */
  shift(byMs: number): void {
    const moved = (at: UtcTime) => utcTime(millis(at) + byMs);
    for (const [laneId, all] of [...this.#loaded()]) {
      for (const standing of all) {
        const { since, seenAt, advisedAt } = standing;
        this.save(laneId, {
          ...standing,
          since: moved(since),
          seenAt: moved(seenAt),
          advisedAt: advisedAt && moved(advisedAt),
        });
      }
    }
  }

  /** Forgets what is in memory: after a transaction that was undone, or rows that were erased. */
  refresh(): void {
    this.#byLane = null;
  }

  #loaded(): Map<string, readonly StandingPlate[]> {
    if (this.#byLane) return this.#byLane;
    const byLane = new Map<string, StandingPlate[]>();
    for (const { lane_id: laneId, body } of this.#all.all()) {
      const standing: StandingPlate = JSON.parse(body);
      byLane.set(laneId, [...(byLane.get(laneId) ?? []), standing]);
    }
    this.#byLane = byLane;
    return byLane;
  }
}
