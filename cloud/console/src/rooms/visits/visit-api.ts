import type { receiptRoutes } from '@hlid/cloud/paying/receipts/receipt-routes';
import type { viewRoutes } from '@hlid/cloud/people/views/view-routes';
import type { timelineRoutes } from '@hlid/cloud/stays/timeline/timeline-routes';
import type { visitCommandRoutes } from '@hlid/cloud/stays/visits/edit/visit-command-routes';
import type { visitRoutes } from '@hlid/cloud/stays/visits/list/visit-routes';
import type { entryRoutes } from '@hlid/cloud/vehicles/whitelist/entry-routes';
import type { whitelistRoutes } from '@hlid/cloud/vehicles/whitelist/whitelist-routes';
import type { Money } from '@hlid/protocol/base/money';
import { answered, apiOf, read, readTagged } from '../../calls/api.ts';
import { purposeHeaders } from '../../shell/find/purpose.ts';

const api = apiOf<typeof visitRoutes>();
const commands = apiOf<typeof visitCommandRoutes>();
const timelines = apiOf<typeof timelineRoutes>();
const permits = apiOf<typeof whitelistRoutes>();
const entries = apiOf<typeof entryRoutes>();
const receipts = apiOf<typeof receiptRoutes>();
export const viewApi = apiOf<typeof viewRoutes>();

type Headers = Record<string, string>;

export type VisitQuery = Parameters<typeof api.visits.counts.$get>[0]['query'];

export const listVisits = (query: VisitQuery, next?: string) =>
  read(
    api.visits.$get(
      { query: { ...query, ...(next !== undefined && { next }) } },
      { headers: purposeHeaders() },
    ),
  );
export type Visit = Awaited<ReturnType<typeof listVisits>>['data'][number];

export const countVisits = (query: VisitQuery) =>
  read(api.visits.counts.$get({ query }, { headers: purposeHeaders() }));

export const readVisit = (id: string) => readTagged(api.visit[':id'].$get({ param: { id }, query: {} }));
export type VisitWithHistory = Awaited<ReturnType<typeof readVisit>>['body'];

export const readPrice = (id: string) => read(api.visit[':id'].price.$get({ param: { id } }));
export type PriceTrace = Awaited<ReturnType<typeof readPrice>>;

export const readTimeline = (id: string) => read(timelines.visit[':id'].timeline.$get({ param: { id } }));
export type TimelineEntry = Awaited<ReturnType<typeof readTimeline>>['entries'][number];

const command = commands.visit[':id'];
export type VisitEdit = Parameters<typeof command.$put>[0]['json'];
export type Flag = Visit['flags'][number];
/** The flags that the office sets: a visit is contested in words, and a payment settles twice by itself. */
type FlagToPutOn = Exclude<Flag, 'settled-twice' | 'disputed'>;

export const editVisit = (id: string, json: VisitEdit, headers: Headers = {}) =>
  read(command.$put({ param: { id }, json }, { headers }));
export const addVisit = (json: Parameters<typeof commands.visits.$post>[0]['json'], headers: Headers) =>
  read(commands.visits.$post({ json }, { headers }));
export const reviewVisit = (id: string, headers: Headers = {}) =>
  read(command.reviewed.$post({ param: { id }, json: {} }, { headers }));
export const flagVisit = (id: string, flags: readonly Flag[]) =>
  read(
    command.flagged.$post({
      param: { id },
      json: {
        flags: flags.filter((flag): flag is FlagToPutOn => flag !== 'settled-twice' && flag !== 'disputed'),
      },
    }),
  );
export const splitVisit = (
  id: string,
  json: Parameters<typeof command.split.$post>[0]['json'],
  headers: Headers,
) => read(command.split.$post({ param: { id }, json }, { headers }));
export const readJoinable = (id: string) => read(command.joinable.$get({ param: { id } }));
export type JoinableVisit = Awaited<ReturnType<typeof readJoinable>>['data'][number];

export const joinVisits = (
  id: string,
  json: Parameters<typeof command.join.$post>[0]['json'],
  headers: Headers = {},
) => read(command.join.$post({ param: { id }, json }, { headers }));

export const permitVisit = (id: string, reason: string, headers: Headers) =>
  read(permits.visit[':id'].whitelist.$post({ param: { id }, json: { reason } }, { headers }));
export const deletePermit = (id: string) =>
  answered(entries.visit.whitelist[':id'].$delete({ param: { id } }));
export const mailReceipt = (id: string, json: { email: string; language: 'is' | 'en' }, headers: Headers) =>
  read(receipts.visit[':id'].receipt.$post({ param: { id }, json }, { headers }));

/** The queries that a change of a visit makes stale. */
export const VISIT_QUERIES = [['visits'], ['visit'], ['invoices'], ['find']] as const;

/** An amount of the cloud as the shared parts take it. */
export function moneyOf({ amount, currency }: { amount: number; currency: string }): Money {
  return { amountMinor: amount, currency };
}
