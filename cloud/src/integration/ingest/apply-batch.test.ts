import { randomUUID } from 'node:crypto';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { foldPlate } from '@hlid/protocol/plate/plate';
import type { DecisionReason } from '@hlid/protocol/records/decision';
import type { Visit } from '@hlid/protocol/records/visit';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { books, clock, numbered, SITE, useIngest } from '../../../test/ingest.ts';
import {
  eventAt,
  passageEvent,
  readEvent,
  sampleStay,
  sampleStep,
  sampleVisit,
  visitEvent,
} from '../../../test/sample-events.ts';
import { eq, sql } from '../../platform/db/sql.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { rejectedEventTable } from '../../records/sites/event-cursor-table.ts';
import { visitStepTable, visitTable } from '../../records/visits/visit-table.ts';

const ingest = useIngest();
const { apply } = ingest;

describe('a batch', () => {
  it('becomes visits, reads, decisions and movements, each once', async () => {
    const result = await apply(numbered(...sampleStay('MKJ45')));
    expect(result).toEqual({ committed: 9, applied: 9, rejected: [], gap: false });
    const counts = Object.fromEntries(
      Object.entries(await books(ingest.db)).map(([table, rows]) => [table, rows.length]),
    );
    expect(counts).toEqual({
      visit: 1,
      visit_step: 3,
      photo: 2,
      passage_decision: 3,
      gate_movement: 2,
      lane_alert: 0,
      site_device: 1,
      event_cursor: 1,
      rejected_event: 0,
      // Events of the visit, its decisions and movements.
      integration_event: 8,
    });
    const [visit] = await ingest.db.read(async (q) => await q.select().from(visitTable));
    expect(visit).toMatchObject({
      siteId: SITE,
      plate: 'MKJ45',
      plateFolded: 'MKJ45',
      status: 'completed',
      paymentStatus: 'kiosk',
      amountMinor: 500,
      currency: 'ISK',
    });
  });

  it('is passed over where it is applied already, and its rest taken where it is not', async () => {
    const events = numbered(...sampleStay('MKJ45'));
    await apply(events.slice(0, 6));
    const before = await books(ingest.db);
    expect(await apply(events.slice(0, 6))).toMatchObject({ committed: 6, applied: 0, gap: false });
    expect(await books(ingest.db)).toEqual(before);
    expect(await apply(events.slice(3))).toMatchObject({ committed: 9, applied: 3, gap: false });
  });

  it('changes nothing when an old batch comes again, in whatever pieces', async () => {
    // Its newest event is one that would leave a trace if it were applied again.
    const events = numbered(...sampleStay('MKJ45'), ...sampleStay('TRN02').slice(0, -2));
    await apply(events);
    const before = await books(ingest.db);
    await fc.assert(
      fc.asyncProperty(fc.nat(events.length - 1), fc.nat(events.length - 1), async (from, to) => {
        const replayed = await apply(events.slice(Math.min(from, to), Math.max(from, to) + 1));
        expect(replayed).toEqual({ committed: events.length, applied: 0, rejected: [], gap: false });
        expect(await books(ingest.db)).toEqual(before);
      }),
      { numRuns: 30, examples: [[0, 2]] },
    );
  });

  it('is not applied over a gap', async () => {
    const events = numbered(...sampleStay('MKJ45'));
    await apply(events.slice(0, 2));
    expect(await apply(events.slice(3))).toMatchObject({ committed: 2, applied: 0, gap: true });
    const [, , third, , fifth] = events;
    expect(await apply([third, fifth])).toMatchObject({ committed: 3, applied: 1, gap: true });
  });

  it('counts again in a new epoch, and a read that is sent again in it stays one read', async () => {
    const read = readEvent();
    await apply(numbered(read));
    ingest.epoch = randomUUID();
    expect(await apply(numbered(read, readEvent()))).toMatchObject({ committed: 2, applied: 2 });
    expect((await books(ingest.db))['photo']).toHaveLength(2);
  });

  it('keeps what it cannot understand and goes on', async () => {
    const [good, bad, last] = [
      eventAt(1, readEvent()),
      { seq: 2, at: 'yesterday', body: { type: 'ufo.landed' } },
      eventAt(3, readEvent()),
    ];
    const result = await apply([good, bad, last]);
    expect(result).toMatchObject({ committed: 3, applied: 2, rejected: [{ seq: 2 }] });
    const [rejected] = await ingest.db.read(async (q) => await q.select().from(rejectedEventTable));
    expect(rejected).toMatchObject({ siteId: SITE, epoch: ingest.epoch, seq: 2, event: JSON.stringify(bad) });
    expect(rejected?.error).toContain('at');
    expect((await books(ingest.db))['photo']).toHaveLength(2);
  });

  it('keeps what the database refuses, leaves nothing of it, and goes on', async () => {
    await ingest.db.write(async ({ q }) => {
      await q.run(
        sql.raw(`CREATE TRIGGER refuse BEFORE INSERT ON visit_step WHEN new.reason = 'poison'
        BEGIN SELECT RAISE(ABORT, 'no such step'); END`),
      );
    });
    const poisoned = sampleVisit();
    const events = numbered(
      readEvent(),
      visitEvent('visit.opened', poisoned, { step: sampleStep({ reason: 'poison' }) }),
      readEvent(),
    );
    expect(await apply(events)).toMatchObject({ committed: 3, applied: 2, rejected: [{ seq: 2 }] });
    const { photo, visit } = await books(ingest.db);
    expect([photo?.length, visit?.length]).toEqual([2, 0]);
  });

  it('fails whole, and refuses nothing, where the fault is of the database and not of an event', async () => {
    const run = (text: string) => ingest.db.write(async ({ q }) => void (await q.run(sql.raw(text))));
    await run(`CREATE TRIGGER refuse BEFORE INSERT ON visit_step WHEN new.reason = 'poison'
      BEGIN SELECT RAISE(ABORT, 'no such step'); END`);
    const poisoned = visitEvent('visit.opened', sampleVisit(), { step: sampleStep({ reason: 'poison' }) });
    const events = numbered(poisoned, readEvent());
    await run('ALTER TABLE photo RENAME TO photo_elsewhere');
    await expect(apply(events)).rejects.toThrow();
    await run('ALTER TABLE photo_elsewhere RENAME TO photo');
    expect(await apply(events)).toMatchObject({ committed: 2, applied: 1, rejected: [{ seq: 1 }] });
    expect((await books(ingest.db))['rejected_event']).toHaveLength(1);
  });

  it('never touches the visits of another site', async () => {
    const visit = sampleVisit();
    await apply(numbered(visitEvent('visit.opened', visit)));
    const result = await apply(numbered(visitEvent('visit.updated', { ...visit, plate: 'STOLEN' })), {
      siteId: 'site-b',
    });
    expect(result).toMatchObject({ committed: 1, applied: 0, rejected: [{ seq: 1 }] });
    const rows = await ingest.db.read(async (q) => await q.select().from(visitTable));
    expect(rows).toMatchObject([{ siteId: SITE, plate: 'ABX12' }]);
  });

  it('leaves a visit as its site has it, whatever of it has changed', async () => {
    const other: Partial<Visit> = {
      plate: 'ZZT09',
      status: 'completed',
      paymentStatus: 'kiosk',
      startedAt: utcTime(clock.now().getTime() - 5000),
      endedAt: utcTime(clock.now()),
      createdAt: utcTime(clock.now()),
      price: {
        amountMinor: 700,
        currency: 'ISK',
        lines: [],
        product: { id: 'p', version: 2 },
        pricedAt: utcTime(clock.now()),
      },
      unitsMet: 2,
      paidMinor: 700,
      paidUntil: utcTime(clock.now()),
      flags: ['lost-exit'],
      entryLaneId: 'in-2',
      exitLaneId: 'out-2',
      entryReadId: randomUUID(),
      exitReadId: randomUUID(),
      exitFoundBy: 'near',
      permitId: 'permit-2',
    };
    const changes = [{}, ...Object.entries(other).map(([name, value]) => ({ [name]: value })), other];
    const stays = changes.map((change) => ({ before: sampleVisit(), after: sampleVisit(change) }));
    const twice = stays.flatMap(({ before, after: { id: _, ...after } }) => [
      visitEvent('visit.opened', before),
      visitEvent('visit.updated', { ...before, ...after }),
    ]);
    const once = stays.map(({ after }) => visitEvent('visit.opened', after));
    await apply(numbered(...twice, ...once));
    const rows = await ingest.db.read(async (q) => await q.select().from(visitTable));
    const rowOf = ({ id: wanted }: Visit) => {
      // The source of the plate depends on how the visit began.
      const {
        id: _,
        modifiedAt: _at,
        plateByPerson: _by,
        ...row
      } = rows.find(({ id }) => id === wanted) ?? {};
      return row;
    };
    for (const { before, after } of stays) expect(rowOf(before)).toEqual(rowOf(after));
  });

  it.each([
    ['counts', 'ABX12', 'new'],
    ['counts', null, 'need-review'],
    ['low-score', 'ABX12', 'need-review'],
    ['late', 'ABX12', 'need-review'],
  ] as const)('makes of a read that %s with plate %s a photo that is %s', async (standing, plate, status) => {
    await apply(numbered(readEvent({ standing, plate })));
    const rows = await ingest.db.read(async (q) => await q.select().from(photoTable));
    expect(rows).toMatchObject([{ standing, plate, status }]);
  });
});

describe('a read of a passage', () => {
  const statuses = async () => {
    const rows = await ingest.db.read(async (q) => await q.select().from(photoTable));
    return Object.fromEntries(rows.map(({ eventKey, status }) => [eventKey, status]));
  };
  const decided = (reason: DecisionReason, visitId: string | null) => {
    const { read } = readEvent({ eventKey: 'decided' });
    const { decision } = passageEvent();
    const passageId = read.passageId ?? randomUUID();
    const another = (eventKey: string, standing: 'counts' | 'low-score') =>
      readEvent({ passageId, eventKey, standing });
    return numbered(
      passageEvent({ passageId, read, visitId, direction: 'exit', decision: { ...decision, reason } }),
      another('again', 'counts'),
      another('worse', 'low-score'),
    );
  };

  it.each(['no-visit', 'ambiguous-visit'] as const)(
    'waits for a person where it found %s',
    async (reason) => {
      await apply(decided(reason, null));
      expect(await statuses()).toEqual({ decided: 'need-review', again: 'new', worse: 'need-review' });
    },
  );

  it('waits for no person where its visit is known, however badly it was read', async () => {
    await apply(decided('paid', sampleVisit().id));
    expect(await statuses()).toEqual({ decided: 'new', again: 'new', worse: 'new' });
  });

  it('waits for no person where no visit was wanted', async () => {
    const [passage] = decided('permits-only', null);
    await apply([passage]);
    expect(await statuses()).toEqual({ decided: 'new' });
  });
});

describe('what a person has edited in the cloud', () => {
  const visit = sampleVisit();
  const ended = {
    ...visit,
    status: 'completed',
    endedAt: utcTime(clock.now()),
    paymentStatus: 'kiosk',
  } as const;
  const stored = async () => (await ingest.db.read(async (q) => await q.select().from(visitTable)))[0];
  const edit = (fields: Partial<typeof visitTable.$inferInsert>) =>
    ingest.db.write(
      async ({ q }) => void (await q.update(visitTable).set(fields).where(eq(visitTable.id, visit.id))),
    );

  beforeEach(async () => {
    await apply(numbered(visitEvent('visit.opened', visit, { feedAt: 3 })));
  });

  it('stands until the site has applied it, field by field', async () => {
    await edit({ plate: 'ABX13', plateFolded: 'ABX13', plateEditedAt: 5 });
    await apply([eventAt(2, visitEvent('visit.ended', ended, { feedAt: 4 }))]);
    expect(await stored()).toMatchObject({ plate: 'ABX13', status: 'completed', paymentStatus: 'kiosk' });
    await apply([eventAt(3, visitEvent('visit.updated', { ...ended, plate: 'ABX14' }, { feedAt: 5 }))]);
    expect(await stored()).toMatchObject({ plate: 'ABX14', plateFolded: foldPlate('ABX14') });
  });

  it('keeps status, end and money apart', async () => {
    await edit({ status: 'need-payment', statusEditedAt: 5, endedAt: null, endedEditedAt: 5 });
    await apply([eventAt(2, visitEvent('visit.ended', ended, { feedAt: 4 }))]);
    expect(await stored()).toMatchObject({ status: 'need-payment', endedAt: null, paymentStatus: 'kiosk' });
    await edit({ paymentStatus: 'void', unitsMet: 2, paymentEditedAt: 6 });
    await apply([eventAt(3, visitEvent('visit.updated', ended, { feedAt: 5 }))]);
    expect(await stored()).toMatchObject({ status: 'completed', paymentStatus: 'void', unitsMet: 2 });
  });
});

it('stores the read and the alerts of a decision, each once', async () => {
  const { read } = readEvent();
  const events = numbered(passageEvent({ read, alerts: ['tailgating', 'blocklist-lookalike'] }));
  await apply(events);
  await apply(events);
  const stored = await books(ingest.db);
  expect(stored['photo']).toHaveLength(1);
  expect(stored['passage_decision']).toHaveLength(1);
  const alert = (name: string) => expect.stringContaining(`"${name}"`);
  expect(stored['lane_alert']).toEqual([alert('blocklist-lookalike'), alert('tailgating')]);
});

it('keeps the history of a visit in the order in which it was made', async () => {
  await apply(numbered(...sampleStay('MKJ45')));
  const steps = await ingest.db.read(async (q) => await q.select().from(visitStepTable));
  expect(steps.map(({ from, to }) => [from, to])).toEqual([
    [null, 'new'],
    ['new', 'need-payment'],
    ['need-payment', 'completed'],
  ]);
});
