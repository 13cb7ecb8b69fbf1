import { messageOf } from '@hlid/protocol/base/fault';
import nodeOnvif from 'node-onvif';
import type { OnvifSession } from './onvif-session.ts';
import type { SoapAnswer } from './soap-answer.ts';
import { readEnvelope } from './soap-envelope.ts';

/** The operations that node-onvif is used for. Capabilities need no login, and are requested without one. */
export type NodeOnvifOperation = 'getCapabilities' | 'getDeviceInformation' | 'getRelayOutputs';

/**
 * Calls by node-onvif; null where it cannot: it only knows plain HTTP and WS-UsernameToken, does not escape names, and
 * describes a failure in one sentence. Our own session does the rest, and repeats what failed.
 */
export async function callNodeOnvif(
  session: OnvifSession,
  operation: NodeOnvifOperation,
): Promise<SoapAnswer | null> {
  const { url, user, password } = session.options;
  // It drops queries.
  if (!url.startsWith('http://') || url.includes('?')) return null;
  if (operation === 'getCapabilities' || user === '') {
    const answer = await run(new nodeOnvif.OnvifDevice({ xaddr: url }), operation);
    return typeof answer === 'string' ? null : answer;
  }
  if (!isPlain(user) || !isPlain(password)) return null;
  return session.runForeignCall(async () => {
    if ((await session.login()) !== 'token') return null;
    if (session.clockAheadMs() === null) await session.learnClock();
    const device = new nodeOnvif.OnvifDevice({ xaddr: url, user, pass: password });
    // It reads the device's clock wrongly at the ends of months.
    const aheadMs = session.clockAheadMs() ?? 0;
    device.services.device.time_diff = aheadMs;
    const answer = await run(device, operation);
    if (typeof answer !== 'string') return answer;
    // Repeated with the same password only if the clock was the reason.
    const refused = /not\s*authori[sz]ed|unauthori[sz]ed|^401/i.test(answer);
    if (!refused || (await session.isRefusedByMistake(aheadMs))) return null;
    return { ok: false, reason: 'login-refused', fault: null, message: answer };
  });
}

/** The answer, or a sentence that describes the failure. */
async function run(
  device: InstanceType<typeof nodeOnvif.OnvifDevice>,
  operation: NodeOnvifOperation,
): Promise<SoapAnswer | string> {
  try {
    const { soap } = await device.services.device[operation]();
    const reading = readEnvelope(soap);
    return reading.ok ? { ok: true, body: reading.body } : 'no answer';
  } catch (error) {
    return messageOf(error);
  }
}

/** Whether node-onvif can send this text without escaping. */
export function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) && !/[<>&]/.test(text);
}
