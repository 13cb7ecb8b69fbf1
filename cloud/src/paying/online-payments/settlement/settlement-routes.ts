import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { createRoute, z } from '@hono/zod-openapi';
import type { CloudContext } from '../../../platform/http/cloud-env.ts';
import { inputError, REFUSALS } from '../../../platform/http/errors.ts';
import { json } from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { compareSettlement } from './compare-settlement.ts';
import { readSettlementFile, SETTLED_KINDS } from './settlement-file.ts';

/** Typed as text, as OpenAPI has it. */
const CSV: string = 'text/csv';
const EXAMPLE = 'transactionId,kind,amount,currency,date\r\n4711,sale,1500,ISK,2026-11-21\r\n';

const amount = z.int().describe('The amount in the currency’s minor unit.');
const sums = z.array(
  z.strictObject({ kind: z.enum(SETTLED_KINDS), currency: CurrencySchema, count: z.int(), amount }),
);

const ComparisonSchema = z
  .strictObject({
    from: z.iso.date().describe('The first day in the file.'),
    to: z.iso.date(),
    agrees: sums.describe('Transactions that agree.'),
    fees: sums.describe("The provider's fees; our books do not have them."),
    differences: z.array(
      z.strictObject({
        problem: z
          .enum(['missing-here', 'missing-there', 'other-amount'])
          .describe('`missing-here`: only in the file. `missing-there`: only in our books.'),
        kind: z.enum(SETTLED_KINDS),
        transactionId: z.string(),
        paymentId: z.string().nullable(),
        currency: CurrencySchema,
        here: amount.nullable(),
        there: amount.nullable(),
      }),
    ),
  })
  .meta({ id: 'SettlementComparison' });

const compareRoute = createRoute({
  method: 'post',
  path: '/payments/settlement-report',
  tags: ['Payments'],
  summary: 'Compare a provider’s settlement report with our books',
  description:
    'CSV with the columns `transactionId`, `kind` (`sale`, `refund`, `chargeback`, `chargeback-won` or `fee`), ' +
    '`amount`, `currency` and `date` (a day, UTC). An amount with a decimal point is in the ' +
    'currency’s main unit, one without is in its minor unit. Signs are ignored, but where chargebacks ' +
    'are negative, positive ones are `chargeback-won`. A refund and a ' +
    'chargeback have the transaction of their sale. Entries of one transaction and kind are added ' +
    'up. Nothing is changed.',
  request: {
    query: z.strictObject({
      gateway: z.string().min(1).max(40).describe('The id of the gateway in the configuration.'),
    }),
    body: { content: { [CSV]: { schema: z.string(), example: EXAMPLE } } },
  },
  responses: {
    200: { description: 'The agreement, and each difference', content: json(ComparisonSchema) },
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

export function settlementRoutes({ db, cardGateways }: Pick<CloudContext, 'db' | 'cardGateways'>) {
  return createRouter().openapi(compareRoute, async (c) => {
    const type = c.req.header('content-type') ?? '';
    if (!/^text\/csv\b/i.test(type)) return inputError(c, mistake('send-csv'));
    const { gateway } = c.req.valid('query');
    const known = cardGateways.ids();
    if (!known.includes(gateway)) {
      return inputError(c, mistake('no-such-gateway', 'gateway', { known }));
    }
    const file = readSettlementFile(await c.req.text());
    if (!file.ok) return inputError(c, ...file.mistakes);
    const { agrees, fees, differences, ...period } = await db.read((q) =>
      compareSettlement(q, gateway, file.lines),
    );
    const shown = {
      ...period,
      agrees: agrees.map(({ amountMinor, ...sum }) => ({ ...sum, amount: amountMinor })),
      fees: fees.map(({ amountMinor, ...sum }) => ({ ...sum, amount: amountMinor })),
      differences: differences.map(({ hereMinor: here, thereMinor: there, ...one }) => ({
        ...one,
        here,
        there,
      })),
    };
    return c.json(shown, 200);
  });
}
