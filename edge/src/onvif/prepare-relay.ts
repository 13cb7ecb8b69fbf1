import {
  findRelayOutputs,
  getServices,
  type RelayHome,
  type RelayOutput,
  setRelaySettings,
} from './device-service.ts';
import type { OnvifSession } from './onvif-session.ts';
import type { SoapFailure } from './soap-answer.ts';

/** The settings that a relay should have. */
export interface RelayRequest {
  /** Its token; undefined: the only one. */
  relay?: string | undefined;
  /** `auto`: monostable where the device can. */
  mode: 'auto' | 'monostable' | 'bistable';
  pulseMs: number;
}

/** The settings that the relay has. */
export interface PreparedRelay {
  ok: true;
  mode: RelayOutput['mode'];
  home: RelayHome;
}

/** The device has no such relay, or the relay cannot be set. The device may still be a working camera. */
export interface NoRelay {
  ok: false;
  reason: 'no-relay';
  message: string;
}

/**
 * Finds the relay, sets it to fall back by itself, and reads its settings back.
 *
 * @param onFound called with the relay's token when it is known
 */
export async function prepareRelay(
  session: OnvifSession,
  request: RelayRequest,
  onFound: (token: string) => void,
): Promise<PreparedRelay | NoRelay | SoapFailure> {
  const services = await getServices(session);
  if (!services.ok) return services;
  const found = await findRelay(session, request, services.value.deviceIo);
  if (!found.ok) return found;
  const { home } = found;
  const { token } = found.relay;
  onFound(token);
  const mode: RelayOutput['mode'] = request.mode === 'bistable' ? 'Bistable' : 'Monostable';
  let delayMs = request.pulseMs;
  if (isAsWanted(found.relay, mode, delayMs)) return { ok: true, mode, home };
  const set = () => setRelaySettings(session, home, { ...found.relay, mode, delayMs });
  let answer = await set();
  if (!answer.ok && answer.reason === 'fault' && delayMs % 1000 !== 0) {
    // Many devices only accept whole seconds.
    delayMs = Math.ceil(delayMs / 1000) * 1000;
    answer = await set();
  }
  // A relay that refuses its settings is used as it is, if it fits.
  if (!answer.ok && answer.reason !== 'fault') return answer;
  const again = await findRelay(session, request, services.value.deviceIo);
  if (!again.ok) return again;
  if (request.mode === 'monostable' && !isAsWanted(again.relay, mode, delayMs)) {
    return unfit(`relay ${token} cannot be set to fall back after ${delayMs} ms`);
  }
  return { ok: true, mode: again.relay.mode, home };
}

async function findRelay(
  session: OnvifSession,
  { relay: name }: RelayRequest,
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
