import { randomUUID } from 'node:crypto';
import type { Clock } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { chooseChallenge, type DigestChallenge, digestAuthorization } from '../base/http-digest.ts';
import { MendedFaults } from '../base/mended-faults.ts';
import { CallQueue } from './call-queue.ts';
import { type DeviceAnswer, type DeviceRequest, requestDevice } from './device-http.ts';
import { readDeviceTime, readHttpDate } from './device-time.ts';
import type { OnvifOptions } from './onvif-options.ts';
import { LOGIN_REFUSED, readSoapAnswer, type SoapAnswer, type SoapFailure } from './soap-answer.ts';
import { soapEnvelope } from './soap-envelope.ts';
import { type Credentials, usernameToken } from './username-token.ts';
import type { XmlElement } from './xml-element.ts';
import { type Xml, xml } from './xml-text.ts';

export interface SoapCall {
  url: string;
  /** The operation's URI. */
  action: string;
  body: Xml;
  /** The reference parameters of a subscription, which needs WS-Addressing. */
  referenceParameters?: readonly XmlElement[];
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/** The login that the device demands. */
export type Login = 'none' | 'token' | 'digest';

/** The pause after a refused login: cameras lock an account after a few failures. */
export const HELD_BACK_MS = 30 * MINUTE_MS;
/** The operations that devices answer without a login. */
const OPEN_TO_ALL = /\/Get(?:SystemDateAndTime|Capabilities|Services|ServiceCapabilities)(?:Request)?$/;
/** Devices report whole seconds, and the answer takes its time. */
const CLOCK_MOVED_MS = 3000;

/** The calls of one user to one device: its clock, its kind of login, and whether it has accepted the login. */
export class OnvifSession {
  readonly options: OnvifOptions;
  readonly #clock: Clock;
  readonly #credentials: Credentials | null;
  readonly #faults = new MendedFaults();
  readonly #onMended: (fault: string) => void;
  #aheadMs: number | null = null;
  #login: Login | null;
  #challenge: { digest: DigestChallenge; uses: number } | null = null;
  #heldBackUntil: Date | null = null;
  /** The password was accepted for something that needs one. */
  #isProven = false;
  /** The device has accepted us. Before that, calls go one after the other: two at once would be two failed logins. */
  #isAccepted: boolean;
  readonly #firstCalls = new CallQueue();

  /** @param onMended called for the first of each fault of the device's answers, which are understood all the same */
  constructor(options: OnvifOptions, clock: Clock, onMended: (fault: string) => void = () => undefined) {
    const { user, password } = options;
    this.options = options;
    this.#clock = clock;
    this.#onMended = onMended;
    this.#credentials = user === '' ? null : { user, password };
    this.#isAccepted = this.#credentials === null;
    this.#login = this.#initialLogin();
  }

  async call(call: SoapCall): Promise<SoapAnswer> {
    return await this.#inTurn(() => this.#callOrDefer(call), call.signal);
  }

  /** Sends a GET with the login that the device demands; for pictures. */
  async fetch(url: string, timeoutMs: number): Promise<DeviceAnswer> {
    const { selfSigned, user, password } = this.options;
    const get = (headers: Record<string, string>) =>
      this.#request({ method: 'GET', url, headers, timeoutMs, selfSigned });
    if (!this.#credentials) return await get({});
    const answer = await this.#withDigest('GET', url, get);
    if (!answer.ok || answer.status !== 401 || this.#challenge) return answer;
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    return await get({ authorization: `Basic ${basic}` });
  }

  /** The faults in the device's answers, though they are understood. */
  mended(): string[] {
    return this.#faults.recent(this.#clock.now());
  }

  /** Notes what is wrong with an answer that was understood. */
  noteFault(fault: string): void {
    if (this.#faults.note(fault, this.#clock.now())) this.#onMended(fault);
  }

  /** Milliseconds that the device's clock is ahead of this machine's; null: not known yet. */
  clockAheadMs(): number | null {
    return this.#aheadMs;
  }

  /** The time of the device's clock, as far as is known. */
  deviceNow(): Date {
    return new Date(this.#clock.now().getTime() + (this.#aheadMs ?? 0));
  }

  /** Notes a time from one of the device's answers: after its clock was set, it is requested again. */
  noteTime(deviceTime: Date): void {
    const aheadMs = deviceTime.getTime() - this.#clock.now().getTime();
    const movedMs = this.#aheadMs === null ? 0 : aheadMs - this.#aheadMs;
    if (Math.abs(movedMs) > CLOCK_MOVED_MS) void this.learnClock();
  }

  /** Requests the device's time. Needs no login. */
  async learnClock(signal?: AbortSignal): Promise<SoapAnswer> {
    const call: SoapCall = {
      url: this.options.url,
      action: 'http://www.onvif.org/ver10/device/wsdl/GetSystemDateAndTime',
      body: xml`<tds:GetSystemDateAndTime/>`,
      signal,
    };
    const sentAt = this.#clock.now().getTime();
    const raw = await this.#post(call, this.#textOf(call, false));
    const answer = readSoapAnswer(raw);
    const midway = (sentAt + this.#clock.now().getTime()) / 2;
    // Devices that demand a login for this still have the time in the head of their answer.
    const time = answer.ok ? readDeviceTime(answer.body) : raw.ok ? readHttpDate(raw.headers['date']) : null;
    if (time) this.#aheadMs = time.getTime() - midway;
    if (raw.ok) this.#aheadMs ??= 0;
    return answer;
  }

  /** The login that the device demands, found by a request without one, which cannot lock the account. */
  async login(signal?: AbortSignal): Promise<Login> {
    const login = await this.#findLogin(signal);
    return typeof login === 'string' ? login : 'none';
  }

  /** Runs a call that logs in by itself (node-onvif): in turn and held back like our own calls. */
  async runForeignCall(send: () => Promise<SoapAnswer | null>): Promise<SoapAnswer | null> {
    return await this.#inTurn(async () => {
      const held = this.#holdBack();
      if (held) return held;
      const answer = await send();
      if (answer?.ok) this.#isProven = true;
      return answer && this.#accept(answer);
    });
  }

  /**
   * Whether a refused login of such a call was not due to the password.
   *
   * @param usedAheadMs how far ahead the device's clock was assumed to be
   */
  async isRefusedByMistake(usedAheadMs: number): Promise<boolean> {
    if (await this.#hasClockMoved(usedAheadMs)) return true;
    if (this.#isProven && (await this.#callOnce(this.#informationCall(), 'token')).ok) return true;
    this.#refuse(LOGIN_REFUSED);
    return false;
  }

  /** When a refused login may be tried again; null: it was not refused. */
  heldBackUntil(): Date | null {
    return this.#holdBack() ? this.#heldBackUntil : null;
  }

  /** Lets a refused login be tried again now. */
  tryAgain(): void {
    this.#heldBackUntil = null;
  }

  #initialLogin(): Login | null {
    if (this.#credentials === null) return 'none';
    return this.options.login === 'auto' ? null : this.options.login;
  }

  /** Sends one call after the other, until the device has accepted the login. */
  async #inTurn<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T | SoapFailure> {
    return await (this.#isAccepted ? send() : this.#firstCalls.run(send, signal));
  }

  async #callOrDefer(call: SoapCall): Promise<SoapAnswer> {
    const held = this.#holdBack();
    if (held) return held;
    const { signal } = call;
    const login = await this.#findLogin(signal);
    if (typeof login !== 'string') return login;
    if (login === 'token' && this.#aheadMs === null) {
      const clock = await this.learnClock(signal);
      if (!clock.ok && clock.reason !== 'fault' && clock.reason !== 'login-refused') {
        return { ...clock, reason: 'unreachable' };
      }
    }
    const usedAheadMs = this.#aheadMs ?? 0;
    const answer = await this.#callOnce(call, login);
    if (answer.ok || answer.reason !== 'login-refused') return this.#accept(answer, call);
    if (login === 'none') return this.#refuse('the device wants a user and a password');
    if (login === 'token' && (await this.#hasClockMoved(usedAheadMs, signal))) {
      const second = await this.#callOnce(call, login);
      if (second.ok || second.reason !== 'login-refused') return this.#accept(second, call);
    }
    return (await this.#forbidden(answer, login, signal)) ?? this.#refuse(answer.message);
  }

  async #callOnce(call: SoapCall, login: Login): Promise<SoapAnswer> {
    if (login !== 'digest') {
      return readSoapAnswer(await this.#post(call, this.#textOf(call, login === 'token')));
    }
    const text = this.#textOf(call, false);
    const raw = await this.#withDigest('POST', call.url, (headers) => this.#post(call, text, headers));
    const answer = readSoapAnswer(raw);
    // This status means a wrong password with HTTP Digest, whatever the fault is.
    const isPassword = raw.ok && raw.status === 401 && !answer.ok && answer.reason === 'login-refused';
    return isPassword ? { ...answer, fault: null } : answer;
  }

  /** Sends with HTTP Digest: the first time to get the challenge, then with the response to it. */
  async #withDigest(
    method: string,
    url: string,
    send: (headers: Record<string, string>) => Promise<DeviceAnswer>,
  ): Promise<DeviceAnswer> {
    const usedOldChallenge = this.#challenge !== null;
    const answer = await send(this.#authorization(method, url));
    if (!answer.ok || answer.status !== 401) return answer;
    const digest = chooseChallenge(answer.challenges);
    if (!digest) return answer;
    this.#challenge = { digest, uses: 0 };
    // For a user who was accepted before, this only means that the nonce has expired, whether or not the
    // device calls it stale. For others it means that the password is wrong.
    if (usedOldChallenge && !digest.stale && !this.#isAccepted) return answer;
    return await send(this.#authorization(method, url));
  }

  #authorization(method: string, url: string): Record<string, string> {
    if (!this.#challenge || !this.#credentials) return {};
    const { pathname, search } = new URL(url);
    const request = { method, target: pathname + search, count: ++this.#challenge.uses };
    return { authorization: digestAuthorization(this.#challenge.digest, this.#credentials, request) };
  }

  /**
   * Sends a request that needs a login, without one: devices that demand HTTP Digest answer with a challenge.
   */
  async #findLogin(signal?: AbortSignal): Promise<Login | SoapAnswer> {
    if (this.#login) return this.#login;
    const call = this.#informationCall(signal);
    const answer = await this.#post(call, this.#textOf(call, false));
    if (!answer.ok) return { ...answer, reason: 'unreachable' };
    const digest = answer.status === 401 ? chooseChallenge(answer.challenges) : null;
    if (digest) this.#challenge = { digest, uses: 0 };
    this.#login = digest ? 'digest' : 'token';
    return this.#login;
  }

  #refuse(message: string): SoapAnswer {
    this.#heldBackUntil = new Date(this.#clock.now().getTime() + HELD_BACK_MS);
    // The next try is a first one again, and the device may demand another login by then.
    this.#isAccepted = this.#credentials === null;
    this.#isProven = false;
    this.#login = this.#initialLogin();
    return { ok: false, reason: 'login-refused', fault: null, message };
  }

  #holdBack(): SoapFailure | null {
    const until = this.#heldBackUntil;
    if (!until) return null;
    if (this.#clock.now() >= until) {
      this.#heldBackUntil = null;
      return null;
    }
    const message = `the login was refused; not tried again before ${until.toISOString()}`;
    return { ok: false, reason: 'held-back', message };
  }

  /** Whether the device's clock differs from the one by which a refused token was made. */
  async #hasClockMoved(usedAheadMs: number, signal?: AbortSignal): Promise<boolean> {
    await this.learnClock(signal);
    return Math.abs((this.#aheadMs ?? 0) - usedAheadMs) > CLOCK_MOVED_MS;
  }

  /**
   * Some devices use the fault of a wrong password for what a user may not do. A user who was accepted before then sends
   * a call that every user may send; null: it was the password, or that cannot be determined.
   */
  async #forbidden(
    { fault, message }: Extract<SoapAnswer, { reason: 'login-refused' }>,
    login: Login,
    signal?: AbortSignal,
  ): Promise<SoapAnswer | null> {
    if (!this.#isProven || fault === null) return null;
    const proof = await this.#callOnce(this.#informationCall(signal), login);
    return proof.ok ? { ok: false, reason: 'fault', fault, message: `not allowed: ${message}` } : null;
  }

  /** Notes that the device accepts us. */
  #accept(answer: SoapAnswer, call?: SoapCall): SoapAnswer {
    if (answer.ok || answer.reason === 'fault') this.#isAccepted = true;
    if (answer.ok && call && !OPEN_TO_ALL.test(call.action)) this.#isProven = true;
    return answer;
  }

  #informationCall(signal?: AbortSignal): SoapCall {
    return {
      url: this.options.url,
      action: 'http://www.onvif.org/ver10/device/wsdl/GetDeviceInformation',
      body: xml`<tds:GetDeviceInformation/>`,
      signal,
    };
  }

  #textOf(call: SoapCall, withToken: boolean): string {
    const { referenceParameters, action, url: to } = call;
    const token = withToken && this.#credentials;
    return soapEnvelope(call.body, {
      ...(token && { security: usernameToken(token, this.deviceNow()) }),
      ...(referenceParameters && {
        addressing: { action, messageId: `urn:uuid:${randomUUID()}`, to, referenceParameters },
      }),
    });
  }

  #post(call: SoapCall, text: string, headers: Record<string, string> = {}): Promise<DeviceAnswer> {
    return this.#request({
      method: 'POST',
      url: call.url,
      headers: { 'content-type': `application/soap+xml; charset=utf-8; action="${call.action}"`, ...headers },
      body: text,
      timeoutMs: call.timeoutMs ?? this.options.timeoutMs,
      signal: call.signal,
      selfSigned: this.options.selfSigned,
    });
  }

  async #request(request: DeviceRequest): Promise<DeviceAnswer> {
    const answer = await requestDevice(request);
    if (answer.ok) for (const fault of answer.faults) this.noteFault(`an answer is mended: ${fault}`);
    return answer;
  }
}
