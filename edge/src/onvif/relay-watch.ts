import type { OnvifDevice } from './onvif-device.ts';

/** Follows one relay and one contact in a device's events. */
export function watchRelay(
  device: OnvifDevice,
  relayToken: () => string | null,
  contactToken: string | null,
) {
  const reported = { relay: { active: false, times: 0 }, input: { active: false, times: 0 } };
  let lastActiveAt = Number.NEGATIVE_INFINITY;
  const waiting = new Set<() => void>();

  device.listen({
    topics: ['tns1:Device/Trigger//.'],
    onTrigger({ kind, token, active, initial }) {
      if (token !== (kind === 'relay' ? relayToken() : contactToken)) return;
      reported[kind] = { active, times: reported[kind].times + 1 };
      if (kind === 'relay' && active && !initial) lastActiveAt = performance.now();
      for (const check of waiting) check();
    },
  });

  /** @returns false where it was not so in time */
  function within(ms: number, fits: () => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (result: boolean) => {
        clearTimeout(deadline);
        waiting.delete(check);
        resolve(result);
      };
      const check = () => {
        if (fits()) end(true);
      };
      const deadline = setTimeout(() => end(false), ms);
      waiting.add(check);
      check();
    });
  }

  return {
    movedSince: (tick: number, withinMs: number) => within(withinMs, () => lastActiveAt >= tick),
    /** Requests the present state: the last reported one may be outdated. Null: the device does not report it. */
    async stateNow(kind: 'relay' | 'input', withinMs: number): Promise<boolean | null> {
      const { times } = reported[kind];
      const report = within(withinMs, () => reported[kind].times > times);
      if (!(await device.refresh())) return null;
      return (await report) ? reported[kind].active : null;
    },
    lastActiveAt: () => lastActiveAt,
    /** The relay's state as its events report it. */
    isActive: () => reported.relay.active,
  };
}
