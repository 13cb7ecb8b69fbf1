import { invoiceTable } from '@hlid/cloud/records/invoices/invoice-table';
import { settlementTable, visitStepTable, visitTable } from '@hlid/cloud/records/visits/visit-table';
import { CLOUD_FLAGS } from '@hlid/cloud/stays/visits/intake/ingest-visit';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { ReviewFlagSchema, type Visit } from '@hlid/protocol/records/visit';
import { moveBetween } from '@hlid/protocol/rules/visit-state';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PairedSite, pairSite } from '../harness/paired-site.ts';

const PRICE = 500;
const PLATES = ['ABX12', 'MKJ45', 'OTH99'] as const;

async function startBooks({ invoicesOwners }: { invoicesOwners: boolean }): Promise<PairedSite> {
  const books = await pairSite();
  const { api } = books;
  await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { invoicesOwners } } });
  await api.made('/products', {
    type: 'default',
    price: PRICE,
    vehicleCategory: 'light',
    productCode: 'L',
  });
  await books.down();
  return books;
}

const cloudVisits = ({ api }: PairedSite) =>
  api.db.read(async (q) => await q.select().from(visitTable).orderBy(visitTable.id));

const reason = 'seen in the picture';
/** A visit, by its index in the cloud's visits. */
const visit = fc.nat({ max: 11 });
const plate = fc.constantFrom(...PLATES);
const hours = fc.integer({ min: 1, max: 40 });
const paymentStatus = fc.constantFrom('kiosk', 'owner-invoice', 'company-invoice', 'void', 'whitelisted');
const body = fc.oneof(
  fc.record({ plate }),
  fc.record({ status: fc.constantFrom('new', 'need-payment', 'completed'), reason: fc.constant(reason) }),
  fc.record({ paymentStatus, reason: fc.constant(reason) }),
  fc.record({ paymentStatus, status: fc.constant('completed'), reason: fc.constant(reason) }),
);

const ACTIONS = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('drive' as const),
      lane: fc.constantFrom('in-1' as const, 'out-1' as const),
      plate,
      hours,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('up' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('down' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), visit, body }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('split' as const),
      visit,
      part: fc.integer({ min: 1, max: 9 }),
      plate: fc.option(plate),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('join' as const),
      visit,
      other: visit,
      plate: fc.option(plate),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('review' as const), visit }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('begin' as const), plate, hours }) },
);
type Action = typeof ACTIONS extends fc.Arbitrary<infer Made> ? Made : never;

/** Does it, and looks that the answer is one of those that there are. */
async function carryOut(books: PairedSite, action: Action): Promise<void> {
  const { api, site } = books;
  const call = async (path: string, sent: unknown, method = 'POST') => {
    const { status } = await api.call(method, path, { body: sent });
    expect([303, 400, 422]).toContain(status);
  };
  const visits = await cloudVisits(books);
  const at = (place: number) => visits[place % Math.max(1, visits.length)];
  const chosen = 'visit' in action ? at(action.visit) : undefined;
  if ('visit' in action && chosen === undefined) return;
  const path = `/visit/${chosen?.id}`;
  switch (action.kind) {
    case 'drive':
      await site.read(action.lane, action.plate);
      return books.wait(action.hours * HOUR_MS);
    case 'up':
      return await books.up();
    case 'down':
      return await books.down();
    case 'edit':
      return await call(path, action.body, 'PUT');
    case 'split': {
      const from = Date.parse(chosen?.startedAt ?? api.now());
      const to = Date.parse(chosen?.endedAt ?? api.now());
      const moment = utcTime(from + Math.round((action.part / 10) * (to - from)));
      return await call(`${path}/split`, { at: moment, reason, ...plateOf(action) });
    }
    case 'join':
      return await call(`${path}/join`, { visitId: at(action.other)?.id, reason, ...plateOf(action) });
    case 'review':
      return await call(`${path}/reviewed`, {});
    case 'begin': {
      const startedOn = utcTime(Date.parse(api.now()) - action.hours * HOUR_MS);
      return await call('/visits', { startedOn, plate: action.plate, reason });
    }
    default:
      return action satisfies never;
  }
}

function plateOf({ plate: given }: { plate: string | null }) {
  return given === null ? {} : { plate: given };
}

/** The fields of a visit that both have. */
function shared({ price, ...known }: Omit<Visit, 'createdAt'>) {
  const { id, status, startedAt, endedAt, unitsMet, quota } = known;
  return {
    id,
    plate: known.plate,
    status,
    paymentStatus: known.paymentStatus,
    startedAt,
    endedAt,
    unitsMet,
    quota,
    // Its site does not have the flags that only the cloud raises.
    flags: ReviewFlagSchema.options.filter(
      (flag) => known.flags.includes(flag) && !CLOUD_FLAGS.includes(flag),
    ),
    due: price?.amountMinor ?? null,
  };
}

it('the books agree and no settlement is lost, whatever is done to visits at site and cloud', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(ACTIONS, { minLength: 15, maxLength: 40, size: 'max' }),
      fc.boolean(),
      async (actions, invoicesOwners) => {
        const books = await startBooks({ invoicesOwners });
        const { api, site } = books;
        try {
          for (const action of actions) await carryOut(books, action);
          await books.up();
          await books.down();
          await books.up();
          const cloud = await cloudVisits(books);
          const there = site.visits().toSorted((a, b) => (a.id < b.id ? -1 : 1));
          expect(cloud.map(shared)).toEqual(there.map(shared));

          await api.db.read(async (q) => {
            for (const step of await q.select().from(visitStepTable)) {
              const { from, to } = step;
              if (from !== null && from !== to) {
                expect(from !== to && (moveBetween(from, to) ?? 'none'), `${from} to ${to}`).not.toBe('none');
              }
            }
            const settlements = await q.select().from(settlementTable);
            for (const visit of cloud) {
              const units = settlements
                .filter(({ visitId }) => visitId === visit.id)
                .reduce((sum, settlement) => sum + settlement.units, 0);
              expect(visit.unitsMet, visit.id).toBe(units);
            }
            const invoices = await q.select().from(invoiceTable);
            for (const { id: cause, paymentStatus: how, amountMinor } of settlements) {
              const made = invoices.filter((invoice) => invoice.cause === cause).length;
              if (how === 'kiosk' && amountMinor > 0) expect(made, cause).toBe(1);
              else if (how !== 'owner-invoice') expect(made, cause).toBe(0);
            }
            // No driver is charged twice for the same time. (The cloud charged for what it had not received,
            // such as an end.)
            for (const { id, startedAt } of cloud) {
              const charged = invoices
                .filter(({ visitId }) => visitId === id)
                .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
              const stayMs = Date.parse(api.now()) - Date.parse(startedAt);
              expect(charged, id).toBeLessThanOrEqual(PRICE * Math.ceil(stayMs / DAY_MS));
            }
          });
        } finally {
          await books.close();
        }
      },
    ),
    { numRuns: 25 },
  );
});
