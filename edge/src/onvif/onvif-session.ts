import { randomUUID } from 'node:crypto';
import type { Clock } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/utc-time';
import { chooseChallenge, type DigestChallenge, digestAuthorization } from '../http-digest.ts';
import { askDevice, type DeviceAnswer } from './device-http.ts';
import { readDeviceTime, readHttpDate } from './device-time.ts';
import type { OnvifOptions } from './onvif-options.ts';
import { LOGIN_REFUSED, readSoapAnswer, type SoapAnswer } from './soap-answer.ts';
import { soapEnvelope } from './soap-envelope.ts';
import { createTurns } from './turns.ts';
import { usernameToken } from './username-token.ts';
import type { XmlElement } from './xml-element.ts';
import { type Xml, xml } from './xml-text.ts';

export interface SoapCall {
  url: string;
  /** The operation's URI. */
  action: string;
  body: Xml;
  /** Of a subscription, which is spoken to with WS-Addressing. */
  referenceParameters?: readonly XmlElement[];
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/** How the device wants to be logged in to. */
export type Login = 'none' | 'token' | 'digest';

/** One user's dealings with one device: its clock, how it wants to be logged in to, and whether it let us in. */
export interface OnvifSession {
  readonly options: OnvifOptions;
  call(call: SoapCall): Promise<SoapAnswer>;
  /** GET, logged in as the device wants it; for pictures. */
  fetch(url: string, timeoutMs: number): Promise<DeviceAnswer>;
  /** Milliseconds that the device's clock is ahead of ours; null: not known yet. */
  clockAheadMs(): number | null;
  /** What its clock shows, as far as is known. */
  deviceNow(): Date;
  /** What a device said of its time in passing: a clock that was set is asked for again. */
  noteTime(told: Date): void;
  /** Asks the device what time it is. Needs no login. */
  learnClock(signal?: AbortSignal): Promise<SoapAnswer>;
  /** How it wants to be logged in to, found out by a request without a login, which locks nobody out. */
  login(signal?: AbortSignal): Promise<Login>;
  /**
   * Somebody else logs in for this session (node-onvif), to ask what not everybody is told: like its own calls one after
   * the other, and held back.
   */
  speakFor(ask: () => Promise<SoapAnswer | null>): Promise<SoapAnswer | null>;
  /**
   * Somebody else who spoke for this session (node-onvif) was refused: true where it was not the password.
   *
   * @param usedAheadMs how far ahead the device's clock was taken to be
   */
  wasRefused(usedAheadMs: number): Promise<boolean>;
  /** When a refused login may be tried again; null: it was not refused. */
  heldBackUntil(): Date | null;
  /** An operator says that it is worth a try. */
  tryAgain(): void;
}

/** Cameras lock out who fails a few times; a wrong password does not become right by itself. */
export const HELD_BACK_MS = 30 * MINUTE_MS;
/** What devices tell anybody, whatever the password. */
const OPEN_TO_ALL = /\/Get(?:SystemDateAndTime|Capabilities|Services|ServiceCapabilities)(?:Request)?$/;
/** Devices tell whole seconds, and the answer takes its time. */
const CLOCK_MOVED_MS = 3000;

export function createOnvifSession(options: OnvifOptions, clock: Clock): OnvifSession {
  const { user, password, selfSigned } = options;
  const credentials = user === '' ? null : { user, password };
  let aheadMs: number | null = null;
  let login: Login | null = credentials === null ? 'none' : options.login === 'auto' ? null : options.login;
  let challenge: { told: DigestChallenge; uses: number } | null = null;
  let heldBackUntil: Date | null = null;
  /** The password was right for something that nobody may ask without. */
  let proven = false;
  /** The device has let us in. Until then one call goes after the other: two at once would be two failed logins. */
  let letIn = credentials === null;
  const firstCalls = createTurns();

  const post = (call: SoapCall, text: string, headers: Record<string, string> = {}) =>
    askDevice({
      method: 'POST',
      url: call.url,
      headers: { 'content-type': `application/soap+xml; charset=utf-8; action="${call.action}"`, ...headers },
      body: text,
      timeoutMs: call.timeoutMs ?? options.timeoutMs,
      signal: call.signal,
      selfSigned,
    });

  const deviceNow = () => new Date(clock.now().getTime() + (aheadMs ?? 0));

  function text(call: SoapCall, withToken: boolean): string {
    const { referenceParameters, action, url: to } = call;
    return soapEnvelope(call.body, {
      ...(withToken && credentials && { security: usernameToken(credentials, deviceNow()) }),
      ...(referenceParameters && {
        addressing: { action, messageId: `urn:uuid:${randomUUID()}`, to, referenceParameters },
      }),
    });
  }

  function authorization(method: string, url: string): Record<string, string> {
    if (!challenge || !credentials) return {};
    const { pathname, search } = new URL(url);
    const request = { method, target: pathname + search, count: ++challenge.uses };
    return { authorization: digestAuthorization(challenge.told, credentials, request) };
  }

  /** Sends with HTTP Digest: the first time to hear the challenge, then with the answer to it. */
  async function withDigest(
    method: string,
    url: string,
    send: (headers: Record<string, string>) => Promise<DeviceAnswer>,
  ): Promise<DeviceAnswer> {
    const answeredOld = challenge !== null;
    const answer = await send(authorization(method, url));
    if (!answer.ok || answer.status !== 401) return answer;
    const told = chooseChallenge(answer.challenges);
    if (!told) return answer;
    challenge = { told, uses: 0 };
    // Who was let in before is only told that the nonce is used up, whether the device calls it stale or not; anybody
    // else has the wrong password.
    if (answeredOld && !told.stale && !letIn) return answer;
    return send(authorization(method, url));
  }

  async function learnClock(signal?: AbortSignal): Promise<SoapAnswer> {
    const call: SoapCall = {
      url: options.url,
      action: 'http://www.onvif.org/ver10/device/wsdl/GetSystemDateAndTime',
      body: xml`<tds:GetSystemDateAndTime/>`,
      signal,
    };
    const asked = clock.now().getTime();
    const raw = await post(call, text(call, false));
    const answer = readSoapAnswer(raw);
    const midway = (asked + clock.now().getTime()) / 2;
    // Devices that want a login for this say what time it is all the same, in their answer's head.
    const told = answer.ok ? readDeviceTime(answer.body) : raw.ok ? readHttpDate(raw.headers.date) : null;
    if (told) aheadMs = told.getTime() - midway;
    if (raw.ok) aheadMs ??= 0;
    return answer;
  }

  /** A request that needs a login, without one: whoever wants HTTP Digest says so. */
  async function findLogin(signal?: AbortSignal): Promise<Login | SoapAnswer> {
    if (login) return login;
    const call = information(signal);
    const answer = await post(call, text(call, false));
    if (!answer.ok) return { ...answer, reason: 'unreachable' };
    const told = answer.status === 401 ? chooseChallenge(answer.challenges) : null;
    if (told) challenge = { told, uses: 0 };
    login = told ? 'digest' : 'token';
    return login;
  }

  function refuse(message: string): SoapAnswer {
    heldBackUntil = new Date(clock.now().getTime() + HELD_BACK_MS);
    // The next try is the first again, and perhaps the device wants another way by then.
    letIn = credentials === null;
    proven = false;
    if (credentials !== null && options.login === 'auto') login = null;
    return { ok: false, reason: 'login-refused', fault: null, message };
  }

  function holdBack(): SoapAnswer | null {
    if (!heldBackUntil) return null;
    if (clock.now() >= heldBackUntil) {
      heldBackUntil = null;
      return null;
    }
    const until = heldBackUntil.toISOString();
    return {
      ok: false,
      reason: 'held-back',
      message: `the login was refused; not tried again before ${until}`,
    };
  }

  /** Whether the device's clock is another than the one by which a token was made that it has refused. */
  async function clockIsNot(usedAheadMs: number, signal?: AbortSignal): Promise<boolean> {
    await learnClock(signal);
    return Math.abs((aheadMs ?? 0) - usedAheadMs) > CLOCK_MOVED_MS;
  }

  async function callOnce(call: SoapCall, how: Login): Promise<SoapAnswer> {
    if (how !== 'digest') return readSoapAnswer(await post(call, text(call, how === 'token')));
    const once = text(call, false);
    const raw = await withDigest('POST', call.url, (headers) => post(call, once, headers));
    const answer = readSoapAnswer(raw);
    // Here it is the password, whatever stands beside.
    const isPassword = raw.ok && raw.status === 401 && !answer.ok && answer.reason === 'login-refused';
    return isPassword ? { ...answer, fault: null } : answer;
  }

  async function callOrHoldBack(call: SoapCall): Promise<SoapAnswer> {
    const held = holdBack();
    if (held) return held;
    const { signal } = call;
    const how = await findLogin(signal);
    if (typeof how !== 'string') return how;
    if (how === 'token' && aheadMs === null) {
      const asked = await learnClock(signal);
      if (!asked.ok && asked.reason !== 'fault' && asked.reason !== 'login-refused') {
        return { ...asked, reason: 'unreachable' };
      }
    }
    const usedAheadMs = aheadMs ?? 0;
    const answer = await callOnce(call, how);
    if (answer.ok || answer.reason !== 'login-refused') return letInBy(answer, call);
    if (how === 'none') return refuse('the device wants a user and a password');
    if (how === 'token' && (await clockIsNot(usedAheadMs, signal))) {
      const again = await callOnce(call, how);
      if (again.ok || again.reason !== 'login-refused') return letInBy(again, call);
    }
    return (await forbidden(answer, how, signal)) ?? refuse(answer.message);
  }

  /**
   * Some say of what a user may not do what others say of a wrong password. Who was let in before asks for something
   * that every user may ask; null: it was the password, or that cannot be told.
   */
  async function forbidden(
    { fault, message }: Extract<SoapAnswer, { reason: 'login-refused' }>,
    how: Login,
    signal?: AbortSignal,
  ): Promise<SoapAnswer | null> {
    if (!proven || fault === null) return null;
    const proof = await callOnce(information(signal), how);
    return proof.ok ? { ok: false, reason: 'fault', fault, message: `not allowed: ${message}` } : null;
  }

  function information(signal?: AbortSignal): SoapCall {
    return {
      url: options.url,
      action: 'http://www.onvif.org/ver10/device/wsdl/GetDeviceInformation',
      body: xml`<tds:GetDeviceInformation/>`,
      signal,
    };
  }

  const inTurn = <T>(ask: () => Promise<T>, signal?: AbortSignal) =>
    letIn ? ask() : firstCalls.take(ask, signal);

  function letInBy(answer: SoapAnswer, call?: SoapCall): SoapAnswer {
    if (answer.ok || answer.reason === 'fault') letIn = true;
    if (answer.ok && call && !OPEN_TO_ALL.test(call.action)) proven = true;
    return answer;
  }

  return {
    options,
    call: (call) => inTurn(() => callOrHoldBack(call), call.signal),
    speakFor: (ask) =>
      inTurn(async () => {
        const held = holdBack();
        if (held) return held;
        const answer = await ask();
        if (answer?.ok) proven = true;
        return answer && letInBy(answer);
      }),
    async fetch(url, timeoutMs) {
      const get = (headers: Record<string, string>) =>
        askDevice({ method: 'GET', url, headers, timeoutMs, selfSigned });
      if (!credentials) return get({});
      const answer = await withDigest('GET', url, get);
      if (!answer.ok || answer.status !== 401 || challenge) return answer;
      const basic = Buffer.from(`${user}:${password}`).toString('base64');
      return get({ authorization: `Basic ${basic}` });
    },
    clockAheadMs: () => aheadMs,
    deviceNow,
    noteTime(told) {
      const moved = aheadMs === null ? 0 : told.getTime() - clock.now().getTime() - aheadMs;
      if (Math.abs(moved) > CLOCK_MOVED_MS) void learnClock();
    },
    learnClock,
    async login(signal) {
      const found = await findLogin(signal);
      return typeof found === 'string' ? found : 'none';
    },
    async wasRefused(usedAheadMs) {
      if (await clockIsNot(usedAheadMs)) return true;
      if (proven && (await callOnce(information(), 'token')).ok) return true;
      refuse(LOGIN_REFUSED);
      return false;
    },
    heldBackUntil: () => (holdBack() ? heldBackUntil : null),
    tryAgain() {
      heldBackUntil = null;
    },
  };
}
