import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import { actorOf, type CloudContext } from '../../../platform/http/cloud-env.ts';
import { inputError, MistakeSchema, REFUSALS } from '../../../platform/http/errors.ts';
import { YesNoSchema } from '../../../platform/http/input-fields.ts';
import { json } from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { englishLines } from '../../../platform/refused.ts';
import { type ImportedLine, importChargebacks } from './import-chargebacks.ts';
import { CHARGEBACK_OUTCOMES } from './provider-chargeback.ts';

/** Typed as text, as OpenAPI has it. */
const CSV: string = 'text/csv';
const EXAMPLE =
  'transactionId,reference,amount,currency,reasonCode,state,deadline\r\n4711,CB-2026-11,1500,ISK,10.4,open,2026-12-05\r\n';

const ImportSchema = z
  .strictObject({
    dryRun: z.boolean().describe('`true`: nothing was done; this is what would be.'),
    lines: z.array(
      z.strictObject({
        line: z.int().min(2).describe('The line in the file; the header is line 1.'),
        outcome: z.enum(CHARGEBACK_OUTCOMES).describe('`unchanged`: it was known, or something newer of it.'),
        reference: z
          .string()
          .nullable()
          .describe('The reference of the chargeback; null: the line cannot be read.'),
        paymentId: z.string().nullable(),
        message: z.string().optional().describe('Why it is refused.'),
        codes: z.array(MistakeSchema).optional(),
      }),
    ),
  })
  .meta({ id: 'ChargebackImport' });

const importRoute = createRoute({
  method: 'post',
  path: '/payments/chargebacks',
  tags: ['Payments'],
  summary: 'Record the chargebacks of a provider’s file',
  description:
    'CSV with the columns `reference`, `amount`, `currency`, `reasonCode`, `state` (`open`, `won`, `lost` or `prevented`), and ' +
    '`transactionId` (the provider’s) or `payment` (our id, the provider’s merchant reference); `deadline` and `evidence` ' +
    'where there are any. Other columns do not count, nor do capital letters in their names. An amount with a decimal ' +
    'point is in the currency’s own unit, one without is in its minor unit. A line that is wrong keeps no other from ' +
    'being recorded. The same file once more changes nothing. What a line leaves empty stays as it is.',
  request: {
    query: z.strictObject({
      gateway: z.string().min(1).max(40).describe('The gateway, as the configuration names it.'),
      dryRun: YesNoSchema.optional().describe('`true`: only report what each line would come to.'),
    }),
    body: { content: { [CSV]: { schema: z.string(), example: EXAMPLE } } },
  },
  responses: {
    200: { description: 'The outcome of each line', content: json(ImportSchema) },
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

export function chargebackImportRoutes({
  db,
  clock,
  cardGateways,
}: Pick<CloudContext, 'db' | 'clock' | 'cardGateways'>) {
  return createRouter().openapi(importRoute, async (c) => {
    const type = c.req.header('content-type') ?? '';
    if (!/^text\/csv\b/i.test(type)) return inputError(c, mistake('send-csv'));
    const { gateway: gatewayId, dryRun = false } = c.req.valid('query');
    const known = cardGateways.ids();
    if (!known.includes(gatewayId)) {
      return inputError(c, mistake('no-such-gateway', 'gateway', { known }));
    }
    const file = await c.req.text();
    const done = await importChargebacks(db, actorOf(c, clock), file, { gatewayId, dryRun });
    return done.ok
      ? c.json({ dryRun, lines: done.lines.map(shownLine) }, 200)
      : inputError(c, ...done.mistakes);
  });
}

function shownLine(line: ImportedLine): z.infer<typeof ImportSchema>['lines'][number] {
  if (line.outcome !== 'refused') return line;
  const { mistakes, ...rest } = line;
  return { ...rest, message: englishLines(mistakes).join('; '), codes: mistakes };
}
