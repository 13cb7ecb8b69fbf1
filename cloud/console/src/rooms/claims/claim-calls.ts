import type { bankRoutes } from '@hlid/cloud/books/claims/bank-routes';
import type { claimRoutes } from '@hlid/cloud/books/claims/claim-routes';
import type { collectionRoutes } from '@hlid/cloud/books/reminders/collection-routes';
import type { reminderRoutes } from '@hlid/cloud/books/reminders/reminder-routes';
import type { Tone } from '@hlid/ui/badge';
import { queryOptions } from '@tanstack/react-query';
import { apiOf, LONG_TIMEOUT_MS, read } from '../../calls/api.ts';
import { roomWords } from '../../words/words.ts';

export const CLAIM = roomWords('claims').claims;
export const REMINDER = roomWords('claims').reminders;
export const COLLECTION = roomWords('claims').collection;

export const claimApi = apiOf<typeof claimRoutes>();
export const bankApi = apiOf<typeof bankRoutes>();
export const reminderApi = apiOf<typeof reminderRoutes>();

export const collectionApi = apiOf<typeof collectionRoutes>(LONG_TIMEOUT_MS);

export const CLAIM_STATES = ['new', 'unpaid', 'paid', 'cancelled', 'refused'] as const;

export async function readClaims(query: {
  state?: (typeof CLAIM_STATES)[number];
  siteId?: string;
  invoiceId?: string;
  customerId?: string;
  dueBefore?: string;
  next?: string;
}) {
  return await read(claimApi.claims.$get({ query }));
}
export type Claim = Awaited<ReturnType<typeof readClaims>>['data'][number];

async function readClaim(id: string) {
  return await read(claimApi.claim[':id'].$get({ param: { id } }));
}
export type WholeClaim = Awaited<ReturnType<typeof readClaim>>;

/** An order is carried out within a minute. */
const LOOK_AGAIN_MS = 5000;

/** One claim, read again until the bank has carried out its order. */
export function claimQuery(id: string) {
  return queryOptions({
    queryKey: ['claims', 'one', id],
    queryFn: () => readClaim(id),
    refetchInterval: ({ state }) => (state.data?.order == null ? false : LOOK_AGAIN_MS),
  });
}

/** Whether the bank waits for the rest of it. */
export function isPaidInPart({ state, paid }: Claim): boolean {
  return state === 'unpaid' && paid > 0;
}

/** What the bank took back last; null: the last movement is a payment. */
export function takenBackOf({ movements }: WholeClaim): WholeClaim['movements'][number] | null {
  const last = movements.at(-1);
  return last?.kind === 'reversal' ? last : null;
}

export async function readBanks() {
  return await read(bankApi.banks.$get());
}
export type ClaimBank = Awaited<ReturnType<typeof readBanks>>['data'][number];

export async function readReminders(id: string) {
  return await read(reminderApi.invoice[':id'].reminders.$get({ param: { id } }));
}
export type InvoiceReminders = Awaited<ReturnType<typeof readReminders>>;

export const REMINDER_STATES = ['waiting', 'delivered', 'failed', 'paper'] as const;

export async function readAllReminders(query: {
  siteId?: string;
  state?: (typeof REMINDER_STATES)[number];
  next?: string;
}) {
  return await read(reminderApi.reminders.$get({ query }));
}
export type ListedReminder = Awaited<ReturnType<typeof readAllReminders>>['data'][number];

export const REMINDER_TONES = {
  waiting: 'neutral',
  delivered: 'positive',
  failed: 'negative',
  paper: 'caution',
} as const satisfies Record<ListedReminder['state'], Tone>;

export async function readCollectables(query: { siteId?: string }) {
  return await read(collectionApi['collectable-invoices'].$get({ query }));
}
export type Collectable = Awaited<ReturnType<typeof readCollectables>>['data'][number];

export async function readCollectionFiles(query: { siteId?: string; next?: string }) {
  return await read(collectionApi['collection-files'].$get({ query }));
}

export async function readCollectionFile(id: string) {
  return await read(collectionApi['collection-files'][':id'].$get({ param: { id } }));
}
export type CollectionFile = Awaited<ReturnType<typeof readCollectionFile>>;

/** The queries that a file for a collector makes stale. */
export const COLLECTION_QUERIES = [['invoices', 'collection'], ['reminders']] as const;

export async function readReminder(id: string) {
  return await read(reminderApi.reminder[':id'].$get({ param: { id } }));
}

export async function readTerms(siteId: string) {
  return await read(reminderApi.sites[':id'].reminders.$get({ param: { id: siteId } }));
}
export type ReminderTerms = Awaited<ReturnType<typeof readTerms>>;

export const CLAIM_TONES = {
  new: 'neutral',
  unpaid: 'caution',
  paid: 'positive',
  cancelled: 'neutral',
  refused: 'negative',
} as const satisfies Record<Claim['state'], Tone>;

/** The queries that a change of a claim makes stale. */
export const CLAIM_QUERIES = [['claims'], ['invoices']] as const;
