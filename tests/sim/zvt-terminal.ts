import { readBcd, writeBcd } from '@hlid/edge/terminal/zvt/bcd-frame';
import { COMMANDS, isPositive } from '@hlid/edge/terminal/zvt/command-names';
import { writeMessage, type ZvtMessage } from '@hlid/edge/terminal/zvt/message-frame';
import { abortMessage, intermediate, statusInformation, textBlocks, totalsField } from './zvt-answers.ts';
import { createZvtStore, type MemoryKeeper, sum, type ZvtBook, type ZvtEntry } from './zvt-book.ts';
import type { SimCard } from './zvt-cards.ts';
import { NO_FAULTS, type ZvtFaults, type ZvtStep } from './zvt-faults.ts';
import { openZvtTalk, PowerCut } from './zvt-talk.ts';

export interface ZvtTerminalOptions {
  line?: 'tcp' | 'serial';
  /** TCP; 0: a free one. */
  port?: number;
  /** Eight digits. */
  terminalId?: string;
  /** ISO 4217 number. */
  currency?: number;
  password?: string;
  /** Takes this card by itself, so long after it has asked for one. Otherwise it waits for `present`. */
  byItself?: { afterMs: number; card: () => SimCard } | null;
  /** Between two messages. */
  paceMs?: number;
  /** How long the bank takes. */
  bankMs?: number;
  /** How long a driver takes for the PIN. */
  pinMs?: number;
  /** How long it waits for an answer of the till before it takes an approval back. */
  answerMs?: number;
  /** How long it waits for a card. */
  cardMs?: number;
  /** T4 that its intermediate statuses ask for, one digit; they leave it out unless told. */
  minutes?: number;
  /** Between an approval that must wait (84 9C) and its repeat. */
  repeatMs?: number;
  /** It has never sold anything, not even at installation. */
  fresh?: boolean;
  /** Keeps what it remembers from one run to the next. */
  keeper?: MemoryKeeper;
  /** Receipts are written in Latin-1, and nothing says so. */
  latin1?: boolean;
  /** What its display says in place of the German. */
  texts?: Readonly<Record<string, string>>;
}

export interface ZvtTerminal {
  /** For the edge's configuration, beside `id`. */
  config: { kind: 'zvt'; tcp?: { host: string; port: number }; serial?: { path: string } };
  /** TCP; 0 over a serial line. */
  port: number;
  book: ZvtBook;
  faults: ZvtFaults;
  /** Control fields of all that the till has sent, such as `0601`. */
  heard: readonly string[];
  /** Whether it waits for a card. */
  waitsForCard(): boolean;
  /** Holds a card to it; kept for the next payment where none is asked for yet. */
  present(card: SimCard): void;
  /** The red key. */
  pressCancel(): void;
  heal(): void;
  /** Pulls the plug for a moment. */
  cutPower(): void;
  close(): Promise<void>;
}

/** Field 02 where the till sends none. */
const MOST_STATUS_INFOS = 10;
const PRINTS = 0x06;
const WANTS_INTERMEDIATE = 0x08;
const VENDING = 0x10;

/**
 * A card terminal of a vending machine that follows PA00P015 to the letter: it stores a sale only when the till has
 * taken its approval and its receipts, takes it back after any other answer or none, is master until it has
 * completed, and keeps its books through a power cut.
 */
export async function startZvtTerminal(options: ZvtTerminalOptions = {}): Promise<ZvtTerminal> {
  const { line = 'tcp', terminalId = '52500001', currency = 352, password = '000000' } = options;
  const { paceMs = 2, bankMs = 5, pinMs = 0, answerMs = 5000, cardMs = 60_000, repeatMs = 2000 } = options;
  const faults: ZvtFaults = { ...NO_FAULTS };
  const store = createZvtStore({
    fresh: options.fresh ?? false,
    ...(options.keeper && { keeper: options.keeper }),
  });
  const { book } = store;
  /** Of the registration; null: nobody has registered. */
  let config: number | null = null;
  /** The command that it is at; null: the till may ask. */
  let working: symbol | null = null;
  let closed = false;
  let aborting = false;
  let held: SimCard | null = null;
  let cardWanted: ((card: SimCard | null) => void) | null = null;
  const talk = await openZvtTalk({
    ...{ line, port: options.port ?? 0, paceMs, answerMs, faults },
    onCommand: hear,
    onFree() {
      working = null;
    },
  });
  const { ask, askLast, reply, later } = talk;

  function hear(message: ZvtMessage): void {
    if (message.control === COMMANDS.abort) {
      void reply(0x8000);
      aborting = working !== null;
      if (!faults.approvesAfterAbort) cardWanted?.(null);
    } else if (working !== null) void reply(0x849c);
    else if (faults.busy > 0) {
      faults.busy--;
      void reply(0x849c);
    } else void obey(message);
  }

  async function obey(message: ZvtMessage): Promise<void> {
    const own = Symbol('command');
    working = own;
    aborting = false;
    try {
      await doCommand(message);
    } catch (error) {
      if (!(error instanceof PowerCut)) throw error;
    } finally {
      if (working === own) working = null;
    }
  }

  async function doCommand(message: ZvtMessage): Promise<void> {
    const { control, lead } = message;
    const needsLogin = control !== COMMANDS.registration && control !== COMMANDS.statusEnquiry;
    if (needsLogin && config === null) return refuse(0x846b);
    if (lead.password && Buffer.from(lead.password).toString('hex') !== password) {
      return refuse(0x8483);
    }
    switch (control) {
      case COMMANDS.registration:
        return register(message);
      case COMMANDS.statusEnquiry:
        await reply(0x8000);
        return complete({ lead: { softwareVersion: Buffer.from('SIM 1.0'), terminalStatus: faults.status } });
      case COMMANDS.authorisation:
        return pay(message);
      case COMMANDS.reversal:
        return reverse(message);
      case COMMANDS.repeatReceipt:
        return tellNewest();
      case COMMANDS.endOfDay:
        return endDay();
      case COMMANDS.initialisation:
      case COMMANDS.diagnosis:
        await reply(0x8000);
        await show(0x0e, 'Augenblick bitte');
        faults.status = 0;
        return complete();
      case COMMANDS.logOff:
        config = null;
        return refuse(0x8000);
      default:
        return refuse(0x8483);
    }
  }

  async function register({ lead }: ZvtMessage): Promise<void> {
    if (faults.refusesLogin) return refuse(0x8483);
    if (lead.currency && readBcd(lead.currency) !== currency) return refuse(0x841e);
    config = lead.configByte ?? 0;
    await reply(0x8000);
    await complete({
      fields: [
        { id: 0x19, value: Uint8Array.of(VENDING) },
        { id: 0x29, value: writeBcd(Number(terminalId), 4) },
        { id: 0x49, value: writeBcd(currency, 2) },
      ],
    });
  }

  async function pay({ fields }: ZvtMessage): Promise<void> {
    const fieldOf = (id: number) => fields.find((field) => field.id === id)?.value ?? null;
    const amountMinor = readBcd(fieldOf(0x04) ?? new Uint8Array());
    const asked = readBcd(fieldOf(0x49) ?? writeBcd(978, 2));
    await strike('command');
    if (amountMinor === null) return refuse(0x84b7);
    if (asked !== currency) return refuse(0x846f);
    await reply(0x8000);
    await strike('accepted');
    await show(0x0a, 'Karte bitte');
    const card = await nextCard();
    if (!card) return abort(0x6c);
    await strike('card');
    if (card.pin) {
      await show(0xff, 'Bitte PIN eingeben');
      await later(pinMs);
    }
    await show(0x04, 'Bitte warten');
    await later(bankMs);
    if (aborting && !faults.approvesAfterAbort) return abort(0x6c);
    if (card.answer !== 0) {
      book.declined++;
      await show(0x1d, 'Abgelehnt');
      await ask(statusInformation({ resultCode: card.answer, terminalId }));
      return abort(card.answer);
    }
    await approve(amountMinor, card, fieldOf(0x02)?.[0] ?? MOST_STATUS_INFOS);
  }

  async function approve(amountMinor: number, card: SimCard, mostAsks: number): Promise<void> {
    await strike('approval');
    const entry = store.draft(amountMinor, card);
    const approval = statusInformation({ resultCode: 0, ...recordOf(entry), ...takeLies() });
    let over = false;
    /** Never stored: the bank is told. */
    const forget = () => {
      if (over) return;
      over = true;
      book.takenBack.push(entry);
      store.forget(entry);
    };
    try {
      const refusal = await offer(entry, approval, mostAsks);
      if (refusal !== null) {
        forget();
        await show(0x05, 'Automatisches Storno');
        return await abort(refusal);
      }
      over = true;
      store.store(entry);
      await strike('stored');
      await complete();
      await strike('completed');
    } finally {
      forget();
    }
  }

  /** Null: the till has taken all of it; otherwise the code of why the sale is none. */
  async function offer(entry: ZvtEntry, approval: Uint8Array, mostAsks: number): Promise<number | null> {
    if (faults.printsFirst && !(await print(entry))) return 0x6c;
    const verdict = await askForGoods(approval, mostAsks);
    if (verdict !== 'issued') return verdict;
    await strike('answered');
    return faults.printsFirst || (await print(entry)) ? null : 0x6c;
  }

  /** Asks whether the goods are out; a code: they are not. */
  async function askForGoods(approval: Uint8Array, mostAsks: number): Promise<'issued' | number> {
    for (let asks = 0; asks < mostAsks; asks++) {
      const answer = await ask(approval, () => strike('approval-sent'));
      if (answer === null) return 0x6c;
      if (isPositive(answer.control)) return 'issued';
      if (answer.control !== 0x849c) return answer.control & 0xff;
      await later(repeatMs);
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
    return { terminalId, currency, entry, amountMinor: entry.amountMinor };
  }

  /** Every piece of a receipt must be taken, or the sale is none (PA00P015, 2.2.8). */
  async function print(entry: ZvtEntry): Promise<boolean> {
    if (((config ?? 0) & PRINTS) === 0 || ((config ?? 0) & 0x80) === 0) return true;
    for (const block of textBlocks(entry, { terminalId, latin1: options.latin1 ?? false })) {
      const answer = await ask(block);
      if (!answer || !isPositive(answer.control)) return false;
    }
    return true;
  }

  async function reverse({ fields }: ZvtMessage): Promise<void> {
    const numberOf = (id: number) =>
      readBcd(fields.find((field) => field.id === id)?.value ?? new Uint8Array());
    await reply(0x8000);
    const sale = store.findSale(numberOf(0x87));
    if (!sale) return abort(0xb5);
    if (store.isReversed(sale)) return abort(0xb4);
    if (numberOf(0x04) !== sale.amountMinor) return abort(0xb5);
    const entry = store.draft(sale.amountMinor, sale.card, sale.trace);
    const answer = await ask(statusInformation({ resultCode: 0, ...recordOf(entry) }));
    if (!answer || !isPositive(answer.control) || !(await print(entry))) {
      store.forget(entry);
      return abort(0x6c);
    }
    store.store(entry);
    await complete();
  }

  async function tellNewest(): Promise<void> {
    await reply(0x8000);
    if (faults.hidesNewest) return complete();
    const newest = store.newest();
    if (!newest) return abort(0x83);
    await ask(statusInformation({ resultCode: 0, ...recordOf(newest) }));
    await complete();
  }

  async function endDay(): Promise<void> {
    await reply(0x8000);
    const kept = store.standing();
    const totals = totalsField(kept);
    const answer = await ask(
      statusInformation({ resultCode: 0, amountMinor: sum(kept), currency, terminalId, totals }),
    );
    if (!answer || !isPositive(answer.control)) return abort(0x77);
    store.closeDay();
    if (faults.status === 0xf0 || faults.status === 0xb1) faults.status = 0;
    await complete();
  }

  async function nextCard(): Promise<SimCard | null> {
    if (held) {
      const card = held;
      held = null;
      return card;
    }
    if (aborting && !faults.approvesAfterAbort) return null;
    const card = await new Promise<SimCard | null>((resolve) => {
      cardWanted = resolve;
      void later(cardMs).then(() => resolve(null));
      const { byItself } = options;
      if (byItself) void later(byItself.afterMs).then(() => resolve(byItself.card()));
    });
    cardWanted = null;
    if (closed) throw new PowerCut();
    return card;
  }

  async function show(status: number, text: string): Promise<void> {
    if (((config ?? 0) & WANTS_INTERMEDIATE) !== 0)
      await ask(intermediate(status, options.texts?.[text] ?? text, options.minutes ?? null));
  }

  async function complete(content: Partial<Pick<ZvtMessage, 'lead' | 'fields'>> = {}): Promise<void> {
    await askLast(writeMessage({ control: COMMANDS.completion, ...content }));
  }

  async function abort(code: number): Promise<void> {
    await askLast(abortMessage(code));
  }

  /** An answer that ends the command. */
  async function refuse(control: number): Promise<void> {
    working = null;
    await reply(control);
  }

  async function strike(step: ZvtStep): Promise<void> {
    if (faults.silentAt === step) {
      faults.silentAt = null;
      talk.fallSilent();
    }
    if (faults.lineCutAt === step) {
      faults.lineCutAt = null;
      talk.cut();
    }
    if (faults.powerCutAt === step) {
      faults.powerCutAt = null;
      cutPower();
      throw new PowerCut();
    }
  }

  function cutPower(): void {
    [config, working, held, aborting] = [null, null, null, false];
    talk.cutPower();
    cardWanted?.(null);
  }

  const { port } = talk;
  return {
    config: { kind: 'zvt', ...(port.tcp && { tcp: port.tcp }), ...(port.serial && { serial: port.serial }) },
    port: port.tcp?.port ?? 0,
    book,
    faults,
    heard: talk.heard,
    waitsForCard: () => cardWanted !== null,
    present(card) {
      if (cardWanted) cardWanted(card);
      else held = card;
    },
    pressCancel: () => cardWanted?.(null),
    heal() {
      Object.assign(faults, NO_FAULTS);
      talk.speakAgain();
    },
    cutPower,
    async close() {
      closed = true;
      cutPower();
      await talk.close();
    },
  };
}
