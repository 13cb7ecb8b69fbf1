import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { MAX_WARNING_CHARGE } from '@hlid/protocol/records/collection-law';
import { createRoute, z } from '@hono/zod-openapi';
import { audit } from '../../people/audit/audit.ts';
import { actorOf, type CloudContext } from '../../platform/http/cloud-env.ts';
import { notFound } from '../../platform/http/errors.ts';
import { SsnSchema } from '../../platform/http/input-fields.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { type BankAgreementRow, bankAgreementTable } from '../../records/books/claim-table.ts';
import { findAgreement, listAgreements } from './agreements.ts';
import { DayAmountSchema } from './claim.ts';

const tags = ['Claims'];

const fields = {
  owner: SsnSchema.describe(
    'The national id of the company that has the agreement: its claims are collected.',
  ),
  branch: z
    .string()
    .regex(/^\d{4}$/)
    .describe('The branch, four digits.'),
  templateCode: z
    .string()
    .regex(/^[0-9A-Z]{3}$/)
    .describe('The code of the contract, three characters.'),
  licence: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .nullable()
    .describe('The licence of the Central Bank to collect for other companies; null: there is none.'),
  interest: z.boolean().describe('Interest for late payments, at the maximum of the Central Bank.'),
  defaultCharge: DayAmountSchema.refine(({ amount }) => amount <= MAX_WARNING_CHARGE)
    .nullable()
    .describe('The charge for a late payment, within regulation 37/2009: 950 at most; null: none.'),
  partPayments: z.boolean().describe('Whether a part may be paid.'),
};

const AgreementSchema = z.strictObject(fields).meta({
  id: 'BankAgreement',
  example: {
    owner: '5501012020',
    branch: '0133',
    templateCode: 'HLI',
    licence: null,
    interest: true,
    defaultCharge: null,
    partPayments: false,
  },
});

const BankSchema = z
  .strictObject({
    id: z.string().describe('As the configuration names it, which has its address and credentials.'),
    isConfigured: z.boolean().describe('False: the configuration does not name it any more.'),
    agreement: AgreementSchema.nullable().describe('Null: none is set, and no claim is made there.'),
    modifiedOn: UtcTimeSchema.nullable(),
  })
  .meta({ id: 'ClaimBank' });

const listRoute = createRoute({
  method: 'get',
  path: '/banks',
  tags,
  summary: 'List the banks that collect claims, with what was agreed',
  responses: responses.list(BankSchema, 'Banks'),
});

const editRoute = createRoute({
  method: 'put',
  path: '/bank/{id}',
  tags,
  summary: 'Set what was agreed with a bank about claims',
  description: 'Claims that are made keep the terms that they have.',
  request: { params: IdParamSchema, body: jsonBody(AgreementSchema) },
  responses: responses.write(BankSchema, 'The bank'),
});

/** Banks of the configuration, and the agreements by which they collect. */
export function bankRoutes({ db, clock, banks }: Pick<CloudContext, 'db' | 'clock' | 'banks'>) {
  const bankFrom = (id: string, row: BankAgreementRow | null) => ({
    id,
    isConfigured: banks.get(id) !== null,
    agreement: row && agreementFrom(row),
    modifiedOn: row?.modifiedAt ?? null,
  });
  return createRouter()
    .openapi(listRoute, async (c) => {
      const rows = await db.read(listAgreements);
      const ids = new Set([...banks.ids(), ...rows.map(({ bankId }) => bankId)]);
      const all = [...ids].sort().map((id) => bankFrom(id, rows.find(({ bankId }) => bankId === id) ?? null));
      return c.json(wholeList(all), 200);
    })
    .openapi(editRoute, async (c) => {
      const { id } = c.req.valid('param');
      if (banks.get(id) === null) return notFound(c, 'bank');
      const actor = actorOf(c, clock);
      const row = rowFrom(id, c.req.valid('json'), actor.at);
      await db.write(async (tx) => {
        const before = await findAgreement(tx.q, id);
        await tx.q
          .insert(bankAgreementTable)
          .values(row)
          .onConflictDoUpdate({ target: bankAgreementTable.bankId, set: row });
        const change = { action: 'bank.update', subject: 'bank', subjectId: id, before, after: row };
        await audit(tx, actor, change);
      });
      return c.json(bankFrom(id, row), 303, { Location: '/banks' });
    });
}

function agreementFrom(row: BankAgreementRow): z.infer<typeof AgreementSchema> {
  const { defaultCharge } = row;
  return {
    owner: row.ownerId,
    branch: row.branch,
    templateCode: row.templateCode,
    licence: row.licence,
    interest: row.hasInterest,
    defaultCharge: defaultCharge && { days: defaultCharge.days, amount: defaultCharge.amountMinor },
    partPayments: row.takesPartPayments,
  };
}

function rowFrom(
  bankId: string,
  body: z.infer<typeof AgreementSchema>,
  modifiedAt: string,
): BankAgreementRow {
  const { owner, defaultCharge, interest, partPayments, ...rest } = body;
  return {
    ...rest,
    bankId,
    ownerId: owner,
    hasInterest: interest,
    defaultCharge: defaultCharge && { days: defaultCharge.days, amountMinor: defaultCharge.amount },
    takesPartPayments: partPayments,
    modifiedAt,
  };
}
