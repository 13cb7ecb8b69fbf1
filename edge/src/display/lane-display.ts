import type { Clock } from '@hlid/node/clock';
import { formatMoney } from '@hlid/protocol/base/money';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { KIOSK_PATHS } from '@hlid/protocol/pages/kiosk-paths';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import {
  type InstructionCode,
  instructionFor,
  type LaneInstruction,
} from '@hlid/protocol/rules/lane-instruction';
import { type KioskState, waysToPay } from '@hlid/protocol/rules/ways-to-pay';
import { DISPLAY_WORDS } from '@hlid/protocol/words/display/display-words';
import type { GateView } from '../gate/gate-mode.ts';
import { type PhonePayment, phonePayment } from './phone-payment.ts';

/** The instruction to the driver who stands at a lane, for a display there. */
export interface InstructionView extends LaneInstruction {
  since: UtcTime;
  text: Record<'is' | 'en', string>;
  /** The reason in words; null: there is no decision. */
  why: Record<'is' | 'en', string> | null;
  /** The plate as the camera read it, for whom payment is due; null: nothing is. */
  plate: string | null;
  /** The amount due; null: nothing is due, or it is not known. */
  due: DueView | null;
  /** The number to call; null where the site has none, or the code does not ask for it. */
  helpPhone: string | null;
  /**
   * The address at which drivers pay by phone; null where the site has none, or the code does not ask for it.
   */
  payOnline: string | null;
  /** The same for the car that stands there. Null: nothing is to be paid, or the cloud is away and cannot pass on that it is paid. */
  payByPhone: PhonePayment | null;
  /**
   * The visit for which a driver is kept may not be his: he is shown which it is. Absent: the visit is
   * certain.
   */
  question?: VisitQuestion;
}

/** The amount that a driver must pay before the exit opens. */
export interface DueView {
  amountMinor: number;
  currency: string;
  text: Record<'is' | 'en', string>;
}

/** The car that stands there, where it must pay. */
export interface ShownDebt {
  plate: string | null;
  price: { amountMinor: number; currency: string } | null;
}

/** Is this your car? */
export interface VisitQuestion {
  visitId: string;
  /** The characters of the plate that the camera read the same here; the others are dots. */
  plate: string;
  startedAt: UtcTime;
  /** The address of its entry's picture, which may be missing. */
  picture: string;
  text: Record<'is' | 'en', string>;
}

/** Whether a car stands at the lane: `waits` for what lets it through, `perhaps`: nothing has shown that it has gone. */
export type Standing = 'waits' | 'perhaps' | 'gone';

type LaneScene = Parameters<typeof instructionFor>[0];

/** A driver does not wait without an instruction for a gate that has not answered within this time. */
const GATE_TIMEOUT_MS = 2000;
/** An instruction is shown for this long after the last sign of its driver. */
const SHOWN_FOR_MS = 45_000;

/** The site's ways to pay, and which of them work now. */
export interface PayStatus {
  kiosk: () => KioskState;
  /** The cloud is connected: a payment by phone is known here at once. */
  hasCloud: () => boolean;
}

/** The display of a lane: the instruction for the driver who stands there. */
export class LaneDisplay {
  readonly #clock: Clock;
  readonly #settings: () => SiteSettings;
  readonly #pays: PayStatus;
  readonly #standing: () => Standing;
  readonly #onChanged: (view: InstructionView | null) => void;
  readonly #onHelpNeeded: ((passageId: string) => void) | null;
  #shown: InstructionView | null = null;
  /** Undefined: nothing yet. */
  #instruction: LaneInstruction | null | undefined;
  #scene: Omit<LaneScene, 'pay'> = {
    decision: null,
    gate: 'closed',
    openedOnFault: false,
    waitIsOver: false,
  };
  #lastPassageId: string | null = null;
  #question: VisitQuestion | null = null;
  #debt: ShownDebt | null = null;
  /** The passage for which people were asked for help. */
  #helpAskedFor: string | null = null;
  #shownQuestion: string | undefined;
  #shownDebt: ShownDebt | null = null;
  #shownPage: string | undefined;
  #shownOnline = false;
  #waits = false;
  #present = false;
  #stopped = false;
  #gateTimer: NodeJS.Timeout | undefined;
  #goneTimer: NodeJS.Timeout | undefined;

  constructor(options: {
    clock: Clock;
    settings: () => SiteSettings;
    pays: PayStatus;
    /** Whether a car may stand at the lane; while one may, the display is not blank. */
    standing: () => Standing;
    onChanged: (view: InstructionView | null) => void;
    /** A driver at an exit needs help, and has no number to call; null: an entrance, from which he can turn away. */
    onHelpNeeded: ((passageId: string) => void) | null;
  }) {
    this.#clock = options.clock;
    this.#settings = options.settings;
    this.#pays = options.pays;
    this.#standing = options.standing;
    this.#onChanged = options.onChanged;
    this.#onHelpNeeded = options.onHelpNeeded;
  }

  /** Null: no car is there. */
  view(): InstructionView | null {
    return this.#shown;
  }

  /** @param waitsMs how long a driver who was not let through may stand there; null: only a short while */
  decided(
    passageId: string,
    decision: NonNullable<LaneScene['decision']>,
    waitsMs: number | null = null,
    question: VisitQuestion | null = null,
    debt: ShownDebt | null = null,
  ): void {
    this.#debt = debt;
    this.#question = question;
    // A fault at the previous driver says nothing about this one.
    const isNew = passageId !== this.#lastPassageId;
    const gate = isNew && this.#scene.gate === 'failing' ? 'closed' : this.#scene.gate;
    this.#lastPassageId = passageId;
    this.#scene = { decision, gate, openedOnFault: false, waitIsOver: false };
    this.#someone(waitsMs ?? undefined);
    this.update();
  }

  gate({ state, lastError }: Pick<GateView, 'state' | 'lastError'>): void {
    clearTimeout(this.#gateTimer);
    const before = this.#scene.gate;
    const gate = gateAsShown({ state, lastError }, before);
    this.#scene = { ...this.#scene, gate };
    if (state === 'opening') {
      this.#gateTimer = setTimeout(() => {
        this.#scene = { ...this.#scene, gate: 'failing' };
        this.update();
      }, GATE_TIMEOUT_MS).unref();
    }
    const { decision, openedOnFault } = this.#scene;
    if (gate === 'failing' && this.#present && decision?.open !== false) this.#someone();
    const wentThrough = openedOnFault || decision?.open === true;
    if (before === 'open' && gate === 'closed' && wentThrough && this.#standing() === 'gone') this.cleared();
    else this.update();
  }

  /** A vehicle stands there without a decision, or no longer. */
  waiting(waits: boolean): void {
    this.#waits = waits;
    // A new driver: the instruction to the previous one does not apply.
    if (waits && this.#scene.gate !== 'opening') {
      this.#scene = { ...this.#scene, decision: null, openedOnFault: false, waitIsOver: false };
    }
    this.update();
  }

  openedOnFault(): void {
    this.#scene = { ...this.#scene, openedOnFault: true, decision: null, waitIsOver: false };
    this.#someone();
    this.update();
  }

  /** No car is there any more. */
  cleared(): void {
    clearTimeout(this.#goneTimer);
    this.#present = false;
    this.#scene = { ...this.#scene, decision: null, openedOnFault: false, waitIsOver: false };
    this.update();
  }

  /** Shows what applies now: after a change, also of the ways to pay. */
  update(): void {
    if (this.#stopped) return;
    const settings = this.#settings();
    const pay = waysToPay(settings, this.#pays.kiosk());
    const instruction = this.#present || this.#waits ? instructionFor({ ...this.#scene, pay }) : null;
    const question = instruction?.reason === 'need-payment' ? this.#question : null;
    const debt = instruction?.reason === 'need-payment' ? this.#debt : null;
    const before = this.#instruction;
    const same = before?.code === instruction?.code && before?.reason === instruction?.reason;
    if (
      before !== undefined &&
      same &&
      this.#shownQuestion === question?.visitId &&
      this.#shownPage === settings.payOnline &&
      this.#shownOnline === this.#pays.hasCloud() &&
      isSameDebt(this.#shownDebt, debt)
    )
      return;
    this.#instruction = instruction;
    this.#shownQuestion = question?.visitId;
    this.#shownDebt = debt;
    this.#shownPage = settings.payOnline;
    this.#shownOnline = this.#pays.hasCloud();
    this.#shown = instruction && {
      ...viewOf(instruction, settings, utcTime(this.#clock.now()), debt, {
        canAsk: this.#onHelpNeeded !== null,
        hasCloud: this.#shownOnline,
      }),
      ...(question && { question }),
    };
    this.#onChanged(this.#shown);
    this.#askForHelp();
  }

  /** Help is requested once for each car, if the driver has no number to call. */
  #askForHelp(): void {
    const passageId = this.#lastPassageId;
    const { code, helpPhone } = this.#shown ?? { code: null, helpPhone: null };
    if (code !== 'call-for-help' || helpPhone !== null || passageId === null) return;
    if (this.#helpAskedFor === passageId) return;
    this.#helpAskedFor = passageId;
    this.#onHelpNeeded?.(passageId);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#gateTimer);
    clearTimeout(this.#goneTimer);
  }

  #someone(forMs = SHOWN_FOR_MS): void {
    this.#present = true;
    clearTimeout(this.#goneTimer);
    this.#goneTimer = setTimeout(() => this.#lapse(), forMs).unref();
  }

  /** Ends the instruction after a time without a sign of the driver, who may still stand there. */
  #lapse(): void {
    const standing = this.#standing();
    if (standing === 'gone') {
      this.cleared();
      return;
    }
    this.#scene = { ...this.#scene, waitIsOver: standing === 'perhaps' };
    this.#someone();
    this.update();
  }
}

function gateAsShown(
  { state, lastError }: Pick<GateView, 'state' | 'lastError'>,
  before: LaneScene['gate'],
): LaneScene['gate'] {
  if (state === 'open' || state === 'held-open' || state === 'none') return 'open';
  if (state === 'kept-closed') return state;
  if (lastError !== null || state === 'unknown') return 'failing';
  if (state === 'closed') return state;
  // A gate that did not answer the first time must answer before the display shows the driver again that it
  // opens.
  return before === 'failing' ? 'failing' : 'opening';
}

/** The codes with which a driver may need help. */
const CALLS: ReadonlySet<InstructionCode> = new Set([
  'call-for-help',
  'pay-online',
  'pay-at-kiosk',
  'turn-round',
]);

function isSameDebt(one: ShownDebt | null, other: ShownDebt | null): boolean {
  return one?.plate === other?.plate && one?.price?.amountMinor === other?.price?.amountMinor;
}

function dueView({ price }: ShownDebt): DueView | null {
  if (price === null || price.amountMinor === 0) return null;
  const { amountMinor, currency } = price;
  const text = {
    is: formatMoney({ amountMinor, currency }, 'is'),
    en: formatMoney({ amountMinor, currency }, 'en'),
  };
  return { amountMinor, currency, text };
}

function textOf({ code, reason }: LaneInstruction, isHelpAsked: boolean, language: 'is' | 'en'): string {
  if (code === 'call-for-help' && isHelpAsked) return DISPLAY_WORDS[language].waitForHelp;
  const text = DISPLAY_WORDS[language].instruction[code];
  const why = code === 'turn-round' ? whyOf(reason) : null;
  return why === null ? text : `${why[language]}. ${text}`;
}

function whyOf(reason: LaneInstruction['reason']): Record<'is' | 'en', string> | null {
  if (reason === null || reason === 'gate-not-answering' || reason === 'out-of-order') return null;
  return { is: DISPLAY_WORDS.is.reason[reason], en: DISPLAY_WORDS.en.reason[reason] };
}

function viewOf(
  instruction: LaneInstruction,
  settings: SiteSettings,
  since: UtcTime,
  debt: ShownDebt | null,
  { canAsk, hasCloud }: { canAsk: boolean; hasCloud: boolean },
): InstructionView {
  const { code, reason } = instruction;
  const payOnline = code === 'pay-online' || code === 'pay-at-kiosk' ? (settings.payOnline ?? null) : null;
  const isHelpAsked = canAsk && settings.helpPhone === undefined;
  return {
    code,
    reason,
    since,
    text: { is: textOf(instruction, isHelpAsked, 'is'), en: textOf(instruction, isHelpAsked, 'en') },
    why: whyOf(reason),
    plate: debt?.plate ?? null,
    due: debt && dueView(debt),
    helpPhone: CALLS.has(code) ? (settings.helpPhone ?? null) : null,
    payOnline,
    payByPhone: payOnline !== null && hasCloud ? phonePayment(payOnline, debt?.plate ?? null) : null,
  };
}

/**
 * Asks the driver whether a visit is his.
 *
 * @param plate what the camera read here
 */
export function visitQuestion(
  visit: { id: string; plate: string | null; startedAt: UtcTime },
  plate: string | null,
): VisitQuestion | null {
  if (visit.plate === null) return null;
  const shown = [...visit.plate].map((character, at) => (plate?.[at] === character ? character : '•'));
  return {
    visitId: visit.id,
    plate: shown.join(''),
    startedAt: visit.startedAt,
    picture: `${KIOSK_PATHS.visit.replace(':visitId', visit.id)}/picture`,
    text: { is: DISPLAY_WORDS.is.question, en: DISPLAY_WORDS.en.question },
  };
}
