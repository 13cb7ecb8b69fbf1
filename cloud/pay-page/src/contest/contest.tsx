import type { PayDue } from '@hlid/protocol/pages/pay-api';
import { lazy, Suspense } from 'react';

const LoadedContest = lazy(async () => ({ default: (await import('./contest-parts.tsx')).ContestParts }));

/** The driver of a proved stay contests it, and sees how that stands. */
export function Contest({ due }: { due: PayDue }) {
  return due.stay.proved ? (
    <Suspense>
      <LoadedContest due={due} />
    </Suspense>
  ) : null;
}
