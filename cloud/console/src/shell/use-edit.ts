import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { Refusal } from '../calls/refusal.ts';
import { useSubmit } from '../ui/use-submit.ts';

/** What was read, with its version. */
export interface Tagged<T> {
  body: T;
  etag: string | null;
}

/**
 * An edit of what two people may edit at once. A save of an older version is refused; then `theirs` is what stands there
 * now, for the person to compare, and the next save is made on it. Only send what the person has changed: what somebody
 * else has changed meanwhile stays.
 *
 * @param before as the form began
 */
export function useEdit<T, Changes>(
  before: Tagged<T>,
  {
    load,
    save,
    ...after
  }: {
    load: () => Promise<Tagged<T>>;
    save: (changes: Changes, headers: Record<string, string>) => Promise<T>;
    old: readonly QueryKey[];
    onDone: (saved: T) => void;
  },
) {
  const [base, setBase] = useState(before);
  const submit = useSubmit(async (changes: Changes, headers) => {
    try {
      return await save(changes, { ...headers, ...(base.etag !== null && { 'If-Match': base.etag }) });
    } catch (error) {
      if (error instanceof Refusal && error.status === 412) setBase(await load());
      throw error;
    }
  }, after);
  return {
    error: submit.error,
    isBusy: submit.isPending,
    theirs: base === before ? null : base.body,
    submit: (changes: Changes) => submit.mutate(changes),
  };
}

/** The fields of a form that differ from how it began. */
export function changesOf<T extends object>(before: T, now: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const name of Object.keys(now) as (keyof T)[]) {
    if (JSON.stringify(before[name]) !== JSON.stringify(now[name])) changed[name] = now[name];
  }
  return changed;
}
