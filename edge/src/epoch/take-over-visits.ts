import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import type { ChangeContext } from '@hlid/protocol/rules/visit-transitions';
import type { Statement } from 'better-sqlite3';
import { MetaStore } from '../db/meta-store.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { VisitService } from '../visit/visit-service.ts';
import type { VisitStore } from '../visit/visit-store.ts';

interface TakeOverParts {
  visits: VisitStore;
  visitService: Pick<VisitService, 'loseExit'>;
  feedAt: () => number;
  exitLanes: readonly string[];
}

/**
 * Takes over the visits that are open in the cloud, within the running transaction: for a site with a new
 * database or an old copy. Visits that this epoch has reported are newer, and stay.
 */
export class VisitTakeOver {
  readonly #events: Pick<EdgeContext['events'], 'append'>;
  readonly #parts: TakeOverParts;
  readonly #meta: MetaStore;
  readonly #store: TakeOverStore;

  constructor({ db, events }: Pick<EdgeContext, 'db' | 'events'>, parts: TakeOverParts) {
    this.#events = events;
    this.#parts = parts;
    this.#meta = new MetaStore(db);
    this.#store = new TakeOverStore(db, parts.exitLanes);
  }

  /** @returns the ids of the visits that are now as in the cloud */
  run(inCloud: readonly Visit[], at: UtcTime): ReadonlySet<string> {
    if (this.#meta.get('cloud-lost-events') !== undefined) this.#reportAgain(at);
    const context = { at, by: 'site', reason: 'taken-over' };
    const reported = new Set(this.#store.reported());
    const known = new Set(inCloud.map(({ id }) => id));
    for (const id of this.#store.open()) {
      // It ended while the site used another database: the cloud knows how.
      if (!reported.has(id) && !known.has(id)) this.#store.delete(id);
    }
    const taken = inCloud.filter(({ id }) => !reported.has(id));
    for (const visit of taken) this.#takeOver(visit, context);
    return new Set(taken.map(({ id }) => id));
  }

  /** The visit becomes as it is in the cloud, except for what happened here before this was known. */
  #takeOver(visit: Visit, context: ChangeContext): void {
    const { visits, visitService } = this.#parts;
    const { plate, startedAt, endedAt } = visit;
    const inside = endedAt === null && plate !== null ? visits.openByPlate(plate) : undefined;
    // A plate can be inside only once: of two visits, the exit of the earlier one was missed.
    if (inside !== undefined && inside.id !== visit.id) {
      if (inside.startedAt > startedAt) return void visitService.loseExit(visit, context);
      visitService.loseExit(inside, context);
    }
    visits.save(visit);
    if (endedAt !== null || plate === null) return;
    // It left as an unknown car, and may have left and returned before that: nothing is billed.
    const leftAt = this.#store.leftUnknownAt(plate, startedAt);
    if (leftAt) visitService.loseExit(visit, { ...context, at: leftAt });
  }

  /** The cloud has lost events that are gone here too: the site reports each visit and payment as it is now. */
  #reportAgain(at: UtcTime): void {
    const { visits, feedAt } = this.#parts;
    for (const id of this.#store.unreported()) {
      const visit = visits.get(id);
      if (!visit) continue;
      const type = visit.endedAt === null ? 'visit.updated' : 'visit.ended';
      visits.save(visit, this.#events.append({ type, visit, step: null, feedAt: feedAt() }, at));
    }
    // Payments are taken over after their visits; those that the cloud knows already change nothing there.
    for (const body of this.#store.payments())
      this.#events.append({ type: 'payment.changed', payment: JSON.parse(body) }, at);
    this.#meta.remove('cloud-lost-events');
  }
}

class TakeOverStore {
  readonly #reported: Statement<[], string>;
  readonly #unreported: Statement<[], string>;
  readonly #open: Statement<[], string>;
  readonly #delete: Statement;
  readonly #payments: Statement<[], string>;
  readonly #leftUnknownAt: Statement<[string, string, string], string>;
  readonly #exitLanes: string;

  constructor(db: SiteDb, exitLanes: readonly string[]) {
    this.#exitLanes = JSON.stringify(exitLanes);
    // Event numbers start at 1 in each epoch: visits that only an earlier epoch reported have 0 or less.
    this.#reported = db.prepare<[], string>('SELECT id FROM visit WHERE reported_seq > 0').pluck();
    this.#unreported = db
      .prepare<[], string>('SELECT id FROM visit WHERE reported_seq <= 0 ORDER BY rowid')
      .pluck();
    this.#open = db.prepare<[], string>('SELECT id FROM visit WHERE ended_at IS NULL').pluck();
    this.#delete = db.prepare('DELETE FROM visit WHERE id = ?');
    this.#payments = db.prepare<[], string>('SELECT unpacked(body) FROM payment ORDER BY rowid').pluck();
    this.#leftUnknownAt = db
      .prepare<[string, string, string], string>(
        `SELECT max(last_seen_at) FROM passage
         WHERE lane_id IN (SELECT value FROM json_each(?)) AND plate = ? AND last_seen_at > ?
           AND visit_id IS NULL AND json_extract(unpacked(decision), '$.open')`,
      )
      .pluck();
  }

  reported(): string[] {
    return this.#reported.all();
  }

  unreported(): string[] {
    return this.#unreported.all();
  }

  open(): string[] {
    return this.#open.all();
  }

  delete(id: string): void {
    this.#delete.run(id);
  }

  payments(): string[] {
    return this.#payments.all();
  }

  leftUnknownAt(plate: string, since: UtcTime): UtcTime | undefined {
    return this.#leftUnknownAt.get(this.#exitLanes, plate, since);
  }
}
