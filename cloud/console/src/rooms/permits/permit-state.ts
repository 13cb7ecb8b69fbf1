import type { Permit } from './permit-api.ts';

export type PermitState = 'active' | 'waiting' | 'expired' | 'paused' | 'deleted';

/** Whether a permit is valid, apart from its weekdays and hours. */
export function permitState(
  { status, activeFrom, expireOn }: Pick<Permit, 'status' | 'activeFrom' | 'expireOn'>,
  nowMs: number,
): PermitState {
  if (status !== 'active') return status;
  if (expireOn !== null && Date.parse(expireOn) <= nowMs) return 'expired';
  return activeFrom !== null && Date.parse(activeFrom) > nowMs ? 'waiting' : 'active';
}

type Rule = Permit['rules'][number];

/** Weekdays and hours in short: `Mon–Fri 07:00–19:00`. @param names of the weekdays from Monday */
export function ruleText({ weekdays, from, to }: Rule, names: readonly string[]): string {
  const days = runsOf(weekdays).map(([first, last]) => {
    const begin = names[first - 1] ?? '';
    const end = names[last - 1] ?? '';
    if (first === last) return begin;
    return last - first === 1 ? `${begin}, ${end}` : `${begin}–${end}`;
  });
  const isAllDay = from === '00:00' && to === '23:59';
  return isAllDay ? days.join(', ') : `${days.join(', ')} ${from}–${to}`;
}

/** Days that follow each other, as first and last. */
function runsOf(weekdays: readonly number[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const day of [...weekdays].sort()) {
    const last = runs.at(-1);
    if (last && last[1] === day - 1) last[1] = day;
    else runs.push([day, day]);
  }
  return runs;
}
