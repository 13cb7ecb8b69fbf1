import type { PayBrowser, PayPayment } from '@hlid/protocol/pages/pay-api';
import { every } from '@hlid/ui/every';
import { useEffect } from 'react';
import type { CardHolder } from '../card/card-holder.ts';
import type { Answer } from '../pay-cloud.ts';
import type { CardProvider, CardProviders, ScriptChallenge } from '../providers/card-provider.ts';
import type { PayAction, Step, StepAt } from '../state/pay-state.ts';
import { isOver } from '../state/pay-steps.ts';
import { type CallContext, report } from './use-calls.ts';

const RETRY_MS = 2000;
const FOLLOW_EVERY_MS = 1500;
/** The interval of questions about an outcome that only the provider knows. */
const CHECK_EVERY_MS = 5000;

/** Steps of a stay from which a payment may be tried again. */
const MAY_PAY_NEXT: readonly Step['at'][] = ['due', 'proof', 'days', 'card'];

interface Tools {
  holder: CardHolder;
  providers: CardProviders;
}

/** Carries a payment from step to step, and follows it until its outcome is known. */
export function usePayment(context: CallContext, tools: Tools): void {
  const { cloud, state, dispatch } = context;
  const { step } = state;
  const pay = step.at === 'pay' ? step : null;
  const { holder } = tools;
  const work = pay && workOf(pay, holder.isHeld);
  const name = work && `${work} ${pay.order.payment}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `name` says when there is something else to do.
  useEffect(() => {
    if (pay === null || work === null) return;
    if (work === 'follow') {
      const pause = pay.payment?.state === 'unknown' ? CHECK_EVERY_MS : FOLLOW_EVERY_MS;
      return every(pause, async (signal) => {
        reportPayment(await cloud.payment(pay.order.payment, signal), signal, dispatch);
      });
    }
    const run = new PaymentStep(context, tools, pay);
    const stop = every(RETRY_MS, async (signal) => {
      if (await run.work(work, signal)) stop();
    });
    return stop;
  }, [name]);

  // The receipt, the time to leave, and that the car park is informed, may come later than the approval.
  const late =
    step.at === 'paid' &&
    (step.payment.state !== 'settled' || step.payment.receipt === null || step.payment.siteKnows === false);
  const lateKey = step.at === 'paid' && late ? step.payment.key : null;
  useEffect(() => {
    if (lateKey === null) return;
    return every(FOLLOW_EVERY_MS, async (signal) => {
      reportPayment(await cloud.payment(lateKey, signal), signal, dispatch);
    });
  }, [cloud, lateKey, dispatch]);

  const { at } = step;
  useEffect(() => {
    if (at === 'pay') return;
    if (MAY_PAY_NEXT.includes(at)) holder.endTry();
    else holder.forget();
  }, [at, holder]);
}

type Work = 'order' | 'resume' | 'cancel' | 'encrypt' | 'challenge' | 'finish' | 'follow';

/** The next step of a payment; null: it is over. */
export function workOf(
  { payment, form, cancelling }: Pick<StepAt<'pay'>, 'payment' | 'form' | 'cancelling'>,
  hasCard: boolean,
): Work | null {
  if (payment === null) {
    if (cancelling) return 'cancel';
    return form === null || !hasCard ? 'resume' : 'order';
  }
  if (isOver(payment)) return null;
  if (payment.next === null) return 'follow';
  // No money moves before `finish`. The payment cannot continue without the card.
  if (cancelling || !hasCard) return 'cancel';
  switch (payment.next.kind) {
    case 'encrypt':
      return 'encrypt';
    case 'script':
      return 'challenge';
    case 'form':
      return 'follow';
    case 'wait':
      // The answer with the form or the tokens was lost: another order begins.
      return 'cancel';
    case 'finish':
      return 'finish';
    default:
      payment.next satisfies never;
      // This page does not support the step: nothing has moved yet.
      return 'cancel';
  }
}

/** One step of a payment. It may be repeated: the cloud does each of them once. */
class PaymentStep {
  readonly #context: CallContext;
  readonly #tools: Tools;
  readonly #pay: StepAt<'pay'>;
  #challenged: string | null | undefined;

  constructor(context: CallContext, tools: Tools, pay: StepAt<'pay'>) {
    this.#context = context;
    this.#tools = tools;
    this.#pay = pay;
  }

  /** @returns whether it is done; false: the line was lost, repeat it */
  async work(work: Exclude<Work, 'follow'>, signal: AbortSignal): Promise<boolean> {
    const { cloud, dispatch } = this.#context;
    const { payment } = this.#pay.order;
    switch (work) {
      case 'order':
        return reportPayment(await this.#order(signal), signal, dispatch);
      case 'resume':
        return await this.#resume(signal);
      case 'cancel':
        return reportPayment(await cloud.cancel(payment, signal), signal, dispatch);
      case 'encrypt':
        return await this.#encrypt(signal);
      case 'challenge':
        return await this.#challenge(signal);
      case 'finish':
        return reportStep(await this.#finish(signal), signal, this.#context, payment);
      default:
        return work satisfies never;
    }
  }

  #order(signal: AbortSignal): Promise<Answer<PayPayment>> {
    const { cloud, state } = this.#context;
    const { order } = this.#pay;
    const card = state.site?.gateway?.cardInput === 'card' ? this.#tools.holder.card : null;
    const body = {
      payment: order.payment,
      stay: order.stay,
      amountMinor: order.amountMinor,
      language: state.language,
      browser: browserOf(),
      ...(order.quantity !== null && { quantity: order.quantity }),
      ...(order.caps !== null && { storeCard: true }),
      ...(order.siteAway !== undefined && { siteAway: order.siteAway }),
      ...(card && { card }),
    };
    return cloud.order(body, signal);
  }

  /**
   * Continues after a reload: the order may never have arrived. It is cancelled then, so that it cannot
   * arrive later.
   */
  async #resume(signal: AbortSignal): Promise<boolean> {
    const { cloud, dispatch } = this.#context;
    const { payment } = this.#pay.order;
    const answer = await cloud.payment(payment, signal);
    if (answer.kind !== 'refused' || answer.fault !== 'not-found') {
      // The state of the payment alone counts: it is read again.
      return reportPayment(answer, signal, dispatch) && answer.kind === 'ok';
    }
    const cancelled = await cloud.cancel(payment, signal);
    if (signal.aborted) return true;
    if (cancelled.kind === 'ok') dispatch({ type: 'payment', payment: cancelled.value });
    if (cancelled.kind === 'refused') dispatch({ type: 'never-ordered' });
    return cancelled.kind !== 'lost';
  }

  async #encrypt(signal: AbortSignal): Promise<boolean> {
    const { cloud, dispatch } = this.#context;
    const { order, payment } = this.#pay;
    if (payment?.next?.kind !== 'encrypt') return true;
    try {
      const encrypted = await this.#encryptedCard(payment.next.tokens);
      if (encrypted === null) return true;
      const body = { payment: order.payment, ...encrypted, browser: browserOf() };
      return reportStep(await cloud.authenticate(body, signal), signal, this.#context, order.payment);
    } catch {
      // The provider's script does not work here. Nothing was charged.
      if (!signal.aborted) dispatch({ type: 'cancel' });
      return true;
    }
  }

  /** Encrypts a typed card for each try again, since the provider measures the browser along with it. */
  async #encryptedCard(tokens: Readonly<Record<string, string>>) {
    const { holder } = this.#tools;
    if (holder.card === null) return holder.encrypted && { ...holder.encrypted, sessionId: null };
    const provider = await this.#provider();
    const encrypted = (await provider.encrypt?.(holder.card, tokens)) ?? null;
    if (encrypted === null) return null;
    const { sessionId, ...card } = encrypted;
    holder.holdEncrypted(card);
    return { ...card, sessionId };
  }

  #provider(): Promise<CardProvider> {
    return this.#tools.providers.get(this.#context.state.site?.gateway?.kind ?? '');
  }

  async #challenge(signal: AbortSignal): Promise<boolean> {
    const { dispatch } = this.#context;
    const { order, payment } = this.#pay;
    if (payment?.next?.kind !== 'script') return true;
    if (this.#challenged === undefined) this.#challenged = await this.#challengeOf(payment.next);
    if (signal.aborted) return true;
    const threedsToken = this.#challenged;
    if (threedsToken === null) {
      dispatch({ type: 'cancel' });
      return true;
    }
    return reportStep(await this.#finish(signal, threedsToken), signal, this.#context, order.payment);
  }

  async #challengeOf(next: ScriptChallenge): Promise<string | null> {
    try {
      return await (await this.#provider()).challenge(next);
    } catch {
      return null;
    }
  }

  #finish(signal: AbortSignal, threedsToken?: string): Promise<Answer<PayPayment>> {
    const { cloud, state } = this.#context;
    const { card, encrypted: held } = this.#tools.holder;
    const encrypted = state.site?.gateway?.cardInput === 'encrypted' ? held : null;
    const pays = encrypted ? { encrypted } : card && { card };
    const { payment, siteAway } = this.#pay.order;
    const known = siteAway !== undefined && { siteAway };
    const body = { payment, ...known, ...pays, ...(threedsToken && { threedsToken }) };
    return cloud.finish(body, signal);
  }
}

function reportPayment(
  answer: Answer<PayPayment>,
  signal: AbortSignal,
  dispatch: (action: PayAction) => void,
): boolean {
  if (signal.aborted) return true;
  return report(answer, dispatch, (payment) => ({ type: 'payment', payment }));
}

/**
 * A step after the order: a refusal does not show the payment's state, so it is read. It is repeated until
 * that shows another step.
 */
async function reportStep(
  answer: Answer<PayPayment>,
  signal: AbortSignal,
  { cloud, dispatch }: CallContext,
  payment: string,
): Promise<boolean> {
  if (answer.kind !== 'refused') return reportPayment(answer, signal, dispatch);
  reportPayment(await cloud.payment(payment, signal), signal, dispatch);
  return signal.aborted;
}

function browserOf(): PayBrowser {
  return {
    language: navigator.language,
    screenWidth: screen.width,
    screenHeight: screen.height,
    colorDepth: screen.colorDepth,
    timeZoneOffset: new Date().getTimezoneOffset(),
  };
}
