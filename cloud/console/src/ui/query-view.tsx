import type { ReactNode } from 'react';
import { Failed, Loading } from './states.tsx';

/** The result of a query, with its states before that. */
export function QueryView<T>({
  query: { data, error, refetch },
  lines = 4,
  children,
}: {
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  /** How much will be there. */
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading lines={lines} />;
}
