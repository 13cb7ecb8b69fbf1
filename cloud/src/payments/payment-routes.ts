import { CurrencySchema } from '@hlid/protocol/money';
import { PaymentStateSchema, ReceiptCardSchema } from '@hlid/protocol/payment';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { CloudContext, CloudEnv } from '../http/cloud-env.ts';
import { CursorParamSchema, listOf, PAGE_ROWS, readPage } from '../http/list-envelope.ts';
import { json, LIST_REFUSALS } from '../http/route-schemas.ts';
import { createRouter } from '../http/router.ts';
import { countForPerson, listForPerson, type PaymentRow } from './payment-store.ts';

const WaitingPaymentSchema = z
  .strictObject({
    id: z.string().describe('Of its invoice too: `POST /invoice/{id}/refund` gives it back in the books.'),
    siteId: z.string(),
    visitId: z.string(),
    terminalId: z.string(),
    state: PaymentStateSchema,
    why: z
      .enum(['settled-twice', 'terminal'])
      .describe(
        '`settled-twice`: its visit had been settled or voided elsewhere, and the site did not know. `terminal`: what ' +
          'became of it is not known, or it could not be taken back; it is concluded at the site.',
      ),
    reason: z.string().nullable().describe('A code of the site.'),
    price: z.strictObject({ amount: z.int(), currency: CurrencySchema }),
    card: ReceiptCardSchema.nullable(),
    createdOn: UtcTimeSchema,
    changedOn: UtcTimeSchema,
  })
  .meta({
    id: 'WaitingPayment',
    example: {
      ...{
        id: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
        siteId: '5b0c',
        visitId: '7d1f',
        terminalId: 'kiosk-1',
      },
      ...{ state: 'settled', why: 'settled-twice', reason: null, price: { amount: 500, currency: 'ISK' } },
      card: { type: 'visa', lastFour: '4242' },
      ...{ createdOn: '2026-11-21T11:00:00.000Z', changedOn: '2026-11-21T11:00:30.000Z' },
    },
  });

const listRoute = createRoute({
  method: 'get',
  path: '/payments',
  tags: ['Payments'],
  summary: 'Card payments that need a person, newest first',
  description:
    'One that was settled twice leaves the list with a refund of its visit, or when the flag `settled-twice` of the ' +
    'visit is ticked off.',
  request: { query: z.strictObject({ next: CursorParamSchema.optional() }) },
  responses: {
    200: { description: 'Payments', content: json(listOf(WaitingPaymentSchema)) },
    ...LIST_REFUSALS,
  },
});

export function paymentRoutes({ db }: CloudContext): OpenAPIHono<CloudEnv> {
  return createRouter().openapi(listRoute, async (c) => {
    const { next: cursor } = c.req.valid('query');
    const page = await db.read((q) =>
      readPage(
        { cursor, rows: PAGE_ROWS },
        ({ createdAt, id }: PaymentRow) => ({ rank: 0, at: createdAt, id }),
        (limit) => listForPerson(q, { cursor, limit }),
        () => countForPerson(q),
      ),
    );
    return c.json({ ...page, data: page.data.map(shown) }, 200);
  });
}

function shown(payment: PaymentRow): z.infer<typeof WaitingPaymentSchema> {
  const { id, siteId, visitId, terminalId, state, reason, amountMinor, currency, transaction } = payment;
  return {
    ...{ id, siteId, visitId, terminalId, state, reason },
    why: payment.settledTwice ? 'settled-twice' : 'terminal',
    price: { amount: amountMinor, currency },
    card: transaction?.card ?? null,
    createdOn: payment.createdAt,
    changedOn: payment.changedAt,
  };
}
