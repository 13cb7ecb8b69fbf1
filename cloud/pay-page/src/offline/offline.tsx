import { lazy, Suspense } from 'react';

const load = () => import('./offline-parts.tsx');
const LoadedHint = lazy(async () => ({ default: (await load()).OfflineHint }));
const LoadedCodes = lazy(async () => ({ default: (await load()).ExitCodes }));

/** @param away the car park cannot be informed of a payment */
export function OfflineHint({ away }: { away: boolean | undefined }) {
  return away === true ? (
    <Suspense>
      <LoadedHint />
    </Suspense>
  ) : null;
}

/** @param codes what a driver types at the kiosk */
export function ExitCodes({ codes = [] }: { codes: readonly string[] | undefined }) {
  return codes.length > 0 ? (
    <Suspense fallback={codes.join(' ')}>
      <LoadedCodes codes={codes} />
    </Suspense>
  ) : null;
}
