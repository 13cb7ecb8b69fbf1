import type { sessionRoutes } from '@hlid/cloud/people/sessions/session-routes';
import type { SessionView } from '@hlid/cloud/people/sessions/session-view';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { answered, apiOf, read } from '../calls/api.ts';
import { Refusal } from '../calls/refusal.ts';

export type Session = SessionView;
export type Permission = Session['permissions'][number];
export type SessionAction = Session['actions'][number];

export const sessionApi = apiOf<typeof sessionRoutes>();

/** The session; null: the browser is not logged in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: MINUTE_MS,
});

async function readSession(): Promise<Session | null> {
  try {
    return await read(sessionApi.session.$get());
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return null;
    throw error;
  }
}

export const SessionContext = createContext<Session | null>(null);

/** The session of a page within the shell; one that has ended stays until its person has logged in again. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('This is shown to people who have logged in only.');
  return session;
}

/** Whether the cloud lets the person do or see something that is no record, or not one that is there. */
export function can(session: Session, action: SessionAction): boolean {
  return session.actions.includes(action);
}

export function isOperator(session: Session): boolean {
  return session.account.role === 'operator';
}

/** Ends the session and loads the page again, with nothing of this person in it. */
export function logOut(): void {
  void endSession().finally(() => location.assign('/console/'));
}

export async function endSession(): Promise<void> {
  await answered(sessionApi.session.$delete());
}
