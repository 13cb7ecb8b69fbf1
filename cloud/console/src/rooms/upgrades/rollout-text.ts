import { wallText } from '../../ui/time.tsx';
import { ringsOf } from './rollout-groups.ts';
import type { RolloutDetail } from './upgrade-api.ts';
import { callerText, reasonText, WORDS } from './upgrade-words.ts';

/** The whole reason is in the table of the sites. */
const MAX_REASON = 400;

/** How far a rollout is, in sentences. */
export function stateText(rollout: RolloutDetail, timeZone: string, now: number): string {
  const { state, ring, ringOverAt, nextRingAt, sites } = rollout;
  const rings = ringsOf(sites);
  const done = rings.reduce((sum, { counts }) => sum + counts.done, 0);
  if (state === 'done' || state === 'ended') {
    const total = sites.length;
    return done === total ? WORDS.allDone({ total }) : WORDS.someDone({ done, total });
  }
  const place = rings.findIndex((one) => one.ring === ring);
  const current = rings[place];
  if (current === undefined) return WORDS.begins;
  const name = ringText(current.ring, place + 1, rings.length);
  const progress = WORDS.progress({ ring: name, done: current.counts.done, total: current.total });
  if (state === 'paused') return progress;
  const away = awaySites(rollout);
  const waits = away === 0 ? [] : [WORDS.waitsForAway({ count: away })];
  if (ringOverAt === null) return [progress, ...waits].join(' ');
  const next = rings[place + 1];
  if (next === undefined || nextRingAt === null)
    return [WORDS.ringOver({ ring: current.ring }), ...waits].join(' ');
  const begins =
    Date.parse(nextRingAt) <= now
      ? WORDS.nextRingNow({ ring: next.ring })
      : WORDS.nextRing({ ring: next.ring, at: wallText(nextRingAt, timeZone) });
  return [WORDS.ringOver({ ring: current.ring }), begins, ...waits].join(' ');
}

/** Sites that have their order and are not connected. */
function awaySites({ sites }: RolloutDetail): number {
  return sites.filter(({ outcome, connected }) => outcome === 'ordered' && !connected).length;
}

/** Why a rollout is paused; null: it is not. */
export function pauseText({ pause, sites }: RolloutDetail): string | null {
  if (pause === null) return null;
  if (pause.reason === 'person') return WORDS.pausedBy({ who: callerText(pause.by, pause.byName) });
  if (pause.reason === 'ring-failed')
    return WORDS.pausedBecause({ why: WORDS.ringFailed({ ring: pause.ring ?? 0 }) });
  const site = sites.find(({ siteId }) => siteId === pause.siteId);
  const name = pause.siteName ?? '';
  const what =
    pause.outcome === 'stuck'
      ? WORDS.gotStuck({ site: name })
      : WORDS.wentBack({ site: name, version: site?.from ?? null });
  const whole = site === undefined ? '' : reasonText(site);
  const reason = whole.length > MAX_REASON ? `${whole.slice(0, MAX_REASON).trimEnd()} …` : whole;
  return WORDS.pausedBecause({ why: reason === '' ? `${what}.` : `${what}: ${reason}` });
}

/** @param place the place of the ring among the `count` rings that have sites */
function ringText(ring: number, place: number, count: number): string {
  if (count === 1) return WORDS.ring({ ring });
  return ring === place ? WORDS.ringOf({ ring, count }) : WORDS.ringPlace({ ring, place, count });
}
