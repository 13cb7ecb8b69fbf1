import { randomInt, randomUUID } from 'node:crypto';

/** A card that a driver holds to the terminal. */
export interface SimCard {
  /** The response code of ISO 8583, field 39: `00` is approved. */
  responseCode?: string;
  applicationId?: string;
  number?: string;
  /** The number as it is, and no stars. */
  isUnmasked?: boolean;
  /** A card of the shop's own: the till decides whether it is good. */
  isOwn?: boolean;
  /** The driver presses the red key. */
  pressesCancel?: boolean;
}

interface SimTransaction {
  uti: string;
  type: 'SALE' | 'REVERSAL';
  /** The amount with the tip. */
  amount: number;
  tip: number;
  statuses: string[];
  state: 'waiting' | 'running' | 'asks-till' | 'done';
  approved: boolean;
  cancelled: boolean;
  voided: boolean;
  card: SimCard | null;
  authCode: string;
}

/** The behaviour of a terminal beside its document. */
interface SimHabits {
  /** It confirms a cancellation, and the card is charged all the same. */
  approvesAfterCancel: boolean;
  /** The number of decimals of its currency on receipts, whatever the request had. */
  receiptDigits: number;
  /** The next holder gives so much more at the terminal, in its own units. */
  tip: number;
  /** Replaces fields in its report of a finished transaction. */
  retells: Readonly<Record<string, unknown>>;
  /** The bank is not reached for a reversal. */
  reversesNothing: boolean;
}

export interface LocallinkBooks {
  readonly habits: SimHabits;
  /** Sales that stand. */
  booked(): SimTransaction[];
  all(): SimTransaction[];
  isBusy(): boolean;
  /** Null: not now. */
  sell(amount: number): string | null;
  reverse(uti: string): string | null;
  report(uti: string): object | null;
  cancel(): boolean;
  result(uti: string, word: string): boolean;
  totals(): { totalSales: number; totalRefunds: number; totalTip: number };
  closeDay(): string;
  present(card: SimCard | null): void;
  restart(remember: boolean): void;
  stop(): void;
}

const NUMBER = '5413330089600036';
const MASTERCARD = 'A0000000041010';

/** The bookings of a simulated LocalLink terminal, and its present transaction. */
export function openLocallinkBooks(parts: {
  terminalId: string;
  currency: { number: string; code: string };
  stepMs: number;
}): LocallinkBooks {
  const { terminalId, currency, stepMs } = parts;
  const habits: SimHabits = {
    approvesAfterCancel: false,
    receiptDigits: 2,
    retells: {},
    tip: 0,
    reversesNothing: false,
  };
  const transactions: SimTransaction[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let known = new Set<string>();
  let card: SimCard | null = {};
  /** Closed days' sales count no more. */
  let day: SimTransaction[] = [];

  function later(work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, stepMs);
    timers.add(timer);
  }

  const current = () => transactions.find(({ state }) => state !== 'done');

  function begin(type: SimTransaction['type'], amount: number): SimTransaction {
    const transaction: SimTransaction = {
      uti: randomUUID(),
      type,
      amount,
      tip: 0,
      statuses: ['Transaction started'],
      state: 'waiting',
      approved: false,
      cancelled: false,
      voided: false,
      card: null,
      authCode: String(randomInt(100_000, 999_999)),
    };
    transactions.push(transaction);
    known.add(transaction.uti);
    return transaction;
  }

  function takeCard(transaction: SimTransaction): void {
    if (!card || transaction.state !== 'waiting') return;
    const held = card;
    transaction.card = held;
    transaction.state = 'running';
    later(() => {
      if (transaction.state === 'done') return;
      if (held.pressesCancel) return finish(transaction, false, true);
      transaction.statuses.push('Contactless card read');
      if (held.isOwn) {
        transaction.state = 'asks-till';
        return;
      }
      later(() => {
        if (transaction.state !== 'done') finish(transaction, (held.responseCode ?? '00') === '00', false);
      });
    });
  }

  function finish(transaction: SimTransaction, approved: boolean, cancelled: boolean): void {
    const verdict = cancelled ? 'cancelled' : approved ? 'approved' : 'declined';
    transaction.statuses.push(`Transaction ${verdict}`, 'Transaction finished');
    Object.assign(transaction, { approved, cancelled, state: 'done' });
    if (approved && transaction.type === 'SALE') {
      transaction.tip = habits.tip;
      transaction.amount += habits.tip;
      habits.tip = 0;
    }
    if (approved && transaction.type === 'SALE') day.push(transaction);
  }

  function receiptOf({ amount, approved }: SimTransaction): string[][] {
    const major = amount / 10 ** habits.receiptDigits;
    return [
      ['logo'],
      ['EINTAK KORTHAFA', '5', 'C', 'B'],
      [],
      ['21/11/26', '12:00', '5', 'S', 'N'],
      [approved ? 'HEIMILAÐ' : 'HAFNAÐ', '5', 'C', 'B'],
      [`${new Intl.NumberFormat('de-DE').format(major)} ${currency.code}`, '9', 'C', 'B'],
    ];
  }

  function shownNumber({ number = NUMBER, isUnmasked }: SimCard): string {
    return isUnmasked ? number : `${number.slice(0, 6)}******${number.slice(-4)}`;
  }

  return {
    habits,
    booked: () => transactions.filter(({ type, approved, voided }) => type === 'SALE' && approved && !voided),
    all: () => transactions,
    isBusy: () => current() !== undefined,
    sell(amount) {
      if (current()) return null;
      const sale = begin('SALE', amount);
      takeCard(sale);
      return sale.uti;
    },
    reverse(uti) {
      const sale = known.has(uti) ? transactions.find((each) => each.uti === uti) : undefined;
      if (current() || !sale?.approved || sale.voided || sale.type !== 'SALE' || !day.includes(sale))
        return null;
      const reversal = begin('REVERSAL', sale.amount);
      reversal.state = 'running';
      later(() => {
        if (!habits.reversesNothing) sale.voided = true;
        finish(reversal, !habits.reversesNothing, false);
      });
      return reversal.uti;
    },
    report(uti) {
      const found = known.has(uti) ? transactions.find((each) => each.uti === uti) : undefined;
      if (!found) return null;
      if (found.state === 'waiting' || found.state === 'running') {
        return { statusDescription: found.statuses.at(-1) };
      }
      const held = found.card ?? {};
      return {
        appName: '4D4320435245444954',
        applicationId: held.applicationId ?? MASTERCARD,
        authCode: found.approved ? found.authCode : '',
        cardholderReceipt: JSON.stringify([...receiptOf(found), [shownNumber(held), '5', 'L', 'N']]),
        cardholderVerificationMethod: 'CVM_NO_CVM',
        currencyCode: currency.number,
        dccTransaction: false,
        id: transactions.indexOf(found) + 1,
        isCustomCardData: held.isOwn ?? false,
        merchantId: '800573916121001',
        messageId: transactions.indexOf(found) + 100,
        primaryAccountNumber: shownNumber(held),
        signature: false,
        statuses: JSON.stringify(found.statuses),
        terminalId,
        tipAmount: found.tip,
        totalAmount: String(found.amount),
        transApproved: found.approved,
        transCancelled: found.cancelled,
        transactionDate: 'Nov 21, 2026 12:00:00',
        transactionResponse: found.approved ? '00' : (held.responseCode ?? ''),
        transactionSource: 'PICC',
        transactionType: found.type,
        uti,
        voided: found.voided,
        ...habits.retells,
      };
    },
    cancel() {
      const found = current();
      if (!found || found.type === 'REVERSAL') return false;
      if (habits.approvesAfterCancel) {
        later(() => {
          if (found.state !== 'done') finish(found, true, false);
        });
        return true;
      }
      // The bank has been asked: the sale cannot be cancelled any more.
      if (found.statuses.includes('Contactless card read')) return false;
      finish(found, false, true);
      return true;
    },
    result(uti, word) {
      const found = transactions.find((each) => each.uti === uti && each.state === 'asks-till');
      if (!found || !['APPROVED', 'DECLINED'].includes(word)) return false;
      finish(found, word === 'APPROVED', false);
      return true;
    },
    totals() {
      const standing = day.filter(({ voided }) => !voided);
      const totalSales = standing.reduce((sum, { amount }) => sum + amount, 0);
      const totalTip = standing.reduce((sum, { tip }) => sum + tip, 0);
      return { totalSales, totalRefunds: 0, totalTip };
    },
    closeDay() {
      const { totalSales } = this.totals();
      day = [];
      known = new Set();
      return `SALES ${totalSales}\nREFUNDS 0`;
    },
    present(next) {
      card = next;
      const found = current();
      if (found) takeCard(found);
    },
    restart(remember) {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      const found = current();
      if (found) finish(found, false, true);
      if (!remember) known = new Set();
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
