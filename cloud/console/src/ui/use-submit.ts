import { randomUuid } from '@hlid/ui/random-uuid';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { AwaitsApproval } from '../calls/awaits-approval.ts';

export interface SubmitOptions<Output, Input> {
  invalidates: readonly QueryKey[];
  onDone?: (output: Output, input: Input) => void;
  /**
   * Called with the id of the request if the act waits for a second person. Acts that have limits give it.
   */
  onWaits?: (approvalId: string) => void;
}

/**
 * A change that a form or a button sends. A retry of the same input has the same `Idempotency-Key`, so that a
 * change sent before the connection broke is not made twice.
 *
 * @param send sends the change with the given headers
 * @param invalidates the queries that the change makes stale, by the beginning of their keys
 */
export function useSubmit<Input, Output>(
  send: (input: Input, headers: Record<string, string>) => Promise<Output>,
  { invalidates, onDone, onWaits }: SubmitOptions<Output, Input>,
) {
  const queries = useQueryClient();
  const sent = useRef<{ input: string; key: string } | null>(null);
  return useMutation({
    mutationFn: (input: Input) => {
      const text = JSON.stringify(input) ?? '';
      if (sent.current?.input !== text) sent.current = { input: text, key: randomUuid() };
      return send(input, { 'Idempotency-Key': sent.current.key });
    },
    onSuccess: (output, input) => {
      sent.current = null;
      for (const queryKey of invalidates) void queries.invalidateQueries({ queryKey });
      onDone?.(output, input);
    },
    onError: (error) => {
      if (!(error instanceof AwaitsApproval)) return;
      sent.current = null;
      for (const queryKey of [...invalidates, ['approvals']]) void queries.invalidateQueries({ queryKey });
      onWaits?.(error.id);
    },
  });
}

/** Reads again what an undo has changed: queries by the beginning of their keys. */
export function useReload(): (invalidates: readonly QueryKey[]) => void {
  const queries = useQueryClient();
  return (invalidates) => {
    for (const queryKey of invalidates) void queries.invalidateQueries({ queryKey });
  };
}
