import { randomUUID } from 'node:crypto';
import type { SiteEvent } from '@hlid/protocol/site-link/site-event';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { books, numbered, useIngest } from '../../../test/ingest.ts';
import { sampleStay } from '../../../test/sample-events.ts';
import type { Db } from '../../platform/db/db.ts';
import { openDb } from '../../platform/db/libsql-db.ts';

const ingest = useIngest();
const { apply } = ingest;

describe('the same events in any split, again and again, with crashes', () => {
  class Crash extends Error {}

  /** Everything is done, and lost before it is committed. */
  const crashing = (of: Db): Db => ({
    read: (work) => of.read(work),
    write: (work) =>
      of.write(async (tx) => {
        await work(tx);
        throw new Crash();
      }),
    onAnnounced: (listener) => of.onAnnounced(listener),
    announced: (names) => of.announced(names),
    close: () => of.close(),
  });

  const Delivery = fc.record({
    from: fc.nat(40),
    events: fc.integer({ min: 1, max: 12 }),
    after: fc.constantFrom('go on', 'go on', 'crash before commit', 'start anew'),
  });

  it('come to the same books', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(Delivery, { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (deliveries, stays) => {
          ingest.epoch = randomUUID();
          const bodies = Array.from({ length: stays }, (_, at) => sampleStay(`CAR${at}`)).flat();
          const events: SiteEvent[] = numbered(...bodies);
          const path = ingest.newPath();
          let crooked = await openDb(path);
          for (const { from, events: count, after } of deliveries) {
            const batch = events.slice(from, from + count);
            if (batch.length === 0) continue;
            if (after === 'crash before commit') {
              await expect(apply(batch, { to: crashing(crooked) })).rejects.toThrow(Crash);
            } else {
              await apply(batch, { to: crooked });
            }
            if (after !== 'go on') {
              await crooked.close();
              crooked = await openDb(path);
            }
          }
          await apply(events, { to: crooked });

          const straight = await openDb(ingest.newPath());
          for (const event of events) await apply([event], { to: straight });
          expect(await books(crooked)).toEqual(await books(straight));
          await Promise.all([crooked.close(), straight.close()]);
        },
      ),
      { numRuns: 25 },
    );
  });
});
