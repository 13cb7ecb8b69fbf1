import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { createMetaStore } from '../db/meta-store.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { TakeOverVisits } from '../site-lists/feed-store.ts';
import type { VisitService } from '../visit/visit-service.ts';
import type { VisitStore } from '../visit/visit-store.ts';

export function createTakeOver(parts: {
  db: SiteDb;
  visits: VisitStore;
  book: Pick<VisitService, 'loseExit'>;
  events: Pick<EventLog, 'append'>;
  feedAt: () => number;
  exitLanes: readonly string[];
}): TakeOverVisits {
  const { db, visits, book, events, feedAt } = parts;
  const meta = createMetaStore(db);
  // Numbers of events count from 1 in each epoch: what the one before has told of stands at 0 and below.
  const told = db.prepare<[], string>('SELECT id FROM visit WHERE reported_seq > 0').pluck();
  const open = db.prepare<[], string>('SELECT id FROM visit WHERE ended_at IS NULL').pluck();
  const forget = db.prepare('DELETE FROM visit WHERE id = ?');
  const untold = db
    .prepare<[], string>('SELECT id FROM visit WHERE reported_seq <= 0 ORDER BY rowid')
    .pluck();
  const payments = db.prepare<[], string>('SELECT body FROM payment ORDER BY rowid').pluck();
  const exitLanes = JSON.stringify(parts.exitLanes);
  const leftUnknown = db
    .prepare<[string, string, string], string>(
      `SELECT max(last_seen_at) FROM passage
       WHERE lane_id IN (SELECT value FROM json_each(?)) AND plate = ? AND last_seen_at > ?
         AND visit_id IS NULL AND json_extract(decision, '$.open')`,
    )
    .pluck();

  /** It is as the cloud has it, but for what happened here before this was known. */
  function takeOver(visit: Visit, context: { at: UtcTime; by: string; why: string }): void {
    const { plate, startedAt, endedAt } = visit;
    const inside = endedAt === null && plate !== null ? visits.openByPlate(plate) : undefined;
    // One plate is inside once: of two visits the earlier one's exit was missed.
    if (inside !== undefined && inside.id !== visit.id) {
      if (inside.startedAt > startedAt) return void book.loseExit(visit, context);
      book.loseExit(inside, context);
    }
    visits.save(visit);
    if (endedAt !== null || plate === null) return;
    // Let out as a car that nobody knew: it may have gone and come back before that, so nothing is billed.
    const leftAt = leftUnknown.get(exitLanes, plate, startedAt);
    if (leftAt) book.loseExit(visit, { ...context, at: leftAt });
  }

  /** The cloud has forgotten what it was told, and the events are gone: it hears how each visit and payment is. */
  function tellAgain(at: UtcTime): void {
    for (const id of untold.all()) {
      const visit = visits.get(id);
      if (!visit) continue;
      const type = visit.endedAt === null ? 'visit.updated' : 'visit.ended';
      visits.save(visit, events.append({ type, visit, step: null, feedAt: feedAt() }, at));
    }
    // After their visits; what the cloud knows of them already changes nothing there.
    for (const body of payments.all())
      events.append({ type: 'payment.changed', payment: JSON.parse(body) }, at);
    meta.remove('cloud-forgot');
  }

  return (inCloud, at) => {
    if (meta.get('cloud-forgot') !== undefined) tellAgain(at);
    const context = { at, by: 'site', why: 'taken-over' };
    const ours = new Set(told.all());
    const theirs = inCloud.filter(({ id }) => !ours.has(id));
    const known = new Set(inCloud.map(({ id }) => id));
    for (const id of open.all()) {
      // It has ended while another database kept the site's books: the cloud knows how.
      if (!ours.has(id) && !known.has(id)) forget.run(id);
    }
    for (const visit of theirs) takeOver(visit, context);
    return new Set(theirs.map(({ id }) => id));
  };
}
