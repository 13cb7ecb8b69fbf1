import type { Language } from '@hlid/protocol/base/language';
import { every } from '@hlid/ui/every';
import { useEffect } from 'react';
import type { KioskEdge } from '../kiosk-edge.ts';
import type { HelpCall, KioskAction } from '../state/kiosk-state.ts';

const FOLLOW_EVERY_MS = 2000;

/** Sends the call for help and follows it, also while the panel is closed. */
export function useHelpCall(
  edge: KioskEdge,
  call: HelpCall | null,
  language: Language,
  dispatch: (action: KioskAction) => void,
): void {
  const wanted = call?.wanted ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is called about, and in which language, stays.
  useEffect(() => {
    if (wanted === null || call === null) return;
    const { visitId } = call;
    let id: string | null = null;
    return every(FOLLOW_EVERY_MS, async (signal) => {
      const answer = await (id === null
        ? edge.help({ id: wanted, visitId, language }, signal)
        : edge.helpCall(id, signal));
      if (signal.aborted) return;
      if (answer.kind === 'ok') id = answer.value.id;
      const { state, name } = answer.kind === 'ok' ? answer.value : UNREACHED;
      dispatch({ type: 'call-state', wanted, state, name });
    });
  }, [edge, wanted, dispatch]);
}

const UNREACHED = { state: 'unreached', name: null } as const;
