import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { CardBrandSchema } from '@hlid/protocol/records/payment';
import type { DaySum } from '@hlid/protocol/site-link/site-event';
import { createRoute, z } from '@hono/zod-openapi';
import type { Queries } from '../../platform/db/db.ts';
import { desc, type InferSelectModel, inArray } from '../../platform/db/sql.ts';
import { ownRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import { responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { terminalDayTable as t } from '../../records/payments/payment-table.ts';

const SumSchema = z.strictObject({
  type: z.enum([...CardBrandSchema.options, 'all']),
  count: z.int().nullable().describe('Null: the terminal does not count them.'),
  amount: z.int(),
});

const TerminalDaySchema = z
  .strictObject({
    id: z.string(),
    siteId: z.string(),
    terminalId: z.string(),
    currency: CurrencySchema,
    terminal: z.array(SumSchema).describe('What the terminal has booked since its last end of the day.'),
    books: z.array(SumSchema).describe('The same by the journal of the site.'),
    agrees: z.boolean(),
    endedOn: UtcTimeSchema,
  })
  .meta({
    id: 'TerminalDay',
    example: {
      id: '7d1f0c52-1',
      siteId: '5b0c',
      terminalId: 'kiosk-1',
      currency: 'ISK',
      terminal: [{ type: 'visa', count: 12, amount: 14_500 }],
      books: [{ type: 'visa', count: 12, amount: 14_500 }],
      agrees: true,
      endedOn: '2026-11-21T23:58:00.000Z',
    },
  });

/** Ends of days that are shown; the others are in the events of their sites. */
const MAX_DAYS = 200;

const listRoute = createRoute({
  method: 'get',
  path: '/payments/terminal-days',
  tags: ['Payments'],
  summary: 'List the ends of the days of card terminals, newest first',
  description: `The sums of each terminal beside those of the books. At most the newest ${MAX_DAYS}.`,
  request: { query: z.strictObject({ siteId: IdSchema.optional() }) },
  responses: responses.list(TerminalDaySchema, 'Ends of days'),
});

export function terminalDayRoutes({ db }: Pick<CloudContext, 'db'>) {
  return createRouter().openapi(listRoute, async (c) => {
    const { siteId } = c.req.valid('query');
    const own = ownRows(callerOf(c, 'account'));
    const siteIds = siteId === undefined ? sitesOf(own) : seesSite(own, siteId) ? [siteId] : [];
    const rows = await db.read((q) => newestDays(q, siteIds));
    return c.json(wholeList(rows.map(shownDay)), 200);
  });
}

type DayRow = InferSelectModel<typeof t>;

async function newestDays(q: Queries, siteIds: readonly string[] | null): Promise<DayRow[]> {
  // The search is by the few sites, and not through those of all others.
  const theirs = siteIds === null ? undefined : inArray(t.siteId, [...siteIds]);
  return await q.select().from(t).where(theirs).orderBy(desc(t.at)).limit(MAX_DAYS);
}

function shownDay({ cards, booked, at, ...day }: DayRow): z.infer<typeof TerminalDaySchema> {
  return { ...day, terminal: cards.map(shownSum), books: booked.map(shownSum), endedOn: at };
}

function shownSum({ amountMinor: amount, ...sum }: DaySum) {
  return { ...sum, amount };
}
