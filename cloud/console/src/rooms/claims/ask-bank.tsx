import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { read } from '../../calls/api.ts';
import { Button } from '../../ui/button.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { CLAIM, CLAIM_QUERIES, claimApi, claimQuery, type WholeClaim } from './claim-calls.ts';

const LOOK_AGAIN_MS = 1000;
/** A bank that answers does so within seconds. */
const ANSWERS_WITHIN_MS = 60_000;

interface Asked {
  /** When the bank had last said how the claim is. */
  followedOn: string | null;
  untilMs: number;
}

/** Asks the bank about a claim now: a payer on the telephone says that it is paid. */
export function AskBank({ claim: { id, followedOn } }: { claim: WholeClaim }) {
  const toasts = useToasts();
  const reload = useReload();
  const [asked, setAsked] = useState<Asked | null>(null);
  const isOpen = asked !== null && followedOn === asked.followedOn;
  const { dataUpdatedAt } = useQuery({ ...claimQuery(id), refetchInterval: isOpen ? LOOK_AGAIN_MS : false });
  const isLate = isOpen && dataUpdatedAt > asked.untilMs;
  const ask = useSubmit(
    (_: null, headers) => read(claimApi.claim[':id'].follow.$post({ param: { id } }, { headers })),
    {
      invalidates: CLAIM_QUERIES,
      onDone: () => setAsked({ followedOn, untilMs: Date.now() + ANSWERS_WITHIN_MS }),
    },
  );
  useEffect(() => {
    if (asked === null || (isOpen && !isLate)) return;
    setAsked(null);
    toasts.done(isLate ? CLAIM.noAnswer : CLAIM.answered);
    reload(CLAIM_QUERIES);
  }, [asked, isOpen, isLate, toasts, reload]);
  return (
    <Button isPending={ask.isPending || isOpen} onPress={() => ask.mutate(null, { onError: toasts.failed })}>
      {CLAIM.ask}
    </Button>
  );
}
