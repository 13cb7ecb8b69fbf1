import type { Clock } from '@hlid/node/clock';
import type { SiteSettings } from '@hlid/protocol/lane';
import { type InstructionCode, instructionFor, type LaneInstruction } from '@hlid/protocol/lane-instruction';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { INSTRUCTION_WORDS } from '@hlid/protocol/words/instruction-words';
import type { GateView } from '../local-api/lane-board.ts';

/** What the driver who stands at a lane is told, for a display there. */
export interface InstructionView extends LaneInstruction {
  since: UtcTime;
  text: Record<'is' | 'en', string>;
  /** Whom to call; null where the site has nobody, or the code does not ask for it. */
  helpPhone: string | null;
  /** Where to pay by telephone; null likewise. */
  payOnline: string | null;
  /** The visit for which a driver is kept may not be his: he is shown which it is. Absent: there is no such doubt. */
  question?: VisitQuestion;
}

/** Is this your car? */
export interface VisitQuestion {
  visitId: string;
  /** As much of it as the camera read the same here, the rest dots. */
  plate: string;
  startedAt: UtcTime;
  /** Where the picture of its entry is, if there is one. */
  picture: string;
  text: Record<'is' | 'en', string>;
}

/** What a lane's display shows. */
export interface LaneDisplay {
  /** Null: nobody is there. */
  view(): InstructionView | null;
  /** @param waitsMs how long a driver who was not let through may stand there; null: only a short while */
  decided(
    passageId: string,
    decision: NonNullable<LaneScene['decision']>,
    waitsMs?: number | null,
    question?: VisitQuestion | null,
  ): void;
  gate(view: GateView): void;
  /** A vehicle stands there with nothing decided for it, or no more. */
  waiting(waits: boolean): void;
  openedOnFault(): void;
  /** Everybody has gone. */
  cleared(): void;
  /** Ways to pay have come or gone. */
  lookAgain(): void;
  stop(): void;
}

type LaneScene = Parameters<typeof instructionFor>[0];

/** A gate that has not answered for so long will not be waited for by a driver in silence. */
const GATE_PATIENCE_MS = 2000;
/** What a driver was told stands for so long after the last news of him. */
const SHOWN_FOR_MS = 45_000;

export function createLaneDisplay(parts: {
  settings: () => SiteSettings;
  /** Somebody can pay on site. */
  kioskWorks: () => boolean;
  onChanged: (view: InstructionView | null) => void;
  clock: Clock;
}): LaneDisplay {
  const { settings, clock } = parts;
  let shown: InstructionView | null = null;
  /** Undefined: nothing yet. */
  let said: LaneInstruction | null | undefined;
  let scene: Omit<LaneScene, 'pay'> = { decision: null, gate: 'closed', openedOnFault: false };
  let lastId: string | null = null;
  let question: VisitQuestion | null = null;
  let asked: string | undefined;
  let waits = false;
  let present = false;
  let stopped = false;
  let gateTimer: NodeJS.Timeout | undefined;
  let goneTimer: NodeJS.Timeout | undefined;

  function show(): void {
    if (stopped) return;
    const { payOnline, hasKiosk = parts.kioskWorks() } = settings();
    const pay = { kiosk: hasKiosk, online: payOnline !== undefined };
    const instruction = present || waits ? instructionFor({ ...scene, pay }) : null;
    const inQuestion = instruction?.reason === 'need-payment' ? question : null;
    const same = said?.code === instruction?.code && said?.reason === instruction?.reason;
    if (said !== undefined && same && asked === inQuestion?.visitId) return;
    said = instruction;
    asked = inQuestion?.visitId;
    shown = instruction && {
      ...viewOf(instruction, settings(), utcTime(clock.now())),
      ...(inQuestion && { question: inQuestion }),
    };
    parts.onChanged(shown);
  }

  function clear(): void {
    clearTimeout(goneTimer);
    present = false;
    scene = { ...scene, decision: null, openedOnFault: false };
    show();
  }

  function someone(forMs = SHOWN_FOR_MS): void {
    present = true;
    clearTimeout(goneTimer);
    goneTimer = setTimeout(clear, forMs).unref();
  }

  return {
    view: () => shown,
    decided(passageId, decision, waitsMs = null, inQuestion = null) {
      question = inQuestion;
      // What went wrong for the one before need not go wrong for this one.
      const gate = passageId !== lastId && scene.gate === 'failing' ? 'closed' : scene.gate;
      lastId = passageId;
      scene = { decision, gate, openedOnFault: false };
      someone(waitsMs ?? undefined);
      show();
    },
    gate({ state, lastError }) {
      clearTimeout(gateTimer);
      const wasOpen = scene.gate === 'open';
      const opening = state === 'opening';
      const gate = gateAsShown({ state, lastError }, scene.gate);
      scene = { ...scene, gate };
      if (opening) {
        gateTimer = setTimeout(() => {
          scene = { ...scene, gate: 'failing' };
          show();
        }, GATE_PATIENCE_MS).unref();
      }
      if (gate === 'failing' && present && scene.decision?.open !== false) someone();
      const wentThrough = scene.openedOnFault || scene.decision?.open === true;
      if (wasOpen && gate === 'closed' && wentThrough) clear();
      else show();
    },
    waiting(now) {
      waits = now;
      // Somebody new: what the one before was told is not for him.
      if (now && scene.gate !== 'opening') scene = { ...scene, decision: null, openedOnFault: false };
      show();
    },
    openedOnFault() {
      scene = { ...scene, openedOnFault: true, decision: null };
      someone();
      show();
    },
    cleared: clear,
    lookAgain: show,
    stop() {
      stopped = true;
      clearTimeout(gateTimer);
      clearTimeout(goneTimer);
    },
  };
}

function gateAsShown(
  { state, lastError }: Pick<GateView, 'state' | 'lastError'>,
  before: LaneScene['gate'],
): LaneScene['gate'] {
  if (state === 'open' || state === 'held-open') return 'open';
  if (state === 'kept-closed') return state;
  if (lastError !== null || state === 'unknown') return 'failing';
  if (state === 'closed') return state;
  // A gate that did not answer the first time is not believed the second time before it does.
  return before === 'failing' ? 'failing' : 'opening';
}

/** Codes with which a driver may need somebody. */
const CALLS: ReadonlySet<InstructionCode> = new Set([
  'call-for-help',
  'pay-online',
  'pay-at-kiosk',
  'turn-round',
]);

function viewOf(instruction: LaneInstruction, settings: SiteSettings, since: UtcTime): InstructionView {
  const { code, reason } = instruction;
  return {
    code,
    reason,
    since,
    text: { is: INSTRUCTION_WORDS.is[code], en: INSTRUCTION_WORDS.en[code] },
    helpPhone: CALLS.has(code) ? (settings.helpPhone ?? null) : null,
    payOnline: code === 'pay-online' ? (settings.payOnline ?? null) : null,
  };
}
