import type { Lesson, LessonRun } from '@hlid/cloud/platform/trainer';
import { pause } from '@hlid/node/pause';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';
import { IdViewSchema, listOf, VisitViewSchema } from '../harness/cloud-views.ts';
import type { Operator } from '../harness/operator.ts';
import { type SimulatedLane, send, showCar, watchGate } from '../sim/lane-approach.ts';
import { newPlate } from '../sim/plates.ts';
import type { SeededRandom } from '../sim/seeded-random.ts';
import { LIVELY, type Traffic } from '../sim/traffic.ts';
import { PhonePayer } from './pay-by-phone.ts';

/** The parts of the simulated car park that lessons use. */
export interface LessonCarPark {
  cloudUrl: string;
  siteId: string;
  /** An operator, who has done the acts with which a lesson begins. */
  operator: Operator;
  driveUp: Traffic['driveUp'];
  terminal: { id: string; switchOff(): Promise<void>; switchOn(): Promise<void> };
  random: SeededRandom;
}

type Situation = Pick<LessonRun, 'plate' | 'readAs' | 'otherPlate' | 'device'>;

interface Plan {
  situation: Situation;
  /** Makes the situation, and what follows from what the learner does. */
  make(run: LessonRun, signal: AbortSignal): Promise<void>;
}

const NOTHING: Situation = { plate: null, readAs: null, otherPlate: null, device: null };
const CLEAR = 0.96;
/** Low enough for a person to look at it, and high enough to count. */
const POOR = 0.76;
/** A learner who does nothing for so long begins again. */
const PATIENCE_MS = 20 * MINUTE_MS;
const LOOK_MS = 1000;
const AT_ENTRY_MS = 10_000;
const AT_EXIT_MS = 15_000;
/** How long the car of a driver without money stands there before its camera sees it once more. */
const STANDS_MS = 5 * MINUTE_MS;
const SWITCHED_ON_AFTER_MS = 2000;

export function planLesson(carPark: LessonCarPark, lesson: Lesson): Plan {
  return PLANS[lesson](carPark);
}

const PLANS: Readonly<Record<Lesson, (carPark: LessonCarPark) => Plan>> = {
  'first-car': firstCar,
  'misread-plate': misreadPlate,
  'no-money': driverWithoutMoney,
  'device-down': terminalDown,
  refund: paidByMistake,
  'closing-day': endOfDay,
};

function firstCar(carPark: LessonCarPark): Plan {
  const plate = lessonPlate(carPark);
  const { operator } = carPark;
  return {
    situation: { ...NOTHING, plate },
    async make(_run, signal) {
      await driveIn(carPark, { plate, readAs: plate, score: CLEAR }, signal);
      const query = new URLSearchParams({ plate });
      const hasPermit = async () =>
        (await operator.call(listOf(IdViewSchema), 'GET', `/visit/whitelist?${query}`)).data.length > 0;
      if (await until(hasPermit, signal)) await driveOut(carPark, plate, AT_EXIT_MS, signal);
    },
  };
}

function misreadPlate(carPark: LessonCarPark): Plan {
  const plate = lessonPlate(carPark);
  const readAs = plate.slice(0, -1);
  const { operator } = carPark;
  return {
    situation: { ...NOTHING, plate, readAs },
    async make(_run, signal) {
      await operator.addPermit(plate, { reason: 'Training: a permit for a car that is misread' });
      await driveIn(carPark, { plate, readAs, score: POOR }, signal);
      const isCorrected = async () => (await operator.visits({ plate })).some((one) => one.plate === plate);
      if (await until(isCorrected, signal)) await driveOut(carPark, plate, AT_EXIT_MS, signal);
    },
  };
}

function driverWithoutMoney(carPark: LessonCarPark): Plan {
  const plate = lessonPlate(carPark);
  return {
    situation: { ...NOTHING, plate },
    async make(_run, signal) {
      await addStay(carPark, plate, 3 * HOUR_MS);
      await driveOut(carPark, plate, STANDS_MS, signal);
    },
  };
}

function terminalDown({ terminal, operator, siteId }: LessonCarPark): Plan {
  const { id } = terminal;
  return {
    situation: { ...NOTHING, device: { kind: 'terminal', id } },
    async make({ startedOn }, signal) {
      await terminal.switchOff();
      const query = new URLSearchParams({ siteId, action: 'try-again', 'date.from': startedOn });
      const hasTried = async () =>
        (await operator.call(listOf(IdViewSchema), 'GET', `/audit?${query}`)).data.length > 0;
      await until(hasTried, signal);
      await pause(SWITCHED_ON_AFTER_MS, { signal });
      await terminal.switchOn();
    },
  };
}

function paidByMistake(carPark: LessonCarPark): Plan {
  const plate = lessonPlate(carPark);
  return {
    situation: { ...NOTHING, plate },
    async make(_run, signal) {
      await addStay(carPark, plate, 3 * HOUR_MS);
      await new PhonePayer(carPark).pay(plate, 'due');
      await allApplied(carPark, signal);
      await driveOut(carPark, plate, AT_EXIT_MS, signal);
    },
  };
}

function endOfDay(carPark: LessonCarPark): Plan {
  const [plate, otherPlate] = [lessonPlate(carPark), lessonPlate(carPark)];
  const { operator } = carPark;
  return {
    situation: { ...NOTHING, plate, otherPlate },
    async make(_run, signal) {
      await leaveUnpaid(carPark, plate, signal);
      await addStay(carPark, otherPlate, 4 * HOUR_MS);
      await new PhonePayer(carPark).pay(otherPlate, 'due');
      await allApplied(carPark, signal);
      await driveOut(carPark, otherPlate, AT_EXIT_MS, signal);
      const query = new URLSearchParams({ plate: otherPlate });
      const invoices = await operator.call(listOf(InvoiceSchema), 'GET', `/invoices?${query}`);
      const [invoice] = invoices.data;
      if (invoice === undefined) throw new Error(`The payment of ${otherPlate} made no invoice.`);
      const chargeback = {
        reference: `TRAINING-${invoice.id.slice(0, 8)}`,
        amount: invoice.price.amount,
        reasonCode: '10.4',
        state: 'open',
      };
      await operator.call(z.unknown(), 'POST', `/payments/${invoice.id}/chargeback`, chargeback);
    },
  };
}

const InvoiceSchema = z.looseObject({ id: z.string(), price: z.looseObject({ amount: z.int() }) });

/** A plate of the present series that no car of the traffic has, as a rule. */
function lessonPlate({ random }: LessonCarPark): string {
  for (;;) {
    const plate = newPlate(random);
    if (/^[A-Z]{3}\d\d$/.test(plate)) return plate;
  }
}

/** A stay whose car is inside since a while: nobody waits for it to become dear. */
async function addStay(carPark: LessonCarPark, plate: string, agoMs: number): Promise<string> {
  const { operator, siteId } = carPark;
  const visit = await operator.call(VisitViewSchema, 'POST', '/visits', {
    siteId,
    plate,
    startedOn: utcTime(Date.now() - agoMs),
    reason: 'Training: the car came in before the lesson',
  });
  await allApplied(carPark, AbortSignal.timeout(MINUTE_MS));
  return visit.id;
}

/** A driver is let out at the exit by somebody of the office, who leaves the bill to others. */
async function leaveUnpaid(carPark: LessonCarPark, plate: string, signal: AbortSignal): Promise<void> {
  const { operator, siteId } = carPark;
  const visitId = await addStay(carPark, plate, 5 * HOUR_MS);
  await atLane(carPark, 'exit', async (lane) => {
    const leaving = approach(lane, { plate, readAs: plate, score: CLEAR }, STANDS_MS, signal);
    const stands = async () => (await operator.visit(visitId)).status === 'need-payment';
    if (await until(stands, signal)) {
      const order = {
        reasonCode: 'cannot-pay',
        note: 'Training: let out',
        settlement: 'bill-later',
        visitId,
      };
      await operator.call(z.unknown(), 'POST', `/sites/${siteId}/lanes/${lane.id}/open`, order);
    }
    return await leaving;
  });
}

/** The site knows what the cloud knows. */
async function allApplied({ operator, siteId }: LessonCarPark, signal: AbortSignal): Promise<void> {
  await until(async () => (await operator.site(siteId)).presence.lag === 0, signal, 100);
}

interface ReadCar {
  plate: string;
  readAs: string;
  score: number;
}

async function driveIn(carPark: LessonCarPark, car: ReadCar, signal: AbortSignal): Promise<void> {
  await atLane(carPark, 'entry', (lane) => approach(lane, car, AT_ENTRY_MS, signal));
}

/** Stands at an exit until it opens; if it does not, comes back. */
async function driveOut(
  carPark: LessonCarPark,
  plate: string,
  patienceMs: number,
  signal: AbortSignal,
): Promise<void> {
  const car = { plate, readAs: plate, score: CLEAR };
  const end = Date.now() + PATIENCE_MS;
  while (!signal.aborted && Date.now() < end) {
    if (await atLane(carPark, 'exit', (lane) => approach(lane, car, patienceMs, signal))) return;
  }
}

function atLane<T>(
  { driveUp }: LessonCarPark,
  direction: SimulatedLane['direction'],
  drive: (lane: SimulatedLane) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    driveUp(direction, async (lane) => await drive(lane).then(resolve, reject));
  });
}

/** One approach to a gate. @returns whether it has opened */
async function approach(
  lane: SimulatedLane,
  { plate, readAs, score }: ReadCar,
  patienceMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const gate = watchGate(lane);
  try {
    const sighting = { plate: readAs, carPlate: plate, score, at: new Date() };
    await showCar(lane, sighting, LIVELY, { sendTwice: false }, signal);
    const isOpen = await gate.opened(patienceMs, signal);
    if (isOpen) await pause(LIVELY.driveThroughMs, { signal });
    for (const document of lane.camera.afterwards()) await send(lane, document, LIVELY, signal);
    return isOpen;
  } finally {
    gate.end();
  }
}

/** Whether it came true before the learner lost interest. */
async function until(
  check: () => Promise<boolean>,
  signal: AbortSignal,
  everyMs = LOOK_MS,
): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS;
  while (!signal.aborted && Date.now() < end) {
    // The cloud may be away for a moment.
    if (await check().catch(() => false)) return true;
    await pause(everyMs, { signal });
  }
  return false;
}
