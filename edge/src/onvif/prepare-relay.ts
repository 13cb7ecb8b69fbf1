import {
  findRelayOutputs,
  getServices,
  type RelayHome,
  type RelayOutput,
  setRelaySettings,
} from './device-service.ts';
import type { OnvifSession } from './onvif-session.ts';
import type { SoapFailure } from './soap-answer.ts';

/** How a relay should be. */
export interface RelayWish {
  /** Its token; undefined: the only one. */
  relay?: string | undefined;
  /** `auto`: monostable where the device can. */
  mode: 'auto' | 'monostable' | 'bistable';
  pulseMs: number;
}

/** How the relay was found, or made. */
export interface PreparedRelay {
  ok: true;
  mode: RelayOutput['mode'];
  home: RelayHome;
}

/** The device answers and has no such relay, or it cannot be set as it must be. The device may be a good camera. */
export interface NoRelay {
  ok: false;
  reason: 'no-relay';
  message: string;
}

/**
 * Finds the relay and makes it fall back by itself, once; reads back whether it took that.
 *
 * @param onFound called with its token as soon as that is known
 */
export async function prepareRelay(
  session: OnvifSession,
  wish: RelayWish,
  onFound: (token: string) => void,
): Promise<PreparedRelay | NoRelay | SoapFailure> {
  const services = await getServices(session);
  if (!services.ok) return services;
  const found = await findRelay(session, wish, services.value.deviceIo);
  if (!found.ok) return found;
  const { home } = found;
  const { token } = found.relay;
  onFound(token);
  const mode: RelayOutput['mode'] = wish.mode === 'bistable' ? 'Bistable' : 'Monostable';
  let delayMs = wish.pulseMs;
  if (isAsWanted(found.relay, mode, delayMs)) return { ok: true, mode, home };
  const set = () => setRelaySettings(session, home, { ...found.relay, mode, delayMs });
  let answer = await set();
  if (!answer.ok && answer.reason === 'fault' && delayMs % 1000 !== 0) {
    // Many devices know whole seconds only.
    delayMs = Math.ceil(delayMs / 1000) * 1000;
    answer = await set();
  }
  // Where it will not be set, it is used as it is: what counts is how it answers when it is read again.
  if (!answer.ok && answer.reason !== 'fault') return answer;
  const again = await findRelay(session, wish, services.value.deviceIo);
  if (!again.ok) return again;
  if (wish.mode === 'monostable' && !isAsWanted(again.relay, mode, delayMs)) {
    return unfit(`relay ${token} cannot be set to fall back after ${delayMs} ms`);
  }
  return { ok: true, mode: again.relay.mode, home };
}

async function findRelay(
  session: OnvifSession,
  { relay: name }: RelayWish,
  deviceIo: string | null,
): Promise<{ ok: true; relay: RelayOutput; home: RelayHome } | NoRelay | SoapFailure> {
  const found = await findRelayOutputs(session, deviceIo);
  if (!found.ok) return found;
  const { relays } = found.value;
  const tokens = relays.map(({ token }) => token).join(', ') || 'none';
  const [only, ...others] = relays;
  const relay = name === undefined ? only : relays.find(({ token }) => token === name);
  if (!relay && relays.length === 0) return unfit('the device has no relay');
  if (!relay) return unfit(`there is no relay ${name ?? ''}; there are: ${tokens}`);
  if (name === undefined && others.length > 0) return unfit(`several relays (${tokens}): name one`);
  return { ok: true, relay, home: found.value.home };
}

function isAsWanted(relay: RelayOutput, mode: RelayOutput['mode'], delayMs: number): boolean {
  return relay.mode === mode && (mode === 'Bistable' || relay.delayMs === delayMs);
}

function unfit(message: string): NoRelay {
  return { ok: false, reason: 'no-relay', message };
}
