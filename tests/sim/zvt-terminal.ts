import { hexOf, readBcd, writeBcd } from '@hlid/edge/terminal/zvt/bcd-frame';
import { COMMANDS, isPositive } from '@hlid/edge/terminal/zvt/command-names';
import { tlvOf } from '@hlid/edge/terminal/zvt/explain-tlv';
import type { ZvtMessage } from '@hlid/edge/terminal/zvt/message-frame';
import { findTlv } from '@hlid/edge/terminal/zvt/tlv-frame';
import { statusInformation, totalsField } from './zvt-answers.ts';
import { createZvtStore, type MemoryKeeper, sum, type ZvtBook } from './zvt-book.ts';
import { type AtSlot, createCardSlot } from './zvt-card-slot.ts';
import type { SimCard } from './zvt-cards.ts';
import { createStrikes, NO_FAULTS, type ZvtFaults, type ZvtStep } from './zvt-faults.ts';
import { createZvtSales } from './zvt-sale.ts';
import { openZvtTalk, PowerCut } from './zvt-talk.ts';
import { createZvtVoice, type RegisteredTill } from './zvt-voice.ts';

export interface ZvtTerminalOptions {
  line?: 'tcp' | 'serial';
  /** TCP; 0: a free one. */
  port?: number;
  /** Eight digits. */
  terminalId?: string;
  /** ISO 4217 number. */
  currency?: number;
  password?: string;
  /** Takes such a card by itself, this time after it has asked for one. Otherwise it waits for `present`. */
  byItself?: { afterMs: number; card: () => AtSlot } | null;
  /** The time between two messages. */
  paceMs?: number;
  /** How long the bank takes. */
  bankMs?: number;
  /** How long a driver takes for the PIN. */
  pinMs?: number;
  /** How long it waits for an answer of the till before it takes an approval back. */
  answerMs?: number;
  /** How long it waits for a card. */
  cardMs?: number;
  /** T4 in its intermediate statuses, one digit; absent by default. */
  minutes?: number;
  /** The time between an approval that must wait (84 9C) and its repeat. */
  repeatMs?: number;
  /** It has never sold anything, not even at installation. */
  fresh?: boolean;
  /** Keeps what it remembers from one run to the next. */
  keeper?: MemoryKeeper;
  /** Receipts come line by line, not as blocks of text. */
  printsByLines?: boolean;
  /** Whether receipts are in Latin-1, without a mark of it. */
  latin1?: boolean;
  /** The faults that it has from the beginning. */
  faults?: Partial<ZvtFaults>;
  /** Whether its answer to a status request has only the status, without the version. */
  bareStatus?: boolean;
  /** The texts of its display, in place of the German. */
  texts?: Readonly<Record<string, string>>;
  /** Called at each step of a payment, which goes on when it has resolved. */
  onStep?: (step: ZvtStep) => void | Promise<void>;
}

export interface ZvtTerminal {
  /** The terminal's settings in the edge's configuration, beside `id`. */
  config: { kind: 'zvt'; tcp?: { host: string; port: number }; serial?: { path: string } };
  /** TCP; 0 over a serial line. */
  port: number;
  book: ZvtBook;
  faults: ZvtFaults;
  /** Control fields of all that the till has sent, such as `0601`. */
  received: readonly string[];
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

/** The flag of a registration's completion by which the answer to an approval decides. */
const VENDING = 0x10;
const READY = 0x00;
/** The faults that each command puts right. */
const PUT_RIGHT_BY: Readonly<Record<number, readonly number[]>> = {
  [COMMANDS.initialisation]: [0x51, 0x63, 0xe4],
  [COMMANDS.diagnosis]: [0xc2],
  [COMMANDS.endOfDay]: [0xf0, 0xb1],
};

/**
 * A card terminal of a vending machine that follows PA00P015 to the letter. It stores a sale only when the
 * till has accepted its approval and its receipts, and takes it back after any other answer or none. It is
 * master until it has completed, and keeps its books through a power cut.
 *
 * It listens on TCP or at one end of a pair of pseudo-terminals, and answers a till that registers. A test
 * holds a card to it (`present`), unless `byItself` is set. Then it reads a card after a driver's usual time,
 * with its prompts, and waits for bank (`bankMs`) and driver (`pinMs`). `faults` makes it misbehave; `book`
 * is the record of the money.
 */
export async function startZvtTerminal(options: ZvtTerminalOptions = {}): Promise<ZvtTerminal> {
  const { line = 'tcp', terminalId = '52500001', currency = 352, password = '000000' } = options;
  const { paceMs = 2, bankMs = 5, pinMs = 0, answerMs = 5000, cardMs = 60_000, repeatMs = 2000 } = options;
  const faults: ZvtFaults = { ...NO_FAULTS, ...options.faults };
  const { fresh = false, keeper, byItself = null } = options;
  const store = createZvtStore({ fresh, ...(keeper && { keeper }) });
  /** The registered till; null: none. */
  let till: RegisteredTill | null = null;
  /** The command that it is at; null: the till may ask. */
  let working: symbol | null = null;
  let aborting = false;
  const strikes = createStrikes(faults, {
    fallSilent: () => talk.fallSilent(),
    cutLine: () => talk.cut(),
    cutPower,
  });
  const talk = await openZvtTalk({
    line,
    port: options.port ?? 0,
    paceMs,
    answerMs,
    faults,
    onCommand: hear,
    onFree() {
      working = null;
    },
    onMessage: strikes.atMessage,
  });
  const { reply } = talk;
  const voice = createZvtVoice(talk, {
    terminalId,
    minutes: options.minutes ?? null,
    style: { byLines: options.printsByLines ?? false, latin1: options.latin1 ?? false },
    texts: options.texts ?? {},
    till: () => till,
  });
  const slot = createCardSlot({ later: talk.later, cardMs, byItself });
  const sales = createZvtSales({
    talk,
    voice,
    store,
    faults,
    terminalId,
    currency,
    bankMs,
    pinMs,
    repeatMs,
    nextCard,
    refuse,
    async strike(step) {
      await options.onStep?.(step);
      await strikes.atStep(step);
    },
    till: () => till,
    isAborted: () => aborting && !faults.approvesAfterAbort,
  });

  function hear(message: ZvtMessage): void {
    if (message.control === COMMANDS.abort) {
      void answer(0x8000);
      aborting = working !== null;
      if (!faults.approvesAfterAbort) slot.refuse();
    } else if (working !== null) void answer(0x849c);
    else if (faults.busy > 0) {
      faults.busy--;
      void answer(0x849c);
    } else void obey(message);
  }

  async function answer(control: number): Promise<void> {
    await reply(control).catch(ignorePowerCut);
  }

  async function obey(message: ZvtMessage): Promise<void> {
    const own = Symbol('command');
    working = own;
    aborting = false;
    await doCommand(message).catch(ignorePowerCut);
    if (working === own) working = null;
  }

  async function doCommand(message: ZvtMessage): Promise<void> {
    const { control, lead } = message;
    const needsLogin = control !== COMMANDS.registration && control !== COMMANDS.statusEnquiry;
    if (needsLogin && till === null) return refuse(0x846b);
    if (lead.password && Buffer.from(lead.password).toString('hex') !== password) return refuse(0x8483);
    switch (control) {
      case COMMANDS.registration:
        return register(message);
      case COMMANDS.statusEnquiry:
        await reply(0x8000);
        return voice.complete(tellStatus());
      case COMMANDS.authorisation:
        return sales.pay(message);
      case COMMANDS.reversal:
        return sales.reverse(message);
      case COMMANDS.repeatReceipt:
        return sales.tellNewest();
      case COMMANDS.endOfDay:
        return endDay();
      case COMMANDS.initialisation:
      case COMMANDS.diagnosis:
        await reply(0x8000);
        await voice.show(0x0e, 'Augenblick bitte');
        putRight(control);
        await voice.report([`Terminal-ID: ${terminalId}`, 'Verbindung geprüft']);
        return voice.complete();
      case COMMANDS.logOff:
        till = null;
        return refuse(0x8000);
      default:
        return refuse(0x8483);
    }
  }

  /** The version, the status or both, as terminals differ. */
  function tellStatus(): Pick<ZvtMessage, 'lead'> {
    const { status: terminalStatus } = faults;
    return {
      lead: { ...(!options.bareStatus && { softwareVersion: Buffer.from('SIM 1.0') }), terminalStatus },
    };
  }

  function putRight(control: number): void {
    if (PUT_RIGHT_BY[control]?.includes(faults.status)) faults.status = READY;
  }

  async function register({ lead, fields }: ZvtMessage): Promise<void> {
    if (faults.refusesLogin) return refuse(0x8483);
    if (lead.currency && readBcd(lead.currency) !== currency) return refuse(0x841e);
    const tlv = tlvOf(fields);
    const permitted = findTlv(tlv ?? [], '26')?.children ?? [];
    till = {
      config: lead.configByte ?? 0,
      takesTlv: tlv !== null,
      takesBlocks: permitted.some(({ tag, value }) => tag === '0A' && hexOf(value) === '06d3'),
    };
    await reply(0x8000);
    await voice.complete({
      fields: [
        { id: 0x19, value: Uint8Array.of(VENDING) },
        { id: 0x29, value: writeBcd(Number(terminalId), 4) },
        { id: 0x49, value: writeBcd(currency, 2) },
      ],
    });
  }

  async function nextCard(): Promise<SimCard | null> {
    const own = working;
    const card = await slot.next();
    if (working !== own) throw new PowerCut();
    return card;
  }

  async function endDay(): Promise<void> {
    await reply(0x8000);
    const kept = store.standing();
    const reported = {
      resultCode: 0,
      amountMinor: sum(kept),
      currency,
      terminalId,
      totals: totalsField(kept),
    };
    const answered = await talk.ask(statusInformation(reported));
    if (!answered || !isPositive(answered.control)) return voice.abort(0x77);
    store.closeDay();
    await voice.report(['** KASSENSCHNITT **', `Gesamt: ${reported.amountMinor}`]);
    putRight(COMMANDS.endOfDay);
    await voice.complete();
  }

  /** An answer that ends the command. */
  async function refuse(control: number): Promise<void> {
    working = null;
    await reply(control);
  }

  function cutPower(): void {
    [till, working, aborting] = [null, null, false];
    slot.empty();
    talk.cutPower();
    slot.refuse();
  }

  const { port } = talk;
  return {
    config: { kind: 'zvt', ...(port.tcp && { tcp: port.tcp }), ...(port.serial && { serial: port.serial }) },
    port: port.tcp?.port ?? 0,
    book: store.book,
    faults,
    received: talk.received,
    waitsForCard: slot.isOpen,
    present: slot.present,
    pressCancel: slot.refuse,
    heal() {
      Object.assign(faults, NO_FAULTS);
      talk.speakAgain();
    },
    cutPower,
    async close() {
      cutPower();
      await talk.close();
    },
  };
}

function ignorePowerCut(error: unknown): void {
  if (!(error instanceof PowerCut)) throw error;
}
