import { normalisePlate } from '@hlid/protocol/plate/plate';
import { plateDifferences } from '@hlid/protocol/plate/plate-search';
import { createRoute, z } from '@hono/zod-openapi';
import { findInvoicesByNumber } from '../../money/invoices/find-invoice.ts';
import type { Queries } from '../../platform/db/db.ts';
import {
  hasPermission,
  type OwnRows,
  ownRows,
  type Permission,
  type RequestCaller,
} from '../../platform/http/caller.ts';
import { type CoreContext, callerOf } from '../../platform/http/cloud-env.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { json, LIST_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { searchCustomers } from '../../records/customers/find-customer.ts';
import { type FoundVisit, findByTypedPlate } from './plate-hit-store.ts';
import { PLATE_REASONS, type SearchResult, SearchResultSchema, type VisitHit } from './search.ts';

const MAX_VISITS = 50;
const MAX_CUSTOMERS = 10;
/** Fewer characters find too much. */
const MIN_NAME = 2;
/** The longest plates of the world have ten; longer texts are something else. */
const MAX_PLATE = 12;

const searchRoute = createRoute({
  method: 'get',
  path: '/search',
  tags: ['Search'],
  summary: 'Find visits by a plate as it was heard, invoices by number, customers by name or national id',
  description:
    'Each kind as far as the caller may read it: operators need the permission `visits`, `money` or `people`. ' +
    'Of plates that are not inside, the newest visit is found; `GET /visits` has the others.',
  request: {
    query: z.strictObject({ q: z.string().trim().min(1).max(100), siteId: IdSchema.optional() }),
  },
  responses: { 200: { description: 'What was found', content: json(SearchResultSchema) }, ...LIST_REFUSALS },
});

export function searchRoutes({ db }: CoreContext) {
  return createRouter().openapi(searchRoute, async (c) => {
    const { q: text, siteId } = c.req.valid('query');
    const caller = callerOf(c, 'account');
    const found = await db.read(async (q) => ({
      visits: mayRead(caller, 'visits') ? await visitsLike(q, text, ownRows(caller), siteId) : [],
      invoices: mayRead(caller, 'money') ? await invoicesOf(q, text, ownRows(caller), siteId) : [],
      customers: mayRead(caller, 'people') ? await customersLike(q, text, ownRows(caller)) : [],
    }));
    return c.json(found, 200);
  });
}

type Account = Extract<RequestCaller, { kind: 'account' }>;

/** People of a customer read what is theirs; those who only list permits know no customers. */
function mayRead({ role, rights }: Account, permission: Permission): boolean {
  return role === 'operator'
    ? hasPermission(rights, permission)
    : role !== 'whitelist' || permission !== 'people';
}

async function visitsLike(
  q: Queries,
  text: string,
  own: OwnRows,
  siteId: string | undefined,
): Promise<VisitHit[]> {
  const plate = normalisePlate(text);
  if (plate === '' || plate.length > MAX_PLATE) return [];
  const rows = (await findByTypedPlate(q, plate, own, siteId)).sort(inOrder);
  // One visit may be found in two ways: the better one counts.
  const seen = new Set<string>();
  const shown: VisitHit[] = [];
  for (const row of rows) {
    const left = row.endedAt === null ? row.id : row.plate;
    if (seen.has(left)) continue;
    seen.add(left);
    shown.push(hitFrom(row, plate));
  }
  return shown.slice(0, MAX_VISITS);
}

function inOrder(a: FoundVisit, b: FoundVisit): number {
  const rank = ({ endedAt, match }: FoundVisit) => (endedAt === null ? 0 : 10) + PLATE_REASONS.indexOf(match);
  return rank(a) - rank(b) || (a.startedAt < b.startedAt ? 1 : -1);
}

function hitFrom(row: FoundVisit, typed: string): VisitHit {
  const { id: visitId, siteId, plate, match, startedAt, endedAt, make, model, color, ...rest } = row;
  const compared = match === 'prefix' ? plate.slice(0, typed.length) : plate;
  return {
    visitId,
    siteId,
    plate,
    match,
    differences: plateDifferences(typed, compared),
    inside: endedAt === null,
    startedOn: startedAt,
    endedOn: endedAt,
    ...rest,
    vehicle: make === null && model === null && color === null ? null : { make, model, color },
  };
}

async function invoicesOf(
  q: Queries,
  text: string,
  own: OwnRows,
  siteId: string | undefined,
): Promise<SearchResult['invoices']> {
  if (!/^\d{1,15}$/.test(text)) return [];
  const found = await findInvoicesByNumber(q, Number(text), own);
  return found
    .filter((invoice) => siteId === undefined || invoice.siteId === siteId)
    .map(({ id, status, visitId, amountMinor: amount, currency, createdAt: createdOn, ...invoice }) => {
      const customer = invoice.customerName ?? invoice.payerName;
      return { id, number: Number(text), status, amount, currency, visitId, customer, createdOn };
    });
}

async function customersLike(q: Queries, text: string, own: OwnRows): Promise<SearchResult['customers']> {
  if (text.length < MIN_NAME) return [];
  const rows = await searchCustomers(q, text, own, MAX_CUSTOMERS);
  return rows.map(({ id, name, ssn }) => ({ id, name, ssn }));
}
