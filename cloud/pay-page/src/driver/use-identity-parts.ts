import type { DriverOptions } from '@hlid/protocol/pages/driver-api';
import { every } from '@hlid/ui/every';
import { useEffect, useState } from 'react';
import type { DriverCloud } from '../driver-cloud.ts';

const RETRY_MS = 5000;

/** The screens of electronic identities, with what the cloud offers of them. */
export interface IdentityParts {
  offered: DriverOptions;
  screens: typeof import('./identity/identity-screens.tsx');
}

/**
 * Null: they are not loaded yet, or there is no login by electronic identity here. They load after the page
 * itself.
 */
export function useIdentityParts(cloud: DriverCloud): IdentityParts | null {
  const [parts, setParts] = useState<IdentityParts | null>(null);
  useEffect(() => {
    const stop = every(RETRY_MS, async (signal) => {
      const answer = await cloud.options(signal);
      if (answer.kind === 'lost' || signal.aborted) return;
      const isOffered = answer.kind === 'ok' && answer.value.electronicId;
      const screens = isOffered ? await import('./identity/identity-screens.tsx').catch(() => null) : null;
      if (signal.aborted || (isOffered && screens === null)) return;
      stop();
      if (isOffered && screens !== null) setParts({ offered: answer.value, screens });
    });
    return stop;
  }, [cloud]);
  return parts;
}
