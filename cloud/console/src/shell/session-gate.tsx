import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { setCallHooks } from '../calls/api.ts';
import type { Refusal } from '../calls/refusal.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { type Session, SessionContext, sessionQuery } from './session.ts';

const loginPage = () => import('../rooms/login/login-page.tsx');
const Login = lazy(async () => ({ default: (await loginPage()).LoginPage }));
const LoginAgain = lazy(async () => ({ default: (await loginPage()).LoginAgain }));
const StepUp = lazy(async () => ({
  default: (await import('../rooms/login/step-up-dialog.tsx')).StepUpDialog,
}));

/** Codes of what a call is refused with that is about the session, and not about what was shown to log in. */
const ENDINGS: readonly string[] = ['not-logged-in', 'session-ended', 'session-expired', 'session-idle'];

/**
 * Shows what is within to people who have logged in, and the login to all others, at the same address. If a
 * session ends during work, the login covers the page, so that typed text is kept for the same person.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const [proving, setProving] = useState<{ done: (isProven: boolean) => void } | null>(null);
  /** The last one that was open. */
  const [last, setLast] = useState<Session | null>(null);
  const [ended, setEnded] = useState<Refusal | null>(null);
  if (session?.status === 'open' && session !== last) setLast(session);

  useEffect(() => {
    let asked: Promise<boolean> | null = null;
    setCallHooks({
      onLoggedOut: (why) => {
        if (!why.codes.some(({ code }) => ENDINGS.includes(code))) return;
        setEnded(why);
        queries.setQueryData(sessionQuery.queryKey, null);
      },
      // Several calls may need the proof at once; they wait for one.
      stepUp: () => {
        asked ??= new Promise<boolean>((resolve) => {
          setProving({
            done: (isProven) => {
              asked = null;
              setProving(null);
              resolve(isProven);
            },
          });
        });
        return asked;
      },
    });
    return () => setCallHooks(null);
  }, [queries]);

  const enter = (opened: Session) => {
    // Data that another person has read is removed, and the same person's is read again.
    const others = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => !isSessionKey(queryKey) };
    const isSame = last?.account.id === opened.account.id;
    if (!isSame) queries.removeQueries(others);
    queries.setQueryData(sessionQuery.queryKey, opened);
    if (isSame && session?.status !== 'open') void queries.invalidateQueries(others);
  };

  if (session === undefined) {
    return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
  }
  const shown = session?.status === 'open' ? session : last;
  const login = { session, ended, onSession: enter };
  return (
    <Suspense fallback={<Loading />}>
      {shown === null ? (
        <Login {...login} />
      ) : (
        <SessionContext key={shown.account.id} value={shown}>
          {children}
        </SessionContext>
      )}
      {shown !== null && session?.status !== 'open' && <LoginAgain {...login} />}
      {proving && session && <StepUp session={session} onSession={enter} onDone={proving.done} />}
    </Suspense>
  );
}

function isSessionKey([kind]: readonly unknown[]): boolean {
  return kind === sessionQuery.queryKey[0];
}
