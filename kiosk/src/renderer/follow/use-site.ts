import { every } from '@hlid/ui/every';
import { useEffect } from 'react';
import type { KioskEdge } from '../kiosk-edge.ts';
import type { KioskAction } from '../state/kiosk-state.ts';
import { DICTIONARY } from '../words/words.ts';

const POLL_EVERY_MS = 4000;
const LOST_POLL_EVERY_MS = 1500;

/** Keeps up with how the site and its terminal are, and finds a lost edge again. */
export function useSite(edge: KioskEdge, lost: boolean, dispatch: (action: KioskAction) => void): void {
  useEffect(
    () =>
      every(lost ? LOST_POLL_EVERY_MS : POLL_EVERY_MS, async (signal) => {
        const answer = await edge.site(signal);
        // The site's first screen is in its language: no other one is shown for a moment.
        if (answer.kind === 'ok') await DICTIONARY.load(answer.value.language).catch(() => undefined);
        if (signal.aborted) return;
        if (answer.kind === 'ok') dispatch({ type: 'site', site: answer.value });
        else if (answer.kind === 'lost') dispatch({ type: 'edge-lost' });
      }),
    [edge, lost, dispatch],
  );
}
