import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { setCallHooks } from '../calls/api.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { type Session, sessionQuery } from './session.ts';

const Login = lazy(async () => ({ default: (await import('../rooms/login/login-page.tsx')).LoginPage }));
const StepUp = lazy(async () => ({
  default: (await import('../rooms/login/step-up-dialog.tsx')).StepUpDialog,
}));

/** Shows what is within to people who have logged in, and the login to all others, at the same address. */
export function SessionGate({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const [proving, setProving] = useState<{ done: (isProven: boolean) => void } | null>(null);

  useEffect(() => {
    let asked: Promise<boolean> | null = null;
    setCallHooks({
      onLoggedOut: () => queries.setQueryData(sessionQuery.queryKey, null),
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
    // Nothing that another person has read stays.
    if (session?.account.id !== opened.account.id) {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    }
    queries.setQueryData(sessionQuery.queryKey, opened);
  };

  if (session === undefined) {
    return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
  }
  return (
    <Suspense fallback={<Loading />}>
      {session?.status === 'open' ? children : <Login session={session} onSession={enter} />}
      {proving && session && <StepUp session={session} onSession={enter} onDone={proving.done} />}
    </Suspense>
  );
}
