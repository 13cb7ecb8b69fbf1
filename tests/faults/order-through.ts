import { waitFor } from '../harness/wait.ts';
import type { SiteAtTerminal } from './paying-site.ts';

/** Orders, lets something befall the payment, and waits for the desk's answer; a daemon that is dead never gives one. */
export async function orderThrough(
  pay: SiteAtTerminal,
  visitId: string,
  befall: () => void | Promise<void>,
): Promise<void> {
  let answered = false;
  void pay
    .order(visitId)
    .catch(() => null)
    .finally(() => {
      answered = true;
    });
  await befall();
  await waitFor(() => answered || pay.dead, { what: 'an answer' });
}

/** Waits until no payment is in progress, or the daemon is dead. */
export async function untilOver(pay: SiteAtTerminal): Promise<void> {
  await waitFor(() => pay.dead || !pay.isPaying(), {
    what: 'an end of the payment',
  });
}
