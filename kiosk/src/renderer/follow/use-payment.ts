import type { Language } from '@hlid/protocol/base/language';
import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import { every } from '@hlid/ui/every';
import { useEffect } from 'react';
import type { KioskEdge } from '../kiosk-edge.ts';
import type { KioskAction, Screen } from '../state/kiosk-state.ts';
import { isWorking } from '../state/pay-state.ts';

const TRY_AGAIN_MS = 2000;
/** An order that the edge fails to take so often is given up; whether money moved is seen in what is due. */
const MAX_FAILURES = 5;
/** Beside the events, which a shell or a proxy may hold back. */
const POLL_EVERY_MS = 2500;

/** Sends the order of a payment, follows its state, and passes on a request to cancel it. */
export function usePayment(
  edge: KioskEdge,
  screen: Screen,
  language: Language,
  dispatch: (action: KioskAction) => void,
): void {
  const paying = screen.at === 'pay' ? screen : null;
  const request = paying && paying.payment === null && paying.trouble === null ? paying.request : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language of the order is that in which it was given.
  useEffect(() => {
    if (!request) return;
    let failures = 0;
    // The same key each time: whatever was lost on the way, it is one order and is paid once.
    return every(TRY_AGAIN_MS, async (signal) => {
      const answer = await edge.pay(request, language, signal);
      if (signal.aborted) return;
      if (answer.kind === 'ok') dispatch({ type: 'payment', payment: answer.value });
      else if (answer.kind === 'lost') dispatch({ type: 'edge-lost' });
      else if (!mayPass(answer.fault) || ++failures >= MAX_FAILURES) {
        dispatch({ type: 'refused', fault: answer.fault });
      }
    });
  }, [edge, request, dispatch]);

  const isOpen = paying !== null && (isWorking(paying) || paying.payment?.state === 'unknown');
  const paymentId = isOpen ? (paying.payment?.id ?? null) : null;
  useEffect(() => {
    if (paymentId === null) return;
    const stopWatching = edge.watch(paymentId, (payment) => dispatch({ type: 'payment', payment }));
    const stopPolling = every(POLL_EVERY_MS, async (signal) => {
      const answer = await edge.payment(paymentId, signal);
      if (signal.aborted) return;
      if (answer.kind === 'ok') dispatch({ type: 'payment', payment: answer.value });
      else if (answer.kind === 'lost') dispatch({ type: 'edge-lost' });
    });
    return () => {
      stopWatching();
      stopPolling();
    };
  }, [edge, paymentId, dispatch]);

  const cancelled = paying?.cancelling && isWorking(paying) ? paymentId : null;
  useEffect(() => {
    if (cancelled === null) return;
    // A lost command is sent again; its outcome comes with the payment.
    return every(TRY_AGAIN_MS, async (signal) => {
      await edge.cancel(cancelled, signal);
    });
  }, [edge, cancelled]);
}

function mayPass(fault: KioskFault): boolean {
  return fault === 'failed' || fault === 'too-many-requests';
}
