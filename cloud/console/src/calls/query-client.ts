import { QueryClient } from '@tanstack/react-query';
import { Refusal } from './refusal.ts';

const MAX_RETRIES = 3;

/** Answers stay until an event says that they are old; what cannot be changed by events is read again when it is shown. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < MAX_RETRIES && error instanceof Refusal && error.isPassing,
        throwOnError: false,
      },
      mutations: { retry: false },
    },
  });
}
