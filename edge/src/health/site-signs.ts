import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/utc-time';
import type { GateLogin } from '../gate/gate.ts';
import type { GateView } from '../local-api/lane-board.ts';
import type { LinkView } from '../local-api/link-view.ts';
import type { OnvifState } from '../onvif/onvif-device.ts';
import { type Sign, WELL } from './device-health.ts';

/** Why a gate has not moved, by how the wish ended. */
const MOVED_NOT: Readonly<Record<string, string>> = {
  refused: 'it said no: are user and password right, and can it do that?',
  unreachable: 'it could not be reached',
  unknown: 'it did not answer; it may have moved',
};

/** What a gate's last movement says of it; null: nothing, it is moving. */
export function gateSign({ state, lastError }: Pick<GateView, 'state' | 'lastError'>): Sign | null {
  if (lastError !== null) return { state: 'failing', detail: MOVED_NOT[lastError] ?? lastError };
  return state === 'opening' ? null : WELL;
}

/** What the login at a gate's device says of it; null: nothing yet. */
export function loginSign(state: ReturnType<GateLogin['state']>): Sign | null {
  if (state === 'unknown') return null;
  return state === 'ok' ? WELL : { state: 'login-refused', detail: 'it does not take user and password' };
}

/** What an ONVIF device says of the camera or gate that it is; null: nothing yet. */
export function onvifSign({ state, lastError }: Pick<OnvifState, 'state' | 'lastError'>): Sign | null {
  if (state === 'starting') return null;
  return state === 'ok' ? WELL : { state, detail: lastError ?? '' };
}

export function linkSign({ connected, lastError }: Pick<LinkView, 'connected' | 'lastError'>): Sign | null {
  if (connected) return WELL;
  return lastError === null ? null : { state: 'unreachable', detail: lastError };
}

/**
 * @param differing how they are others than the cloud's though they came from it; null: they are not
 * @param ageMs since the lists were last known to be those of the cloud
 */
export function listsSign(differing: string | null, ageMs: number, maxAgeMs: number): Sign {
  if (differing !== null) return { state: 'differing', detail: differing };
  if (ageMs <= maxAgeMs) return WELL;
  const hours = Math.floor(ageMs / HOUR_MS);
  return { state: 'outdated', detail: `not compared with the cloud's for ${hours} h` };
}

/** @param stuckMs since the cloud last took something, while something waits */
export function waitingSign(waiting: number, stuckMs: number, maxMs: number): Sign {
  if (waiting === 0 || stuckMs <= maxMs) return WELL;
  return { state: 'backlog', detail: `${waiting} wait, for ${Math.floor(stuckMs / MINUTE_MS)} min` };
}

/** @param names of damaged databases beside the one in use */
export function setAsideSign(names: readonly string[]): Sign | null {
  return names.length === 0 ? null : { state: 'replaced', detail: names.toSorted().join(', ') };
}

/** @param why its documents are refused; null: they are not */
export function refusedSign(why: string | null): Sign | null {
  return why === null ? null : { state: 'failing', detail: `its documents are refused: ${why}` };
}

export function groupsOnlySign(groupsOnly: boolean): Sign | null {
  const detail =
    'it sends only groups, after the vehicle has passed, so its lane does not open: have the agent send every result ' +
    '(alpr_results), or have it send groups at once and set opensOnGroup';
  return groupsOnly ? { state: 'failing', detail } : null;
}

/** In seconds; the largest of which there are two. */
const CLOCK_UNITS = [
  [86_400, 'days'],
  [3600, 'h'],
  [60, 'min'],
] as const;

/** @param suspectedMs as its last reads have it, which is not believed yet; 0: they agree */
export function cameraClockSign(clockBehindMs: number, suspectedMs: number): Sign | null {
  if (suspectedMs !== 0) {
    const detail = `${howFar(suspectedMs)}, as its last reads have it: they count as late and open nothing`;
    return { state: 'clock-off', detail };
  }
  return clockBehindMs === 0 ? null : { state: 'clock-off', detail: howFar(clockBehindMs) };
}

function howFar(behindMs: number): string {
  const seconds = Math.round(Math.abs(behindMs) / 1000);
  const [size, unit] = CLOCK_UNITS.find(([one]) => seconds >= 2 * one) ?? [1, 's'];
  return `${Math.round(seconds / size)} ${unit} ${behindMs > 0 ? 'behind' : 'ahead'}`;
}
