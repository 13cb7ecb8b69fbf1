import type { Language } from '@hlid/protocol/base/language';
import type { KioskVisit } from '@hlid/protocol/pages/kiosk-api';
import { every } from '@hlid/ui/every';
import { useEffect } from 'react';
import type { Answer, KioskEdge } from '../kiosk-edge.ts';
import { momentOf } from '../site-clock.ts';
import {
  type EntryTime,
  type KioskAction,
  onlyCar,
  type Screen,
  SHORTEST_PLATE,
  SHORTEST_SEARCH,
} from '../state/kiosk-state.ts';

/** Shorter than the select lists' 500 ms: cars are to show up as the driver types. */
const SEARCH_DEBOUNCE_MS = 200;
/** The debounce of lists that pass their input on, as in the specification. */
const INPUT_DEBOUNCE_MS = 500;
const TRY_AGAIN_MS = 3000;
const CHECKING_EVERY_MS = 3000;
/** How soon the kiosk sees that a phone has paid. */
const PAID_EVERY_MS = 1500;
/** The interval of questions about the price: a started hour or day may change it while it is shown. */
const DUE_EVERY_MS = 15_000;

interface Asking {
  edge: KioskEdge;
  screen: Screen;
  language: Language;
  timeZone: string;
  dispatch: (action: KioskAction) => void;
}

/** Asks the edge for what the screen shows: cars, what is due, the receipt. */
export function useAnswers({ edge, screen, language, timeZone, dispatch }: Asking): void {
  // A text too short to be the beginning of a plate may be a whole plate, if the driver confirms it.
  const shortest = screen.at === 'plate' && screen.asked ? SHORTEST_PLATE : SHORTEST_SEARCH;
  const searched = screen.at === 'plate' && screen.typed.length >= shortest ? screen.typed : null;
  const answered = screen.at === 'plate' && screen.found !== null;
  const at = screen.at === 'plate' && screen.asked ? 0 : SEARCH_DEBOUNCE_MS;
  useEffect(() => {
    if (searched === null || answered) return;
    return after(at, (signal) =>
      every(TRY_AGAIN_MS, async (turn) => {
        const answer = await edge.visits(searched, AbortSignal.any([signal, turn]));
        if (signal.aborted) return;
        dispatchAnswer(dispatch, answer, (visits) => ({ type: 'found', found: { plate: searched, visits } }));
      }),
    );
  }, [edge, searched, answered, at, dispatch]);

  const time = screen.at === 'browse' && screen.visits === null ? screen.time : null;
  const [day, hours] = [time?.day, time?.hours.join()];
  useEffect(() => {
    if (day === undefined || !hours) return;
    const wanted: EntryTime = { day, hours: hours.split(',').map(Number) };
    return after(INPUT_DEBOUNCE_MS, (signal) =>
      every(TRY_AGAIN_MS, async (turn) => {
        const visits: KioskVisit[] = [];
        for (const hour of wanted.hours) {
          const [from, to] = [momentOf(day, hour, timeZone), momentOf(day, hour + 1, timeZone)];
          const answer = await edge.entries(from, to, AbortSignal.any([signal, turn]));
          if (signal.aborted) return;
          if (answer.kind !== 'ok') return dispatchAnswer(dispatch, answer, () => ({ type: 'edge-lost' }));
          visits.push(...answer.value);
        }
        dispatch({ type: 'entries', time: wanted, visits });
      }),
    );
  }, [edge, day, hours, timeZone, dispatch]);

  useDue({ edge, screen, dispatch });

  const phone = screen.at === 'phone' ? screen : null;
  const isLinkWanted = phone !== null && phone.link === null && phone.trouble !== 'not-offered';
  const linkTo = isLinkWanted ? phone.due.visit.id : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the code stays while somebody scans it.
  useEffect(() => {
    if (linkTo === null) return;
    return every(TRY_AGAIN_MS, async (signal) => {
      const answer = await edge.payLink(linkTo, phone?.typed ?? '', language, signal);
      if (!signal.aborted) dispatchAnswer(dispatch, answer, (url) => ({ type: 'pay-link', url }));
    });
  }, [edge, linkTo, dispatch]);

  const named = screen.at === 'name-plate' && screen.sending ? screen : null;
  const [namedId, plate] = [named?.visit.id, named?.typed];
  useEffect(() => {
    if (namedId === undefined || plate === undefined) return;
    return once(async (signal) => {
      const answer = await edge.namePlate(namedId, plate, signal);
      if (!signal.aborted) dispatchAnswer(dispatch, answer, (due) => ({ type: 'due', due }));
    });
  }, [edge, namedId, plate, dispatch]);

  const coded = screen.at === 'code' && screen.sending ? screen : null;
  const [codedId, code, codedPlate] = [coded?.due.visit.id, coded?.typed, coded?.plate];
  useEffect(() => {
    if (codedId === undefined || code === undefined || codedPlate === undefined) return;
    return once(async (signal) => {
      const answer = await edge.code(codedId, code, codedPlate, signal);
      if (!signal.aborted) dispatchAnswer(dispatch, answer, (due) => ({ type: 'due', due }));
    });
  }, [edge, codedId, code, codedPlate, dispatch]);

  const disowned = screen.at === 'question' && screen.sending ? screen : null;
  const [disownedId, ownPlate] = [disowned?.visit.id, disowned?.typed];
  useEffect(() => {
    if (disownedId === undefined || ownPlate === undefined) return;
    return once(async (signal) => {
      const answer = await edge.notMine(disownedId, ownPlate, signal);
      if (!signal.aborted) dispatchAnswer(dispatch, answer, () => ({ type: 'exit-opens' }));
    });
  }, [edge, disownedId, ownPlate, dispatch]);

  const receiptOf = screen.at === 'receipt' && screen.receipt === null ? screen.payment.id : null;
  useEffect(() => {
    if (receiptOf === null) return;
    return every(TRY_AGAIN_MS, async (signal) => {
      const answer = await edge.receipt(receiptOf, signal);
      if (!signal.aborted) dispatchAnswer(dispatch, answer, (receipt) => ({ type: 'receipt', receipt }));
    });
  }, [edge, receiptOf, dispatch]);

  const mailed = screen.at === 'mail' && screen.sending ? screen : null;
  const [paymentId, email] = [mailed?.payment.id, mailed?.typed];
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is sent in the language in which it was asked for.
  useEffect(() => {
    if (paymentId === undefined || email === undefined) return;
    return once(async (signal) => {
      const answer = await edge.mail(paymentId, email, language, signal);
      if (!signal.aborted) dispatchAnswer(dispatch, answer, () => ({ type: 'mail-taken' }));
    });
  }, [edge, paymentId, email, dispatch]);
}

/** The amount due for the stay that is shown, or for the only car that is suggested. */
function useDue({ edge, screen, dispatch }: Pick<Asking, 'edge' | 'screen' | 'dispatch'>): void {
  const phone = screen.at === 'phone' ? screen : null;
  const isChecking = screen.at === 'due' && screen.due?.standing === 'checking';
  const only = onlyCar(screen);
  const isSuggested = only !== null;
  const visitId = screen.at === 'due' ? screen.visitId : (phone?.due.visit.id ?? only?.id ?? null);
  const typed = screen.at === 'due' || screen.at === 'phone' || screen.at === 'plate' ? screen.typed : '';
  const pause = phone ? PAID_EVERY_MS : isChecking ? CHECKING_EVERY_MS : DUE_EVERY_MS;
  useEffect(() => {
    if (visitId === null) return;
    return every(pause, async (signal) => {
      const answer = await edge.due(visitId, typed, signal);
      // A suggestion without its price is one all the same.
      if (signal.aborted || (isSuggested && answer.kind === 'refused')) return;
      dispatchAnswer(dispatch, answer, (due) => ({ type: 'due', due }));
    });
  }, [edge, visitId, typed, isSuggested, pause, dispatch]);
}

function dispatchAnswer<T>(
  dispatch: (action: KioskAction) => void,
  answer: Answer<T>,
  actionOf: (value: T) => KioskAction,
): void {
  if (answer.kind === 'ok') dispatch(actionOf(answer.value));
  else if (answer.kind === 'refused') dispatch({ type: 'refused', fault: answer.fault });
  else dispatch({ type: 'edge-lost' });
}

function once(work: (signal: AbortSignal) => Promise<void>): () => void {
  const ending = new AbortController();
  void work(ending.signal);
  return () => ending.abort();
}

/** Begins something after a pause, unless it is ended before. */
function after(pauseMs: number, begin: (signal: AbortSignal) => () => void): () => void {
  const ending = new AbortController();
  let end: (() => void) | undefined;
  const timer = setTimeout(() => {
    end = begin(ending.signal);
  }, pauseMs);
  return () => {
    clearTimeout(timer);
    ending.abort();
    end?.();
  };
}
