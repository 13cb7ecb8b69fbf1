import type { OnvifDevice } from './onvif-device.ts';

/** What a device's events say of one relay and one contact. */
export function watchRelay(
  device: OnvifDevice,
  relayToken: () => string | null,
  contactToken: string | null,
) {
  const told = { relay: { active: false, times: 0 }, input: { active: false, times: 0 } };
  let lastActiveAt = Number.NEGATIVE_INFINITY;
  const waiting = new Set<() => void>();

  device.listen({
    topics: ['tns1:Device/Trigger//.'],
    onTrigger({ kind, token, active, initial }) {
      if (token !== (kind === 'relay' ? relayToken() : contactToken)) return;
      told[kind] = { active, times: told[kind].times + 1 };
      if (kind === 'relay' && active && !initial) lastActiveAt = performance.now();
      for (const look of waiting) look();
    },
  });

  /** False where it has not come about when the time is up. */
  function within(ms: number, fits: () => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (result: boolean) => {
        clearTimeout(deadline);
        waiting.delete(look);
        resolve(result);
      };
      const look = () => {
        if (fits()) end(true);
      };
      const deadline = setTimeout(() => end(false), ms);
      waiting.add(look);
      look();
    });
  }

  return {
    movedSince: (tick: number, withinMs: number) => within(withinMs, () => lastActiveAt >= tick),
    /** Asks the device anew: what it said before need not be so any more. Null: it does not say. */
    async stateNow(kind: 'relay' | 'input', withinMs: number): Promise<boolean | null> {
      const { times } = told[kind];
      const news = within(withinMs, () => told[kind].times > times);
      if (!(await device.refresh())) return null;
      return (await news) ? told[kind].active : null;
    },
    lastActiveAt: () => lastActiveAt,
    /** As far as events have told. */
    isActive: () => told.relay.active,
  };
}
