import { nowUtc } from '@hlid/node/clock';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { actionsFor } from '../../people/auth/record-actions.ts';
import { type Caller, ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { CursorParamSchema, readPage } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import type { ClaimMovementRow, StoredTerms } from '../../records/books/claim-table.ts';
import { askAboutClaim, type ClaimResult, cancelClaim, changeClaim, createClaim } from './change-claims.ts';
import {
  ClaimCancelSchema,
  ClaimEditSchema,
  ClaimSchema,
  ClaimStateSchema,
  ClaimWithMovementsSchema,
  NewClaimSchema,
  type ShownClaim,
} from './claim.ts';
import { CLAIM_ACTION_NAMES, CLAIM_ACTIONS } from './claim-actions.ts';
import {
  countClaims,
  type FoundClaimRow,
  findShownClaim,
  listClaims,
  movementsOf,
  placeByCreation,
} from './claim-store.ts';

const tags = ['Claims'];

const listRoute = createRoute({
  method: 'get',
  path: '/claims',
  tags,
  summary: 'List claims at banks, newest first',
  request: {
    query: z.strictObject({
      state: ClaimStateSchema.optional(),
      siteId: IdSchema.optional(),
      invoiceId: IdSchema.optional(),
      customerId: IdSchema.optional(),
      dueBefore: z.iso.date().optional().describe('Due before that day, whatever became of it.'),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: responses.list(ClaimSchema, 'Claims'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/claims',
  tags,
  summary: 'Make a claim at a bank for what is open of an invoice',
  description:
    'The claim belongs to the seller of the invoice, and is collected by the agreement of that company. Collecting for another ' +
    'company is refused unless the agreement names a licence. Its id at the bank is allocated here; the bank gets it within a ' +
    'minute. An order of unknown outcome is never repeated before the bank was asked for the claim.',
  request: { body: jsonBody(NewClaimSchema) },
  responses: responses.write(ClaimWithMovementsSchema, 'The claim'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/claim/{id}',
  tags,
  summary: 'Get a claim, with what was paid and taken back',
  request: { params: IdParamSchema },
  responses: responses.read(ClaimWithMovementsSchema, 'The claim'),
});

const editRoute = createRoute({
  method: 'put',
  path: '/claim/{id}',
  tags,
  summary: 'Change the terms of a claim at the bank',
  description: 'After a payment the amount and the discount are fixed.',
  request: { params: IdParamSchema, body: jsonBody(ClaimEditSchema) },
  responses: responses.write(ClaimWithMovementsSchema, 'The claim, with the order to change it'),
});

const cancelRoute = createRoute({
  method: 'post',
  path: '/claim/{id}/cancel',
  tags,
  summary: 'Cancel a claim at the bank',
  description: 'The invoice stays open.',
  request: { params: IdParamSchema, body: jsonBody(ClaimCancelSchema) },
  responses: responses.write(ClaimWithMovementsSchema, 'The claim, with the order to cancel it'),
});

const followRoute = createRoute({
  method: 'post',
  path: '/claim/{id}/follow',
  tags,
  summary: 'Ask the bank about a claim now',
  description:
    'Its payments and reversals are booked within seconds, and `followedOn` is later then. Without this call the bank is asked ' +
    'every two hours about an unpaid claim, and twice a day about one that was paid.',
  request: { params: IdParamSchema },
  responses: responses.write(ClaimWithMovementsSchema, 'The claim as it was before'),
});

/** Claims at banks: operators make, change and cancel them. */
export function claimRoutes({ db, clock }: Pick<CloudContext, 'db' | 'clock'>) {
  async function show(c: Context<CloudEnv>, id: string) {
    const caller = callerOf(c, 'account');
    return await db.read(async (q) => {
      const row = await findShownClaim(q, id);
      if (row === null) return null;
      const movements = await movementsOf(q, [id]);
      return { ...claimFrom(row), movements: movements.map(movementFrom), actions: actionsOf(caller, row) };
    });
  }
  async function answer(c: Context<CloudEnv>, result: ClaimResult) {
    if (!result.ok) return refuse(c, 'claim', result);
    const shown = await show(c, result.claim.id);
    if (shown === null) return notFound(c, 'claim');
    return c.json(shown, 303, { Location: `/claim/${shown.id}` });
  }
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const list = await db.read((q) =>
        readPage(
          { cursor },
          placeByCreation,
          (limit) => listClaims(q, filters, own, { cursor, limit }),
          () => countClaims(q, filters, own),
        ),
      );
      return c.json({ ...list, data: list.data.map(claimFrom) }, 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createClaim(
        db,
        { ...actorOf(c, clock), caller: callerOf(c, 'account') },
        c.req.valid('json'),
      );
      return await answer(c, made);
    })
    .openapi(getRoute, async (c) => {
      const shown = await show(c, c.req.valid('param').id);
      return shown === null ? notFound(c, 'claim') : c.json(shown, 200);
    })
    .openapi(editRoute, async (c) => {
      const { id } = c.req.valid('param');
      return await answer(c, await changeClaim(db, actorOf(c, clock), id, c.req.valid('json')));
    })
    .openapi(cancelRoute, async (c) => {
      return await answer(
        c,
        await cancelClaim(db, actorOf(c, clock), c.req.valid('param').id, c.req.valid('json').reason),
      );
    })
    .openapi(followRoute, async (c) => {
      return await answer(c, await askAboutClaim(db, c.req.valid('param').id, nowUtc(clock)));
    });
}

function actionsOf(caller: Caller, row: FoundClaimRow) {
  return actionsFor(CLAIM_ACTION_NAMES, CLAIM_ACTIONS, caller, { siteId: row.siteId }, row);
}

function claimFrom(row: FoundClaimRow): ShownClaim {
  const { order, step, wanted, customerId } = row;
  return {
    id: row.id,
    invoiceId: row.invoiceId,
    invoiceNumber: row.invoiceNumber,
    siteId: row.siteId,
    customer: customerId === null ? null : { id: customerId, name: row.customerName },
    payerName: row.payerName,
    bankId: row.bankId,
    claimant: row.claimantId,
    payer: row.payorId,
    account: row.account,
    dueOn: row.dueOn,
    currency: row.currency,
    terms: termsFrom(row.terms),
    state: row.state,
    collection: row.collection,
    paid: row.paidMinor,
    due: row.dueMinor,
    isContested: row.stopped !== null,
    order:
      order === null ? null : { kind: order, step: step ?? 'waiting', terms: wanted && termsFrom(wanted) },
    reason: row.reason,
    detail: row.detail,
    followedOn: row.followedAt,
    createdOn: row.createdAt,
    modifiedOn: row.modifiedAt,
  };
}

function termsFrom({ amountMinor, finalDueOn, discount, defaultCharge, ...terms }: StoredTerms) {
  const shown = (one: StoredTerms['discount']) => one && { days: one.days, amount: one.amountMinor };
  return {
    amount: amountMinor,
    finalDueOn,
    discount: shown(discount),
    defaultCharge: shown(defaultCharge),
    interest: terms.hasInterest,
    partPayments: terms.takesPartPayments,
  };
}

function movementFrom({ kind, bookedOn, valueOn, ...row }: ClaimMovementRow) {
  const { principalMinor, discountMinor, interestMinor, costsMinor, depositedMinor } = row;
  return {
    kind,
    bookedOn,
    valueOn,
    paid: principalMinor - discountMinor + interestMinor + costsMinor,
    principal: principalMinor,
    discount: discountMinor,
    interest: interestMinor,
    costs: costsMinor,
    deposited: depositedMinor,
  };
}
