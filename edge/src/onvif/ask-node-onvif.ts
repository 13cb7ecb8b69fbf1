import { messageOf } from '@hlid/protocol/fault';
import nodeOnvif from 'node-onvif';
import type { OnvifSession } from './onvif-session.ts';
import type { SoapAnswer } from './soap-answer.ts';
import { readEnvelope } from './soap-envelope.ts';

/** What node-onvif can ask of a device. Capabilities need no login, and are asked for without. */
export type NodeOnvifQuestion = 'getCapabilities' | 'getDeviceInformation' | 'getRelayOutputs';

/**
 * Asks by node-onvif; null where it cannot: it knows plain HTTP and WS-UsernameToken only, does not escape names, and
 * says in one sentence why something failed. What it cannot do, and what failed, is left to our own session.
 */
export async function askNodeOnvif(
  session: OnvifSession,
  question: NodeOnvifQuestion,
): Promise<SoapAnswer | null> {
  const { url, user, password } = session.options;
  // It drops queries.
  if (!url.startsWith('http://') || url.includes('?')) return null;
  if (question === 'getCapabilities' || user === '') {
    const answer = await ask(new nodeOnvif.OnvifDevice({ xaddr: url }), question);
    return typeof answer === 'string' ? null : answer;
  }
  if (!isPlain(user) || !isPlain(password)) return null;
  return session.runForeignCall(async () => {
    if ((await session.login()) !== 'token') return null;
    if (session.clockAheadMs() === null) await session.learnClock();
    const device = new nodeOnvif.OnvifDevice({ xaddr: url, user, pass: password });
    // Its own reading of the device's clock is a month off at the ends of months.
    const aheadMs = session.clockAheadMs() ?? 0;
    device.services.device.time_diff = aheadMs;
    const answer = await ask(device, question);
    if (typeof answer !== 'string') return answer;
    // Not tried again with the same password, unless it was the clock.
    const refused = /not\s*authori[sz]ed|unauthori[sz]ed|^401/i.test(answer);
    if (!refused || (await session.isRefusedByMistake(aheadMs))) return null;
    return { ok: false, reason: 'login-refused', fault: null, message: answer };
  });
}

/** Its answer, or its one sentence of why there is none. */
async function ask(
  device: InstanceType<typeof nodeOnvif.OnvifDevice>,
  question: NodeOnvifQuestion,
): Promise<SoapAnswer | string> {
  try {
    const { soap } = await device.services.device[question]();
    const reading = readEnvelope(soap);
    return reading.ok ? { ok: true, body: reading.body } : 'no answer';
  } catch (error) {
    return messageOf(error);
  }
}

/** Text that goes into node-onvif's envelopes unharmed. */
export function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) && !/[<>&]/.test(text);
}
