import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import type { ShownDispute, WholeDispute } from '@hlid/cloud/paying/disputes/dispute-view';
import { apiOf, read, readTagged } from '../../calls/api.ts';
import { LANGUAGE } from '../../words/words.ts';

const api = apiOf<typeof disputeRoutes>();

export type Dispute = ShownDispute;

/** The visit or the invoice that is contested. */
export type Contested = { visitId: string } | { invoiceId: string };

export type DisputeQuery = Parameters<typeof api.disputes.$get>[0]['query'];

export const listDisputes = (query: DisputeQuery) => read(api.disputes.$get({ query }));

type NewDispute = Parameters<typeof api.disputes.$post>[0]['json'];
/** How an objection has reached the office. */
export type Channel = NonNullable<NewDispute['channel']>;

export function contest(
  about: Contested,
  given: Pick<NewDispute, 'text' | 'channel'>,
  headers: Record<string, string>,
) {
  return read(api.disputes.$post({ json: { ...about, ...given, language: LANGUAGE } }, { headers }));
}

const one = api.dispute[':id'];
export type Answer = Parameters<typeof one.answer.$post>[0]['json'];
export const answerDispute = (id: string, json: Answer, headers: Record<string, string>) =>
  read(one.answer.$post({ param: { id }, json }, { headers }));

export type { WholeDispute };
export const readDispute = (id: string): Promise<WholeDispute> => read(one.$get({ param: { id } }));
export const readForEdit = (id: string) => readTagged(one.$get({ param: { id } }));
export type DisputeEdit = Parameters<typeof one.$put>[0]['json'];
export const editDispute = (id: string, json: DisputeEdit, headers: Record<string, string>) =>
  read(one.$put({ param: { id }, json }, { headers }));
export const write = (id: string, text: string, headers: Record<string, string>) =>
  read(one.messages.$post({ param: { id }, json: { text } }, { headers }));
export const withdraw = (id: string, headers: Record<string, string>) =>
  read(one.withdraw.$post({ param: { id } }, { headers }));

/** The queries that a dispute or its answer makes stale. */
export const DISPUTE_QUERIES = [['disputes'], ['visits'], ['visit'], ['invoices']] as const;
