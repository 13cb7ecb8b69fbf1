import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { every } from '@hlid/ui/every';
import { useEffect } from 'react';
import type { Answer, PayCloud } from '../pay-cloud.ts';
import { momentOf } from '../site-clock.ts';
import type { PayAction, PayState } from '../state/pay-state.ts';

const RETRY_MS = 3000;
const CHECKING_EVERY_MS = 3000;
const SITE_EVERY_MS = MINUTE_MS;
/** The interval of questions about the price: a started hour or day may change it while it is shown. */
const DUE_EVERY_MS = 15_000;

export interface CallContext {
  cloud: PayCloud;
  state: PayState;
  dispatch: (action: PayAction) => void;
}

/** The parameters of the page's address. */
export interface PageAddress {
  siteCode: string | null;
  link: string | null;
  /** The plate from the code at an exit; null: it is typed. */
  plate?: string | null | undefined;
}

/** Calls the cloud for what the step shows. */
export function useCalls({ cloud, state, dispatch }: CallContext, address: PageAddress): void {
  const { step, site, language } = state;
  useFinding({ cloud, state, dispatch });

  const isLink = address.link !== null && step.at === 'loading';
  const code = site === null && !isLink ? address.siteCode : null;
  useEffect(() => {
    if (code === null) return;
    return untilAnswered(
      (signal) => cloud.site(code, signal),
      dispatch,
      (value) => ({ type: 'site', site: value }),
    );
  }, [cloud, code, dispatch]);

  // A page that stays open shows what a stay costs now: at midnight there may be another price. It also finds out in this way
  // that the cloud was upgraded.
  const openSite = step.at === 'plate' ? site?.code : undefined;
  useEffect(() => {
    if (openSite === undefined) return;
    const ending = new AbortController();
    const readSite = async () => {
      if (document.hidden) return;
      const answer = await cloud.site(openSite, ending.signal);
      if (!ending.signal.aborted && answer.kind === 'ok') dispatch({ type: 'site', site: answer.value });
    };
    const timer = setInterval(() => void readSite(), SITE_EVERY_MS);
    // A phone that was in a pocket over midnight.
    const whenShown = () => void readSite();
    document.addEventListener('visibilitychange', whenShown);
    return () => {
      ending.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', whenShown);
    };
  }, [cloud, openSite, dispatch]);

  const link = isLink ? address.link : null;
  useEffect(() => {
    if (link === null) return;
    return untilAnswered(
      (signal) => cloud.open(link, signal),
      dispatch,
      (opened) => ({ type: 'opened', ...opened }),
    );
  }, [cloud, link, dispatch]);

  const needsSites = step.at === 'sites' && step.sites === null;
  useEffect(() => {
    if (!needsSites) return;
    return untilAnswered(
      (signal) => cloud.sites(signal),
      dispatch,
      (sites) => ({ type: 'sites', sites }),
    );
  }, [cloud, needsSites, dispatch]);

  const dueOf = step.at === 'due' ? step.stay : null;
  const pause = step.at === 'due' && step.due?.standing === 'checking' ? CHECKING_EVERY_MS : DUE_EVERY_MS;
  useEffect(() => {
    if (dueOf === null) return;
    return every(pause, async (signal) => {
      const answer = await cloud.due(dueOf, signal);
      if (!signal.aborted) report(answer, dispatch, (due) => ({ type: 'due', due }));
    });
  }, [cloud, dueOf, pause, dispatch]);

  const paidBefore = step.at === 'again' ? step.payment : null;
  useEffect(() => {
    if (paidBefore === null) return;
    return untilAnswered(
      (signal) => cloud.payment(paidBefore, signal),
      dispatch,
      (payment) => ({ type: 'payment', payment }),
    );
  }, [cloud, paidBefore, dispatch]);

  const mailed = step.at === 'paid' && step.mail === 'sending' ? step : null;
  const [mailOf, email] = [mailed?.payment.key, mailed?.email];
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is sent in the language in which it was ordered.
  useEffect(() => {
    if (mailOf === undefined || email === undefined) return;
    return untilAnswered(
      (signal) => cloud.mail({ payment: mailOf, email, language }, signal),
      dispatch,
      () => ({ type: 'mailed' }),
    );
  }, [cloud, mailOf, email, dispatch]);
}

/** Finds the stay of a plate, and learns whether it is the driver's. */
function useFinding({ cloud, state: { step, site }, dispatch }: CallContext): void {
  const siteCode = site?.code;
  const plate = step.at === 'plate' && step.sending ? step.typed : null;
  useEffect(() => {
    if (plate === null || siteCode === undefined) return;
    return untilAnswered(
      (signal) => cloud.find({ siteCode, plate }, signal),
      dispatch,
      (stays) => ({ type: 'found', plate, stays }),
    );
  }, [cloud, siteCode, plate, dispatch]);

  const disowned = step.at === 'question' && step.sending ? step : null;
  const [disownedStay, ownPlate] = [disowned?.stay.key, disowned?.plate];
  useEffect(() => {
    if (disownedStay === undefined || ownPlate === undefined) return;
    return untilAnswered(
      (signal) => cloud.notMine(disownedStay, ownPlate, signal),
      dispatch,
      () => ({ type: 'exit-opens' }),
    );
  }, [cloud, disownedStay, ownPlate, dispatch]);

  const proof = step.at === 'proof' && step.sending ? step : null;
  const proofStay = proof?.stay;
  const enteredAt = proof && site ? momentOf(proof.day, proof.time, site.timeZone) : undefined;
  useEffect(() => {
    if (proofStay === undefined || enteredAt === undefined) return;
    return untilAnswered(
      (signal) => cloud.prove({ stay: proofStay, enteredAt }, signal),
      dispatch,
      (stay) => ({ type: 'proved', stay }),
    );
  }, [cloud, proofStay, enteredAt, dispatch]);
}

/** Passes an answer on. @returns whether there was one */
export function report<T>(
  answer: Answer<T>,
  dispatch: (action: PayAction) => void,
  actionOf: (value: T) => PayAction,
): boolean {
  dispatch({ type: 'online', online: answer.kind !== 'lost' });
  if (answer.kind === 'ok') dispatch(actionOf(answer.value));
  if (answer.kind === 'refused') {
    dispatch({ type: 'refused', fault: answer.fault, fields: answer.fields });
  }
  return answer.kind !== 'lost';
}

/** Calls again while the line is lost. Only for calls that may be repeated. */
function untilAnswered<T>(
  work: (signal: AbortSignal) => Promise<Answer<T>>,
  dispatch: (action: PayAction) => void,
  actionOf: (value: T) => PayAction,
): () => void {
  const stop = every(RETRY_MS, async (signal) => {
    const answer = await work(signal);
    if (!signal.aborted && report(answer, dispatch, actionOf)) stop();
  });
  return stop;
}
