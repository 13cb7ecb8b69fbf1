import { readBcd, writeBcd } from '@hlid/edge/terminal/zvt/bcd-frame';
import { isPositive } from '@hlid/edge/terminal/zvt/command-names';
import type { ZvtMessage } from '@hlid/edge/terminal/zvt/message-frame';
import { statusInformation } from './zvt-answers.ts';
import type { ZvtEntry, ZvtStore } from './zvt-book.ts';
import type { SimCard } from './zvt-cards.ts';
import type { ZvtFaults, ZvtStep } from './zvt-faults.ts';
import type { ZvtTalk } from './zvt-talk.ts';
import type { RegisteredTill, ZvtVoice } from './zvt-voice.ts';

/** Field 02 where the till sends none. */
const MAX_STATUS_INFOS = 10;
/** ISO 4217: what a till means that names no currency. */
const EUR = 978;

interface Parts {
  talk: Pick<ZvtTalk, 'ask' | 'reply' | 'spend'>;
  voice: ZvtVoice;
  store: ZvtStore;
  faults: ZvtFaults;
  terminalId: string;
  currency: number;
  bankMs: number;
  pinMs: number;
  repeatMs: number;
  till(): RegisteredTill | null;
  /** The next card; null: none came, or the red key was pressed. */
  nextCard(): Promise<SimCard | null>;
  /** The till has asked to give up, and it is done. */
  isAborted(): boolean;
  /** Ends the command with an answer. */
  refuse(control: number): Promise<void>;
  /** Lets the fault of this step happen. */
  strike(step: ZvtStep): Promise<void>;
}

/** Sales and reversals of a simulated terminal, with the vending machine's meaning of the answer to 04 0F. */
export function createZvtSales(parts: Parts) {
  const { voice, store, faults, terminalId, currency, refuse, strike } = parts;
  const { ask, reply, spend } = parts.talk;
  const { book } = store;

  async function approve(amountMinor: number, card: SimCard, maxAsks: number): Promise<void> {
    await strike('approval');
    const entry = store.draft(amountMinor, card);
    const approval = statusInformation({ resultCode: 0, ...recordOf(entry), ...takeLies() });
    let over = false;
    /** Never stored: reversed at the bank. */
    const forget = () => {
      if (over) return;
      over = true;
      book.takenBack.push(entry);
      store.forget(entry);
    };
    try {
      const refusal = await offer(entry, approval, maxAsks);
      if (refusal !== null) {
        forget();
        await voice.show(0x05, 'Automatisches Storno');
        return await voice.abort(refusal);
      }
      over = true;
      store.store(entry);
      await strike('stored');
      await voice.complete();
      await strike('completed');
    } finally {
      forget();
    }
  }

  /** Null: the till has taken all of it (PA00P015, 2.2.8); otherwise the code of why the sale is none. */
  async function offer(entry: ZvtEntry, approval: Uint8Array, maxAsks: number): Promise<number | null> {
    if (faults.printsFirst && !(await voice.print(entry))) return 0x6c;
    const verdict = await askForGoods(approval, maxAsks);
    if (verdict !== 'issued') return verdict;
    await strike('answered');
    return faults.printsFirst || (await voice.print(entry)) ? null : 0x6c;
  }

  /** Asks whether the goods are out; a code: they are not. */
  async function askForGoods(approval: Uint8Array, maxAsks: number): Promise<'issued' | number> {
    for (let asks = 0; asks < maxAsks; asks++) {
      const answer = await ask(approval, () => strike('approval-sent'));
      if (answer === null) return 0x6c;
      if (isPositive(answer.control)) return 'issued';
      if (answer.control !== 0x849c) return answer.control & 0xff;
      await spend(parts.repeatMs);
    }
    return 0x6c;
  }

  function takeLies() {
    const { currency: other, amountMinor, terminalId: another } = faults;
    Object.assign(faults, { currency: null, amountMinor: null, terminalId: null });
    return {
      ...(other !== null && { currency: other }),
      ...(amountMinor !== null && { amountMinor }),
      ...(another !== null && { terminalId: another }),
    };
  }

  function recordOf(entry: ZvtEntry) {
    const withTlv = parts.till()?.takesTlv ?? false;
    return { terminalId, currency, entry, amountMinor: entry.amountMinor, withTlv };
  }

  return {
    /** 06 01. */
    async pay({ fields }: ZvtMessage): Promise<void> {
      const fieldOf = (id: number) => fields.find((field) => field.id === id)?.value ?? null;
      const amountMinor = readBcd(fieldOf(0x04) ?? new Uint8Array());
      const asked = readBcd(fieldOf(0x49) ?? writeBcd(EUR, 2));
      await strike('command');
      if (amountMinor === null) return refuse(0x84b7);
      if (asked !== currency) return refuse(0x846f);
      await reply(0x8000);
      await strike('accepted');
      await voice.show(0x0a, 'Karte bitte');
      const card = parts.isAborted() ? null : await parts.nextCard();
      if (!card) return voice.abort(0x6c);
      await strike('card');
      if (card.pin) {
        await voice.show(0xff, 'Bitte PIN eingeben');
        await spend(parts.pinMs);
      }
      await voice.show(0x04, 'Bitte warten');
      await spend(parts.bankMs);
      if (parts.isAborted()) return voice.abort(0x6c);
      if (card.answer !== 0) {
        book.declined++;
        await voice.show(0x1d, 'Abgelehnt');
        await ask(statusInformation({ resultCode: card.answer, terminalId }));
        return voice.abort(card.answer);
      }
      const { tipMinor } = faults;
      faults.tipMinor = 0;
      await approve(amountMinor + tipMinor, card, fieldOf(0x02)?.[0] ?? MAX_STATUS_INFOS);
    },

    /** 06 30. */
    async reverse({ fields }: ZvtMessage): Promise<void> {
      const numberOf = (id: number) =>
        readBcd(fields.find((field) => field.id === id)?.value ?? new Uint8Array());
      await strike('command');
      await reply(0x8000);
      if (faults.reversalCode !== null) {
        const code = faults.reversalCode;
        faults.reversalCode = null;
        return voice.abort(code);
      }
      const sale = store.findSale(numberOf(0x87));
      if (!sale) return voice.abort(0xb5);
      if (store.isReversed(sale)) return voice.abort(0xb4);
      if (numberOf(0x04) !== sale.amountMinor) return voice.abort(0xb5);
      const entry = store.draft(sale.amountMinor, sale.card, sale.trace);
      const answer = await ask(statusInformation({ resultCode: 0, ...recordOf(entry), ...takeLies() }));
      if (!answer || !isPositive(answer.control) || !(await voice.print(entry))) {
        store.forget(entry);
        return voice.abort(0x6c);
      }
      store.store(entry);
      await strike('stored');
      await voice.complete();
    },

    /** 06 20: of the newest transaction, nothing printed. */
    async tellNewest(): Promise<void> {
      await reply(0x8000);
      if (faults.hidesNewest) return voice.complete();
      const newest = store.newest();
      if (!newest) return voice.abort(0x83);
      await ask(statusInformation({ resultCode: 0, ...recordOf(newest) }));
      await voice.complete();
    },
  };
}
