import type { Terminal } from '@hlid/edge/terminal/terminal';
import { currencyNumber } from '@hlid/protocol/base/currency-number';
import { deadline } from '@hlid/protocol/test/deadline';
import { waitFor } from '../harness/wait.ts';
import { startLocallinkTerminal } from './locallink-terminal.ts';
import { openLocallinkTill } from './locallink-till.ts';
import type { SeededRandom } from './seeded-random.ts';
import { CARDS } from './zvt-cards.ts';
import { ZVT_STEPS } from './zvt-faults.ts';
import { startRig } from './zvt-rig.ts';

/** The card in the driver's hand. */
export type HeldCard = 'good' | 'refused' | 'expired' | 'unmasked';

/** A driver at its simulated terminal, whatever they speak: what every kind of terminal can be made to do. */
export interface ContractRig {
  readonly driver: Terminal;
  /** The number of the card that is not masked. */
  readonly unmasked: string;
  /** All that the driver has logged. */
  log(): string;
  ready(): Promise<unknown>;
  /** Held to it now, or at the next payment. */
  present(card: HeldCard): void;
  waitsForCard(): Promise<unknown>;
  /** The red key, while it waits for a card. */
  pressCancel(): void;
  /** It confirms a cancellation, and the bank approves the payment all the same. */
  approvesAfterCancel(): void;
  /** Makes its next approval wrong. */
  falsify(lie: { currency?: string; amountMinor?: number; terminalId?: string }): void;
  /** The next holder of a card gives so much more. */
  givesTip(tipMinor: number): void;
  /** The next payment breaks at this place: the till receives nothing until `heal`. */
  breaksAt(place: 'before-card' | 'after-booking'): void;
  /** The next reversal has no answer: the terminal did not get it, or has carried it out. */
  losesReversal(place: 'before' | 'after'): void;
  /** Something goes wrong somewhere in the next payment. */
  breaksSomewhere(random: SeededRandom): void;
  heal(): void;
  goesAway(): Promise<unknown>;
  /** The amount that it has taken, and not given back. */
  takenMinor(): number;
  /** Payments that have come to it. */
  ordersReceived(): number;
  close(): Promise<void>;
}

export async function startZvtContractRig(): Promise<ContractRig> {
  const rig = await startRig({ cardMs: deadline(400) }, { completionMs: deadline(500) });
  const { sim, driver } = rig;
  const cards = {
    good: CARDS.visa,
    refused: CARDS.refused,
    expired: CARDS.expired,
    unmasked: CARDS.unmasked,
  };
  return {
    driver,
    unmasked: CARDS.unmasked.number,
    log: () => rig.log.join('\n'),
    ready: rig.ready,
    present: (card) => sim.present(cards[card]),
    waitsForCard: () => waitFor(sim.waitsForCard, { what: 'the terminal to ask for a card' }),
    pressCancel: sim.pressCancel,
    approvesAfterCancel() {
      sim.faults.approvesAfterAbort = true;
    },
    falsify({ currency, amountMinor, terminalId }) {
      Object.assign(sim.faults, {
        currency: currency === undefined ? null : currencyNumber(currency),
        amountMinor: amountMinor ?? null,
        terminalId: terminalId ?? null,
      });
    },
    givesTip(tipMinor) {
      sim.faults.tipMinor = tipMinor;
    },
    breaksAt(place) {
      sim.faults.lineCutAt = place === 'before-card' ? 'accepted' : 'stored';
    },
    losesReversal(place) {
      sim.faults.lineCutAt = place === 'before' ? 'command' : 'stored';
    },
    breaksSomewhere(random) {
      const fault = random.pick(['lineCutAt', 'powerCutAt', 'silentAt'] as const);
      sim.faults[fault] = random.pick(ZVT_STEPS);
    },
    heal: sim.heal,
    async goesAway() {
      await sim.close();
      await waitFor(() => driver.status().connection === 'DISCONNECTED', { what: 'the driver to notice' });
    },
    takenMinor: sim.book.totalMinor,
    ordersReceived: () => sim.received.filter((control) => control === '0601').length,
    close: rig.close,
  };
}

const CALLS = ['sell', 'look', 'cancel', 'status', 'x-report'] as const;

export async function startLocallinkContractRig(): Promise<ContractRig> {
  const sim = await startLocallinkTerminal();
  const till = openLocallinkTill(sim, { replyTimeoutMs: deadline(250) });
  const { terminal: driver } = till;
  const unmasked = '4556737586899855';
  const cards = {
    good: { applicationId: 'A0000000031010', number: '4111111111111111' },
    refused: { responseCode: '05' },
    expired: { responseCode: '54' },
    unmasked: { number: unmasked, isUnmasked: true },
  };
  sim.present(null);
  let away = false;
  return {
    driver,
    unmasked,
    log: till.log,
    ready: till.ready,
    present: (card) => sim.present(cards[card]),
    waitsForCard: () => waitFor(() => sim.books.isBusy(), { what: 'the terminal to ask for a card' }),
    pressCancel: () => sim.present({ pressesCancel: true }),
    approvesAfterCancel() {
      sim.books.habits.approvesAfterCancel = true;
    },
    falsify({ currency, amountMinor, terminalId }) {
      sim.books.habits.retells = {
        ...(currency !== undefined && { currencyCode: String(currencyNumber(currency)) }),
        ...(amountMinor !== undefined && { totalAmount: String(amountMinor * 100) }),
        ...(terminalId !== undefined && { terminalId }),
      };
    },
    givesTip(tipMinor) {
      sim.books.habits.tip = tipMinor * 100;
    },
    breaksAt(place) {
      // It goes on by itself: what matters is what it has taken by the time it is asked again.
      sim.present(place === 'before-card' ? null : cards.good);
      sim.fail('look', { kind: 'dropped', acts: true });
      sim.fail('cancel', { kind: 'dropped', acts: true });
    },
    losesReversal(place) {
      sim.fail('reverse', { kind: 'dropped', acts: place === 'after' });
    },
    breaksSomewhere(random) {
      const [call, acts] = [random.pick(CALLS), random.chance(0.5)];
      const times = random.pick([1, 3, 1000]);
      sim.fail(call, random.chance(0.5) ? { kind: 'dropped', acts } : { kind: 'silent', acts }, times);
    },
    heal() {
      sim.heal();
      sim.books.habits.approvesAfterCancel = false;
    },
    async goesAway() {
      away = true;
      await sim.stop();
      await waitFor(() => driver.status().connection === 'DISCONNECTED', { what: 'the driver to notice' });
    },
    takenMinor: () => sim.books.booked().reduce((sum, { amount }) => sum + amount / 100, 0),
    ordersReceived: () => sim.calls.filter((call) => call === 'sell').length,
    async close() {
      await till.close();
      if (!away) await sim.stop();
    },
  };
}
