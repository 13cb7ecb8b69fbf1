import type { dayCloseRoutes } from '@hlid/cloud/books/day-close/close-routes';
import { apiOf, LONG_TIMEOUT_MS, read } from '../../../calls/api.ts';
import { roomWords } from '../../../words/words.ts';

export const CLOSE = roomWords('money').dayCloses;

export const closeApi = apiOf<typeof dayCloseRoutes>(LONG_TIMEOUT_MS);

export async function readCloses(query: { siteId?: string; next?: string }) {
  return await read(closeApi['day-closes'].$get({ query }));
}
export type DayClose = Awaited<ReturnType<typeof readCloses>>['data'][number];

export async function readClose(id: string) {
  return await read(closeApi['day-closes'][':id'].$get({ param: { id } }));
}
export type WholeClose = Awaited<ReturnType<typeof readClose>>;
export type Difference = WholeClose['differences'][number];
export type CloseRow = Difference['rows'][number];
export type Kind = Difference['kind'];

/** The queries that a change of a close makes stale. */
export const CLOSE_QUERIES = [['day-closes'], ['money-files'], ['approvals'], ['training']] as const;
