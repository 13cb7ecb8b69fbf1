import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type DeviceState, isAlarm } from '@hlid/protocol/records/device';
import type { Direction } from '@hlid/protocol/records/lane';
import { OPENING_STEPS, type OpeningAnswer, type OpeningStep } from '../../records/sites/opening-steps.ts';

/** `again`: it was done, and is broken now. `waiting`: something else has to happen first. */
export const OPENING_STATES = ['to-do', 'waiting', 'done', 'skipped', 'again'] as const;
type OpeningState = (typeof OPENING_STATES)[number];

/** Why a step is in its state. */
export const OPENING_REASONS = [
  'complete',
  'skipped',
  'no-address',
  'no-hours',
  'no-capacity',
  'no-seller',
  'no-vat-number',
  'vat-number-unanswered',
  'edge-unanswered',
  'with-edge',
  'without-edge',
  'no-code',
  'code-expired',
  'code-valid',
  'code-used',
  'site-away',
  'no-cameras',
  'device-alarm',
  'not-reported',
  'no-reads',
  'no-lanes',
  'no-entry',
  'no-exit',
  'no-gates',
  'not-tried',
  'no-terminal',
  'no-product',
  'vat-unchecked',
  'vat-undecided',
  'permits-only',
  'not-up',
  'no-kiosk',
  'not-begun',
  'car-expected',
  'car-inside',
  'visit-to-remove',
  'visit-removed',
  'steps-open',
  'ready',
  'live',
  'in-use',
] as const;
type OpeningReason = (typeof OPENING_REASONS)[number];

interface OpeningDevice {
  state: DeviceState;
}

/** The facts about a site that is to be opened. */
export interface OpeningFacts {
  now: UtcTime;
  address: string | null;
  openingHours: string | null;
  capacity: number | null;
  zones: number;
  permitsOnly: boolean;
  /** Null: none is named. */
  seller: { vatNumber: string | null } | null;
  /** Null: no edge daemon has ever been connected. */
  edge: { connected: boolean } | null;
  /** The newest one-time code; null: none was made, or the site's secret was replaced since. */
  code: { expiresOn: UtcTime; usedOn: UtcTime | null } | null;
  /** Their state is null until it is reported. */
  cameras: readonly { state: DeviceState | null; lastReadOn: UtcTime | null }[];
  /** The direction is null while the site is away. */
  lanes: readonly {
    direction: Direction | null;
    hasGate: boolean;
    gate: DeviceState | null;
    triedOn: UtcTime | null;
  }[];
  terminals: readonly OpeningDevice[];
  kiosks: readonly OpeningDevice[];
  /** How many products set the price of a visit there. */
  products: number;
  /** The VAT of one of them, or of its fees, is not decided. */
  isVatOpen: boolean;
  /** Cars have been there, beside the test car. */
  isInUse: boolean;
  /** The visit of the test car, as it is now; null: not known yet. */
  testVisit: { endedOn: UtcTime | null; isVoid: boolean } | null;
  answers: ReadonlyMap<OpeningStep, OpeningAnswer>;
}

export interface StepOutcome {
  step: OpeningStep;
  state: OpeningState;
  reason: OpeningReason;
  /** The answers that a person may give now. */
  accepts: OpeningAnswer[];
}

type Outcome = Omit<StepOutcome, 'step'>;

/** These are about the edge daemon and what is connected to it. */
const EDGE_STEPS: readonly OpeningStep[] = ['enrolment', 'lanes', 'gates', 'terminal', 'kiosk'];

/** Whether a computer at the site decides at its gates; null: no person has answered that yet. */
export function hasEdgeOf({ edge, answers }: Pick<OpeningFacts, 'edge' | 'answers'>): boolean | null {
  if (edge !== null) return true;
  const answer = answers.get('edge');
  return answer === undefined ? null : answer === 'with-edge';
}

/** The state of each step of opening a site. A site without an edge daemon has fewer. */
export function openingSteps(facts: OpeningFacts): StepOutcome[] {
  const isShort = hasEdgeOf(facts) === false;
  const steps = OPENING_STEPS.filter(
    (step): step is StepBeforeLive => step !== 'live' && !(isShort && EDGE_STEPS.includes(step)),
  );
  const outcomes = steps.map((step) => ({ step, ...RULES[step](facts) }));
  const isReady = outcomes.every(({ state }) => state === 'done' || state === 'skipped');
  return [...outcomes, { step: 'live', ...liveStep(facts, isReady) }];
}

type StepBeforeLive = Exclude<OpeningStep, 'live'>;

const RULES: Readonly<Record<StepBeforeLive, (facts: OpeningFacts) => Outcome>> = {
  about: ({ address, openingHours }) => {
    if (address === null) return toDo('no-address');
    return openingHours === null ? toDo('no-hours') : done('complete');
  },
  zones: ({ capacity, zones, answers }) =>
    capacity !== null || zones > 0 ? done('complete') : unlessSkipped(answers.get('zones'), 'no-capacity'),
  seller: sellerStep,
  edge: edgeStep,
  enrolment: enrolmentStep,
  cameras: camerasStep,
  lanes: lanesStep,
  gates: gatesStep,
  terminal: ({ terminals, answers, edge }) =>
    deviceStep(terminals, edge, answers.get('terminal'), 'no-terminal'),
  tariff: tariffStep,
  signs: ({ answers }) =>
    answers.get('signs') === 'done'
      ? done('complete', ['skipped'])
      : unlessSkipped(answers.get('signs'), 'not-up', ['done']),
  kiosk: ({ kiosks, answers, edge }) => deviceStep(kiosks, edge, answers.get('kiosk'), 'no-kiosk'),
  'test-car': testCarStep,
};

function sellerStep({ seller, answers }: OpeningFacts): Outcome {
  if (seller === null) return toDo('no-seller');
  if (seller.vatNumber !== null) return done('complete');
  return answers.get('seller') === 'no-vat-number'
    ? done('no-vat-number')
    : toDo('vat-number-unanswered', ['no-vat-number']);
}

function edgeStep(facts: OpeningFacts): Outcome {
  if (facts.edge !== null) return done('with-edge');
  const hasEdge = hasEdgeOf(facts);
  if (hasEdge === null) return toDo('edge-unanswered', ['with-edge', 'without-edge']);
  return hasEdge ? done('with-edge', ['without-edge']) : done('without-edge', ['with-edge']);
}

function enrolmentStep({ edge, code, now }: OpeningFacts): Outcome {
  if (edge !== null) return edge.connected ? done('complete') : again('site-away');
  if (code === null) return toDo('no-code');
  if (code.usedOn !== null) return waiting('code-used');
  return code.expiresOn > now ? waiting('code-valid') : toDo('code-expired');
}

function camerasStep(facts: OpeningFacts): Outcome {
  const { cameras, edge } = facts;
  if (cameras.length === 0) return toDo('no-cameras');
  if (cameras.some(({ state }) => state !== null && isAlarm(state))) return again('device-alarm');
  if (cameras.some(({ lastReadOn }) => lastReadOn === null)) return waiting('no-reads');
  return edge !== null && !edge.connected ? waiting('site-away') : done('complete');
}

function lanesStep({ lanes, edge }: OpeningFacts): Outcome {
  if (edge !== null && !edge.connected) return waiting('site-away');
  if (lanes.length === 0) return toDo('no-lanes');
  const directions = new Set(lanes.map(({ direction }) => direction));
  if (directions.has(null)) return waiting('not-reported');
  if (!directions.has('entry')) return toDo('no-entry');
  return directions.has('exit') ? done('complete') : toDo('no-exit');
}

function gatesStep({ lanes, edge, answers }: OpeningFacts): Outcome {
  const answer = answers.get('gates');
  if (answer === 'skipped') return skipped();
  if (lanes.length === 0) return waiting('no-lanes', ['skipped']);
  const gated = lanes.filter(({ hasGate }) => hasGate);
  if (gated.length === 0) return done('no-gates');
  if (gated.some(({ gate }) => gate !== null && isAlarm(gate))) return again('device-alarm');
  if (gated.some(({ triedOn }) => triedOn === null)) return toDo('not-tried', ['skipped']);
  return edge?.connected ? done('complete') : waiting('site-away');
}

function deviceStep(
  devices: readonly OpeningDevice[],
  edge: OpeningFacts['edge'],
  answer: OpeningAnswer | undefined,
  absent: 'no-terminal' | 'no-kiosk',
): Outcome {
  if (devices.length === 0) return unlessSkipped(answer, absent);
  if (!edge?.connected) return waiting('site-away');
  if (devices.some(({ state }) => isAlarm(state))) return again('device-alarm');
  return devices.some(({ state }) => state === 'ok') ? done('complete') : waiting('not-reported');
}

function tariffStep({ products, isVatOpen, permitsOnly, isInUse, answers }: OpeningFacts): Outcome {
  const answer = answers.get('tariff');
  if (products === 0) {
    return permitsOnly ? done('permits-only') : unlessSkipped(answer, 'no-product');
  }
  if (isVatOpen) return toDo('vat-undecided');
  return isInUse || answer === 'vat-right' ? done('complete') : toDo('vat-unchecked', ['vat-right']);
}

function testCarStep({ answers, testVisit, isInUse }: OpeningFacts): Outcome {
  const answer = answers.get('test-car');
  if (answer === 'begun') {
    if (testVisit === null) return waiting('car-expected', ['begun', 'skipped']);
    if (testVisit.isVoid) return done('visit-removed', ['begun']);
    return waiting(testVisit.endedOn === null ? 'car-inside' : 'visit-to-remove', ['begun']);
  }
  if (isInUse) return done('in-use', ['begun']);
  return answer === 'skipped' ? skipped(['begun']) : toDo('not-begun', ['begun', 'skipped']);
}

function liveStep({ answers, isInUse }: OpeningFacts, isReady: boolean): Outcome {
  if (answers.get('live') === 'done') return done('live');
  if (isInUse) return done('in-use', isReady ? ['done'] : []);
  return isReady ? toDo('ready', ['done']) : waiting('steps-open');
}

function unlessSkipped(
  answer: OpeningAnswer | undefined,
  reason: OpeningReason,
  accepts: readonly OpeningAnswer[] = [],
): Outcome {
  return answer === 'skipped' ? skipped(accepts) : toDo(reason, [...accepts, 'skipped']);
}

const toDo = outcomeOf('to-do');
const waiting = outcomeOf('waiting');
const done = outcomeOf('done');
const again = outcomeOf('again');

function skipped(accepts: readonly OpeningAnswer[] = []): Outcome {
  return { state: 'skipped', reason: 'skipped', accepts: [...accepts] };
}

function outcomeOf(state: OpeningState) {
  return (reason: OpeningReason, accepts: readonly OpeningAnswer[] = []): Outcome => ({
    state,
    reason,
    accepts: [...accepts],
  });
}
