import { QueryClient } from '@tanstack/react-query';
import { Refusal } from './refusal.ts';

const MAX_RETRIES = 3;

/**
 * Answers stay until an event marks them as old; what events do not cover is read again when it is shown.
 * No change waits for the network (`networkMode`): it would run when the person has gone.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < MAX_RETRIES && isWorthRepeating(error),
        throwOnError: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** Whether a failed call is repeated. After a timeout it is not: the person has waited once and decides. */
function isWorthRepeating(error: unknown): boolean {
  return error instanceof Refusal && error.isPassing && error.unanswered !== 'timeout';
}
