import { FIRST_VERSION } from './version.ts';

/** What the first version has of a visit; a cloud of that version refuses an event with more. */
const VISIT_FIELDS = [
  ...['id', 'plate', 'status', 'paymentStatus', 'startedAt', 'endedAt', 'createdAt', 'price', 'unitsMet'],
  ...['paidUntil', 'flags', 'entryLaneId', 'exitLaneId', 'entryReadId', 'exitReadId', 'exitFoundBy'],
  ...['permitId', 'quota'],
];
const FLAGS = [
  ...['lost-exit', 'uncertain-plate', 'uncertain-permit', 'blocklist-lookalike', 'unreadable-plate'],
  ...['gate-unconfirmed', 'quota-exceeded', 'invoice-stands'],
];
const PRICE_FIELDS = ['amountMinor', 'currency', 'lines', 'product', 'pricedAt'];
const RULES = ['unit', 'units-met', 'waived'];

type Fields = Record<string, unknown>;

/**
 * An event as a cloud of the first version can read it, where all of it is about a visit: that cloud's books then have
 * each visit, if without what came later. Other events that it cannot read it keeps unread, and goes on.
 *
 * @param event a SiteEvent of today as JSON
 */
export function eventForVersion(version: number, event: string): string {
  if (version > FIRST_VERSION) return event;
  const document: unknown = JSON.parse(event);
  const body = isFields(document) ? document['body'] : null;
  if (!isFields(document) || !isFields(body) || !isFields(body['visit'])) return event;
  return JSON.stringify({ ...document, body: { ...body, visit: visitOfFirst(body['visit']) } });
}

/** Changes that are no part of the lists, with the fields that the first version has of them. */
const CHANGE_FIELDS: Record<string, readonly string[]> = {
  settlement: [...['id', 'visitId', 'paymentStatus', 'amountMinor', 'currency', 'units', 'settledAt', 'by']],
  'visit-edit': [...['id', 'visitId', 'plate', 'status', 'endedAt', 'reviewed', 'reason', 'by', 'at']],
  visit: ['visit', 'reason', 'by', 'at'],
};

/** Kinds that the first version does not know. It wants every number all the same. */
const LATER_KINDS = ['erase'];

const NOBODY = '00000000-0000-0000-0000-000000000000';
/** An edit of a visit that no site has: it does nothing. */
const NOTHING = JSON.stringify({
  kind: 'visit-edit',
  op: 'put',
  id: NOBODY,
  item: {
    id: NOBODY,
    visitId: NOBODY,
    reason: 'for later versions',
    by: 'cloud',
    at: '2026-01-01T00:00:00.000Z',
  },
});

/**
 * A change as a site of the first version can read it. Items of lists stay as they are: the hash is over them, so what
 * that version cannot read in an item has to wait until the site has a newer one.
 *
 * @param change a SiteChangeBody of today as JSON
 */
export function changeForVersion(version: number, kind: string, change: string): string {
  if (version > FIRST_VERSION) return change;
  if (LATER_KINDS.includes(kind)) return NOTHING;
  const fields = CHANGE_FIELDS[kind];
  const document: unknown = fields && JSON.parse(change);
  if (!fields || !isFields(document) || !isFields(document['item'])) return change;
  const item = only(fields, document['item']);
  const { visit, reviewed } = item;
  if (isFields(visit)) item['visit'] = visitOfFirst(visit);
  if (Array.isArray(reviewed)) item['reviewed'] = reviewed.filter((flag) => FLAGS.includes(flag));
  return JSON.stringify({ ...document, item });
}

function visitOfFirst(visit: Fields): Fields {
  const { flags, price } = visit;
  return {
    ...only(VISIT_FIELDS, visit),
    flags: Array.isArray(flags) ? flags.filter((flag) => FLAGS.includes(flag)) : flags,
    price: isFields(price) ? priceOfFirst(price) : price,
  };
}

function priceOfFirst(price: Fields): Fields {
  const lines = Array.isArray(price['lines']) ? price['lines'].filter(isFields) : [];
  return { ...only(PRICE_FIELDS, price), lines: lines.map(lineOfFirst) };
}

/** A line by a later rule keeps its amount; it stands for no units of 24 hours. */
function lineOfFirst({ rule, units, amountMinor }: Fields): Fields {
  return RULES.includes(String(rule))
    ? { rule, units, amountMinor }
    : { rule: 'unit', units: 0, amountMinor };
}

function only(names: readonly string[], fields: Fields): Fields {
  return Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));
}

function isFields(part: unknown): part is Fields {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}
