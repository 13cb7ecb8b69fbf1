import type { DeviceAnswer } from './device-http.ts';
import { readEnvelope, type SoapFault } from './soap-envelope.ts';
import type { XmlElement } from './xml-element.ts';

/** The result of a call. */
export type SoapAnswer =
  | { ok: true; body: XmlElement }
  | { ok: false; reason: 'fault'; fault: SoapFault; message: string }
  /** User or password are wrong; or, if the device sends a fault, this user may not do this. */
  | { ok: false; reason: 'login-refused'; fault: SoapFault | null; message: string }
  /** They were refused before, and are not tried again yet. */
  | { ok: false; reason: 'held-back'; message: string }
  | { ok: false; reason: 'unreachable' | 'unknown' | 'not-onvif'; message: string };

export type SoapFailure = Exclude<SoapAnswer, { ok: true }>;

export const LOGIN_REFUSED = 'the device refused user or password';
/** Fault codes of a wrong login. */
const LOGIN_FAULTS = new Set([
  'NotAuthorized',
  'FailedAuthentication',
  'FailedCheck',
  'InvalidSecurityToken',
  'InvalidSecurity',
]);
/** The texts of devices without such a code. */
const LOGIN_WORDS =
  /not\s*authori[sz]ed|unauthori[sz]ed|authori[sz]ation fail|authority fail|authentication fail/i;

/** Reads an answer, whatever its status is. */
export function readSoapAnswer(answer: DeviceAnswer): SoapAnswer {
  if (!answer.ok) return answer;
  const { status } = answer;
  const reading = readEnvelope(answer.body.toString('utf8'));
  if (reading.ok && status < 300) return { ok: true, body: reading.body };
  const fault = reading.ok ? null : reading.fault;
  if (status === 401 || (fault && isOfLogin(fault))) {
    const message = fault?.reason ?? LOGIN_REFUSED;
    return { ok: false, reason: 'login-refused', fault, message };
  }
  if (fault) return { ok: false, reason: 'fault', fault, message: fault.reason };
  return { ok: false, reason: 'not-onvif', message: `HTTP ${status}, and no SOAP of an ONVIF device` };
}

function isOfLogin({ codes, reason }: SoapFault): boolean {
  return codes.some((code) => LOGIN_FAULTS.has(code)) || LOGIN_WORDS.test(reason);
}
