import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Refusal } from '../calls/refusal.ts';
import { type SubmitOptions, useSubmit } from './use-submit.ts';

interface Tagged<Thing> {
  body: Thing;
  etag: string | null;
}

/**
 * An edit of a thing that another person may edit at the same time. The form starts from `before`, which
 * events do not change during the edit. If the cloud refuses the edit because the thing was changed meanwhile
 * (412), `theirs` is its present state, and the next `save` replaces that.
 *
 * @param key the key of the query; its first part is the kind of thing
 */
export function useEdit<Thing, Input>(
  key: QueryKey,
  read: () => Promise<Tagged<Thing>>,
  send: (input: Input, headers: Record<string, string>) => Promise<unknown>,
  options: SubmitOptions<unknown, Input>,
) {
  const queries = useQueryClient();
  // The answer is not kept after the page is left: an edit starts from what is stored then.
  const query = useQuery({ queryKey: key, queryFn: read, refetchOnMount: 'always', gcTime: 0 });
  const [first, setFirst] = useState<Tagged<Thing> | null>(null);
  const [theirs, setTheirs] = useState<Tagged<Thing> | null>(null);
  const readAgain = () => queries.fetchQuery({ queryKey: key, queryFn: read, staleTime: 0 });
  if (first === null && query.isFetchedAfterMount && query.data) setFirst(query.data);
  const submit = useSubmit(async (input: Input, headers) => {
    const etag = (theirs ?? first)?.etag ?? null;
    try {
      await send(input, { ...headers, ...(etag !== null && { 'If-Match': etag }) });
    } catch (error) {
      if (error instanceof Refusal && error.status === 412) setTheirs(await readAgain());
      throw error;
    }
    // The next edit starts from here. Where it cannot be read, that edit is refused and shown what is stored.
    setFirst(await readAgain().catch(() => first));
    setTheirs(null);
  }, options);
  const isConflict = submit.error instanceof Refusal && submit.error.status === 412;
  return {
    /** Null while it loads. */
    before: first?.body ?? null,
    /** Null: the item was not changed meanwhile. */
    theirs: isConflict ? (theirs?.body ?? null) : null,
    loadError: first ? null : query.error,
    /**
     * Continues from what is stored now, after the person changed the thing beside the form. What is edited has to be the
     * same: the change of another person is a conflict when the form is saved.
     */
    continueFromStored: async (isSame: (before: Thing, now: Thing) => boolean) => {
      const now = await readAgain();
      setFirst((was) => (was === null || isSame(was.body, now.body) ? now : was));
    },
    retry: () => void query.refetch(),
    save: submit.mutate,
    isBusy: submit.isPending,
    /** The failure of the last attempt, unless it was a conflict. */
    error: isConflict ? null : submit.error,
  };
}
