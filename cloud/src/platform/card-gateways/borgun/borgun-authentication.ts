import type {
  Authentication,
  Challenge,
  Declined,
  GatewayOrder,
  GatewayState,
  Unavailable,
} from '../gateway.ts';
import type { Failure } from '../gateway-http.ts';
import { orderIdOf, toCurrencyCode, toEnrollmentAmount } from './borgun-amount.ts';
import type { EnrollmentAnswer } from './borgun-answers.ts';
import type { BorgunCalls, PaymentMethod } from './borgun-calls.ts';
import { type AuthenticationPolicy, stepOfMdStatus } from './borgun-results.ts';

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
/** MdStatus of banks that cannot authenticate, and of some that know the króna with two decimals only. */
const BANK_UNAVAILABLE = '5';
const KRONA = { currency: 'ISK', otherExponent: 2 };

/**
 * 3-D Secure by Borgun's merchant plug-in, by its document "3DSecure": enrollment, perhaps the bank's method step and a
 * second enrollment, perhaps a challenge and its validation. Moves no money.
 */
export class BorgunAuthentication {
  readonly #calls: BorgunCalls;
  readonly #policy: AuthenticationPolicy;

  constructor(calls: BorgunCalls, policy: AuthenticationPolicy) {
    this.#calls = calls;
    this.#policy = policy;
  }

  /** @param kept what the state must contain besides */
  async enroll(
    order: GatewayOrder,
    card: PaymentMethod,
    { returnUrl, kept }: { returnUrl: string; kept: GatewayState },
  ): Promise<Authentication> {
    const { currency, amountMinor } = order;
    const code = toCurrencyCode(currency);
    if (code === null) return declined('merchant', 'currency');
    const enroll = (exponent?: number) =>
      this.#calls.enroll({
        ...toEnrollmentAmount(amountMinor, currency, exponent),
        CardDetails: card,
        Currency: code,
        MD: orderIdOf(order.id),
        TermUrl: returnUrl,
        TDS2ThreeDSMethodNotificationURL: returnUrl,
      });
    let reply = await enroll();
    if (reply.kind === 'ok' && reply.answer.MdStatus === BANK_UNAVAILABLE && currency === KRONA.currency) {
      reply = await enroll(KRONA.otherExponent);
    }
    return reply.kind === 'ok' ? this.#next(order, reply.answer, kept) : notDone(reply, 'merchant');
  }

  /** The bank's page has posted these fields: after its method step, or after a challenge. */
  async readReturn(
    order: GatewayOrder,
    state: GatewayState,
    fields: Readonly<Record<string, string>>,
  ): Promise<Authentication> {
    if (state['stage'] === 'method') {
      const isCompleted = field(fields, 'threeDSMethodData') !== null;
      return this.#enrollAgain(order, state, isCompleted ? 'Y' : 'N');
    }
    if (state['stage'] !== 'challenge') return declined('not-authenticated', 'no-challenge');
    const pares = field(fields, 'PaRes');
    const cres = field(fields, 'CRes');
    const md = field(fields, 'MD');
    // 3-D Secure 2 has no MD; where there is one, it is the one of this payment.
    if (md === null ? cres === null : md !== state['md']) return declined('not-authenticated', 'other-md');
    const result = pares !== null ? { PARes: pares } : cres !== null ? { CRes: cres } : null;
    if (result === null) return declined('not-authenticated', 'no-result');
    const reply = await this.#calls.validate(result);
    if (reply.kind !== 'ok') return notDone(reply, 'not-authenticated');
    const { MdStatus, XId } = reply.answer;
    // The bank's answer to another payment proves nothing about this one.
    if (XId !== null && state['xid'] !== null && XId !== state['xid']) {
      return declined('not-authenticated', 'other-xid');
    }
    const step = stepOfMdStatus(MdStatus, this.#policy);
    if (step === 'authenticated') return authenticated(state, MdStatus);
    return step === 'unavailable' ? unavailable(MdStatus) : declined('not-authenticated', MdStatus);
  }

  async #next(order: GatewayOrder, answer: EnrollmentAnswer, kept: GatewayState): Promise<Authentication> {
    const { MdStatus, mpiToken, XId, TxId, MD } = answer;
    const state = {
      ...kept,
      mpiToken: mpiToken ?? kept['mpiToken'] ?? null,
      xid: XId,
      txId: TxId,
      md: MD ?? orderIdOf(order.id),
    };
    const step = stepOfMdStatus(MdStatus, this.#policy);
    switch (step) {
      case 'authenticated':
        return authenticated(state, MdStatus);
      case 'challenge': {
        const challenge = challengeOf(answer);
        if (challenge === null) return unavailable('a challenge without an address');
        return { kind: 'challenge', challenge, state: { ...state, stage: 'challenge' } };
      }
      case 'method': {
        // The step comes once: a bank that asks for it again is skipped.
        if (kept['stage'] === 'method') return declined('not-authenticated', MdStatus);
        const methodState = { ...state, stage: 'method' };
        const challenge = methodFormOf(answer.TDSMethodContent ?? '');
        if (challenge === null) return this.#enrollAgain(order, methodState, 'N');
        return { kind: 'challenge', challenge, state: methodState };
      }
      case 'unavailable':
        return unavailable(MdStatus);
      case 'stop':
        return declined('not-authenticated', MdStatus);
      default:
        return step satisfies never;
    }
  }

  /** @param completed whether the bank's method step came to its end; banks challenge more where it did not */
  async #enrollAgain(
    order: GatewayOrder,
    state: GatewayState,
    completed: 'Y' | 'N',
  ): Promise<Authentication> {
    const { xid, txId } = state;
    if (typeof xid !== 'string' || typeof txId !== 'string') return declined('not-authenticated', 'no-xid');
    const reply = await this.#calls.enroll({ XId: xid, TxId: txId, TDS2ThreeDSCompInd: completed });
    return reply.kind === 'ok' ? this.#next(order, reply.answer, state) : notDone(reply, 'not-authenticated');
  }
}

/** `proven`: the bank answers for the holder. Else the card is outside of 3-D Secure, and the policy lets it pay. */
function authenticated(state: GatewayState, mdStatus: string): Authentication {
  if (typeof state['mpiToken'] !== 'string') return declined('not-authenticated', 'no-mpi-token');
  const proven = mdStatus === '1' || mdStatus === '4';
  return { kind: 'authenticated', state: { ...state, stage: 'authenticated', proven } };
}

function challengeOf({ RedirectToACSData, RedirectToACSForm }: EnrollmentAnswer): Challenge | null {
  const data = RedirectToACSData ?? [];
  const isAddress = ({ Name }: { Name: string }) => Name.toLowerCase() === 'actionurl';
  const url = data.find(isAddress)?.Value;
  if (!url) return null;
  const fields = data
    .filter((each) => !isAddress(each))
    .map(({ Name, Value }) => ({ name: Name, value: Value }));
  return { kind: 'form', form: { html: RedirectToACSForm, url, fields, scripts: [] } };
}

/** The form of the bank's method step. It posts back to us by itself, as a challenge does. Null: no form is found. */
function methodFormOf(html: string): Challenge | null {
  const url = attribute(/<form\b[^>]*>/i.exec(html)?.[0], 'action');
  const fields = [...html.matchAll(/<input\b[^>]*>/gi)].flatMap(([tag]) => {
    const name = attribute(tag, 'name');
    return name === null ? [] : [{ name, value: attribute(tag, 'value') ?? '' }];
  });
  if (url === null || !fields.some(({ name }) => name === 'threeDSMethodData')) return null;
  return { kind: 'form', form: { html: null, url, fields, scripts: [] } };
}

function attribute(tag: string | undefined, name: string): string | null {
  const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag ?? '');
  return (value?.[1] ?? value?.[2])?.replaceAll('&amp;', '&') ?? null;
}

/** Banks differ in how they write the names. */
function field(fields: Readonly<Record<string, string>>, name: string): string | null {
  const found = Object.entries(fields).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found?.[1] || null;
}

/** The outcome of a failed call that moves no money: another try is safe, even if the answer was lost. */
export function notDone(reply: Failure, reason: Declined['reason']): Declined | Unavailable {
  if (reply.kind !== 'refused') return unavailable(reply.problem);
  switch (reply.status) {
    case UNAUTHORIZED:
    case FORBIDDEN:
      return declined('merchant', String(reply.status));
    default:
      return declined(reason, String(reply.status));
  }
}

export const declined = (reason: Declined['reason'], code: string): Declined => ({
  kind: 'declined',
  reason,
  code,
});

const unavailable = (problem: string): Unavailable => ({ kind: 'unavailable', problem });
