import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { messageOf } from '@hlid/protocol/base/fault';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { buildConsole, buildKioskPage, buildLanesPage, buildPayPage } from '../harness/build-pages.ts';
import { type CloudProgram, startCloud } from '../harness/cloud-program.ts';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { edgeDocument, type LanePlan, lanesOfMakers, type SitePlan } from '../harness/edge-document.ts';
import { type EdgeProgram, startEdge } from '../harness/edge-program.ts';
import { newSecret } from '../harness/new-secret.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import type { Program } from '../harness/programs.ts';
import {
  addCustomer,
  addDefaultProducts,
  addIdentity,
  addPermits,
  addQuota,
  addZone,
  createSite,
  giveVehicles,
  registerCameras,
} from '../harness/provision.ts';
import type { Car } from '../sim/car.ts';
import { type Cashier, createCashier } from '../sim/cashier.ts';
import { type SimulatedLane, showCar } from '../sim/lane-approach.ts';
import { startOnvifDevice } from '../sim/onvif-device.ts';
import { startRelay } from '../sim/relay.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { createTraffic, LIVELY } from '../sim/traffic.ts';
import { connectDemoDriver } from './demo-driver.ts';
import type { DemoDescription, DemoState, demoFiles } from './demo-files.ts';
import { DEMO_DRIVER, type Fleet, journeysOf, writeCloudFiles } from './demo-fleet.ts';
import { demoLane, type LastCars, pictureAt, pushUrl } from './demo-lanes.ts';
import { DemoMail } from './demo-mail.ts';
import { DEMO_TERMINAL, startSwitchedTerminal } from './demo-terminal.ts';
import type { Ports } from './ports.ts';
import { CARD_DRIVER, storeCard } from './stored-card.ts';
import { DemoTrainer } from './trainer.ts';
import { platesOfWaiting, waitingLines } from './waiting-cars.ts';

/** Stays last minutes here, not hours, so a stay of more than one minute costs something. */
const SITE: SitePlan = {
  name: 'Demo car park',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
  settings: {
    entryGraceMinutes: 1,
    passageWindowMs: 3000,
    // Plates that the demo's cameras read well count as certain, so that a stored card is charged for them.
    confusableScore: 0.86,
    // The number is fictitious; drivers who need help see it, and receipts contain it.
    helpPhone: '555 0100',
    seller: {
      name: 'Demo Parking Ltd.',
      address: 'Harbour Street 1, 101 Reykjavík',
      ssn: '550101-2340',
      vatNumber: '99999',
    },
  },
};

/** Short, as the cars of the demo follow each other closely. */
const GATE_OPEN_MS = 2500;

/** The first stay of the driver with the stored card, who has paid for a day. */
const FIRST_STAY_MS = 20_000;

const EDGE_COMMENT = `# Written by \`npm start\`, anew at each start. For a site of your own, copy it elsewhere and name it in HLID_EDGE_CONFIG.
`;

export interface DemoOptions {
  folder: string;
  files: ReturnType<typeof demoFiles>;
  ports: Ports;
  carsPerMinute: number;
  /** Prints what happens, for people. */
  print: (text: string) => void;
  /** A program ended that should not have. */
  onDeath: (program: Program, how: string) => void;
}

/** Everything on one machine: cloud, edge and a simulated car park. */
export interface Demo {
  readonly description: DemoDescription;
  readonly lanes: readonly LanePlan[];
  readonly site: SitePlan & { siteId: string };
  /** The number of cars inside when the demo began. */
  readonly parked: number;
  /** The plates of the parked cars that have not been paid for. */
  readonly waiting: readonly string[];
  /** The kind of journey that the car of a passage makes; null: it is unknown. */
  journeyOf(plate: string | null, laneId: string): string | null;
  stop(): Promise<void>;
}

/** Starts the demo; what it started so far is stopped again when it fails. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { folder, files, ports, print } = options;
  mkdirSync(folder, { recursive: true });
  const stops: { what: string; stop: () => Promise<unknown> }[] = [];
  const watch = (program: Program) =>
    program.onDeath((code, signal) => options.onDeath(program, signal ?? `exit code ${code}`));
  const stop = async () => {
    for (const next of stops.splice(0).reverse()) {
      print(`Stopping ${next.what} …`);
      await next.stop();
    }
  };

  try {
    const state = files.readState();
    const lanes = lanesOfMakers((cameraId) => {
      state.tokens[cameraId] ??= newSecret();
      return state.tokens[cameraId];
    });
    state.run++;
    files.writeState(state);
    writeCloudFiles(folder, state.fleet);

    const mail = new DemoMail({
      folder: files.path.mail,
      report: ({ to, subject, file }) =>
        print(`          Mail to ${to}: ${subject}   ${relative(process.cwd(), file)}`),
    });
    const smtpUrl = await mail.start();
    stops.push({ what: 'the mail server', stop: () => mail.stop() });
    const trainer = new DemoTrainer({ readRuns: files.readRuns, writeRuns: files.writeRuns, print });
    const trainerUrl = await trainer.listen();
    stops.push({ what: 'the trainer', stop: () => trainer.close() });
    await buildPayPage(print);
    await buildConsole(print);
    print('Starting the cloud …');
    const cloud = await startCloud({
      folder,
      apiKey: state.apiKey,
      operator: state.operator,
      ports: { http: ports.HLID_CLOUD_PORT, mqtt: ports.HLID_MQTT_PORT },
      logFile: join(folder, 'cloud.log'),
      env: {
        HLID_SMTP_URL: smtpUrl,
        HLID_MAIL_FROM: 'Demo car park <parking@hlid.example>',
        HLID_TRAINER_URL: trainerUrl,
      },
    });
    stops.push({ what: 'the cloud', stop: () => cloud.stop() });
    watch(cloud);
    const operator = await logIn({ cloudUrl: cloud.httpUrl(), apiKey: state.apiKey, ...state.operator });
    const site = await seedSite(operator, state, lanes, files.writeState, print);
    const payUrl = `${cloud.httpUrl()}/pay/${site.siteId}`;
    // The port may be another one than in the last run.
    await operator.call(IdViewSchema, 'PUT', `/sites/${site.siteId}`, { settings: { payOnline: payUrl } });

    if (!state.hasDriver) {
      const connecting = new AbortController();
      // It takes seconds, as a phone does, and nothing waits for it.
      const connected = connectDemoDriver(cloud.httpUrl(), mail, connecting.signal).then(
        () => files.writeState(Object.assign(state, { hasDriver: true })),
        (error: unknown) => {
          if (!connecting.signal.aborted) print(`The driver of the demo has no account: ${messageOf(error)}`);
        },
      );
      stops.push({
        what: 'the driver',
        stop: async () => {
          connecting.abort();
          await connected;
        },
      });
    }

    const relay = await startRelay({ outputs: lanes.length, gateOpenMs: GATE_OPEN_MS });
    stops.push({ what: 'the gates', stop: relay.stop });
    // The device moves a gate by its relay; the login is in edge.yaml, like that of any camera.
    const onvif = { user: 'hlid', password: newSecret() };
    const lastCars: LastCars = new Map();
    const device = await startOnvifDevice({
      ...onvif,
      relays: [{ token: 'relay-1' }],
      discovery: {},
      pictureAt: (target) => pictureAt(target, lanes, lastCars),
    });
    stops.push({ what: 'the ONVIF camera', stop: device.stop });
    const terminal = await startSwitchedTerminal({ keeper: files.terminal, nextCard: files.path.nextCard });
    stops.push({ what: 'the card terminal', stop: terminal.switchOff });
    await buildLanesPage(print);
    await buildKioskPage(print);
    print('Starting the edge …');
    const edge = await startEdge({
      folder,
      comment: EDGE_COMMENT,
      document: {
        ...edgeDocument({
          site: SITE,
          lanes,
          relayUrl: relay.url,
          gateOpenMs: GATE_OPEN_MS,
          onvif: { url: device.url, ...onvif },
          snapshot: (id) => ({ url: new URL(`/snapshot.jpg?camera=${id}`, device.url).href, ...onvif }),
          cloud: { httpUrl: cloud.httpUrl(), mqttUrl: cloud.mqttUrl(), ...site },
          terminal: { id: DEMO_TERMINAL, ...terminal.config },
        }),
        // A person who tries the demo may never open the kiosk: that is no alarm.
        health: { kioskSilentSeconds: null },
      },
      ports: { local: ports.HLID_EDGE_PORT, camera: ports.HLID_CAMERA_PORT },
      // Multicast would find the real cameras of this network.
      env: { HLID_ONVIF_PROBE: `127.0.0.1:${device.discoveryPort}` },
      logFile: join(folder, 'edge.log'),
    });
    stops.push({ what: 'the edge', stop: () => edge.stop() });
    watch(edge);

    const description = describe({ cloud, edge, state, lanes, payUrl, mailFolder: files.path.mail });
    files.writeDescription(description);
    const simulated = lanes.map((lane) => demoLane(lane, { device, edge, relay, lastCars }));
    const inside = [
      ...files.readCars(),
      ...(await storeDemoCard({ state, files, simulated, description, mail, site, print })),
    ];
    files.writeCars(inside);
    const waiting = platesOfWaiting(inside);
    const tellOfWaiting = waitingLines(waiting, print);
    const { company, prepaid, dayShift, nightShift, trucks, storedCard } = state.fleet;
    const traffic = createTraffic({
      lanes: simulated,
      known: {
        permitPlates: [...state.permitPlates, ...dayShift, ...nightShift],
        regularPlates: [...company, ...prepaid, ...trucks, ...storedCard],
        payingPlates: trucks,
        cardPlates: storedCard,
        journeys: journeysOf(state.fleet),
      },
      cashier: operatorsTill(operator),
      random: seededRandom(state.run * 7919 + Number.parseInt(site.siteId.slice(0, 6), 16)),
      pace: { ...LIVELY, carsPerMinute: options.carsPerMinute },
      clock: { now: () => new Date() },
      inside,
      onInside(cars) {
        files.writeCars(cars);
        tellOfWaiting(cars);
      },
    });
    traffic.start();
    stops.push({ what: 'the cars', stop: traffic.stop });
    trainer.open({
      cloudUrl: cloud.httpUrl(),
      siteId: site.siteId,
      operator,
      driveUp: traffic.driveUp,
      terminal: { id: DEMO_TERMINAL, ...terminal },
      random: seededRandom(Date.now()),
    });
    // Before the cars: a car of a lesson may stand at a gate.
    stops.push({ what: 'the lessons', stop: () => trainer.end() });
    return {
      description,
      lanes,
      site: { ...SITE, siteId: site.siteId },
      parked: files.readCars().length,
      waiting,
      journeyOf: traffic.journeyOf,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the site in the cloud, and what belongs to it, where the first run has not come that far. */
async function seedSite(
  operator: Operator,
  state: DemoState,
  lanes: readonly LanePlan[],
  write: (state: DemoState) => void,
  print: (text: string) => void,
): Promise<{ siteId: string; secret: string }> {
  const site = state.site ?? (await createSite(operator, SITE));
  state.site = site;
  write(state);
  if (!state.seeded) {
    print('First run: making the site, its cameras, prices and permits in the cloud …');
    await addZone(operator, site.siteId, 'Ground level');
    await addDefaultProducts(operator);
    await registerCameras(operator, site.siteId, lanes);
    await addPermits(operator, state.permitPlates);
    state.seeded = true;
    write(state);
  }
  if (!state.hasCustomers) {
    await addCustomers(operator, state.fleet);
    state.hasCustomers = true;
    write(state);
  }
  return site;
}

/** A driver stores a card, once. @returns the driver's car, if it has driven in for that */
async function storeDemoCard(parts: {
  state: DemoState;
  files: ReturnType<typeof demoFiles>;
  simulated: readonly SimulatedLane[];
  description: DemoDescription;
  mail: DemoMail;
  site: { siteId: string };
  print: (text: string) => void;
}): Promise<Car[]> {
  const { state, files, simulated, description, mail, site, print } = parts;
  if (state.hasStoredCard) return [];
  const { plate } = description.storedCard;
  const entrance = simulated.find(({ direction }) => direction === 'entry');
  const cars: Car[] = [];
  print(`First run: a driver comes in with ${plate}, pays by phone and stores the card …`);
  await storeCard({
    cloudUrl: description.cloudUrl,
    siteId: site.siteId,
    plate,
    mail,
    driveIn: async () => {
      if (entrance === undefined) throw new Error('The demo has no entrance.');
      const sighting = { plate, score: 0.96, at: new Date() };
      await showCar(entrance, sighting, LIVELY, { sendTwice: false }, new AbortController().signal);
      cars.push({ plate, kind: 'regular', leavesAt: Date.now() + FIRST_STAY_MS, refused: 0 });
    },
  });
  state.hasStoredCard = true;
  files.writeState(state);
  return cars;
}

const WORKDAYS = [1, 2, 3, 4, 5];
const DAY_SHIFT = [{ weekdays: WORKDAYS, from: '07:00', to: '18:59' }];
const NIGHT_SHIFT = [
  { weekdays: WORKDAYS, from: '19:00', to: '06:59' },
  { weekdays: [6, 7], from: '00:00', to: '23:59' },
];
const PREPAID_DAYS = 500;

/**
 * Adds the customers of the fleet: one company pays each month, one has paid before; two shifts have permits
 * by the clock.
 */
async function addCustomers(operator: Operator, fleet: Fleet): Promise<void> {
  const company = await addCustomer(operator, {
    name: 'Bílaleigan Hlið',
    email: 'bokhald@bilaleigan.example',
    language: 'is',
    options: { billingMethod: 'monthly', sendInvoicesToEmail: true, discount: 10 },
  });
  await giveVehicles(operator, company, fleet.company);
  await addIdentity(operator, company, DEMO_DRIVER);
  const prepaying = await addCustomer(operator, { name: 'Verkstæðið Lón', language: 'is' });
  await giveVehicles(operator, prepaying, fleet.prepaid);
  await addQuota(operator, prepaying, PREPAID_DAYS);
  await addPermits(operator, fleet.dayShift, { reason: 'Day shift', rules: DAY_SHIFT });
  await addPermits(operator, fleet.nightShift, { reason: 'Night shift and weekend', rules: NIGHT_SHIFT });
}

function operatorsTill(operator: Operator): Cashier {
  return createCashier({
    visitsToPay: () => operator.visits({ status: 'need-payment' }),
    settle: async (visitId) => {
      await operator.settle(visitId, 'kiosk', 'Paid at the gate of the demo');
    },
    async openVisit(plate) {
      const visits = await operator.visits({ plate });
      return visits.find((visit) => visit.plate === plate && visit.endedOn === null) ?? null;
    },
    async isPaid(plate) {
      const visits = await operator.visits({ plate });
      return visits.some(
        (visit) => visit.plate === plate && visit.endedOn === null && visit.paymentStatus === 'kiosk',
      );
    },
  });
}

function describe({
  cloud,
  edge,
  state,
  lanes,
  payUrl,
  mailFolder,
}: {
  cloud: CloudProgram;
  edge: EdgeProgram;
  state: DemoState;
  lanes: readonly LanePlan[];
  payUrl: string;
  mailFolder: string;
}): DemoDescription {
  return {
    cloudUrl: cloud.httpUrl(),
    edgeUrl: edge.localUrl(),
    kioskUrl: `${edge.localUrl()}/kiosk/`,
    payUrl,
    driver: driverOf(cloud),
    // The URL has a name: browsers make no passkeys for a numeric address.
    consoleUrl: `http://localhost:${new URL(cloud.httpUrl()).port}/console/`,
    mqttUrl: cloud.mqttUrl(),
    apiKey: state.apiKey,
    operator: state.operator,
    cameras: lanes.map((lane) => ({
      id: lane.cameraId,
      lane: lane.id,
      direction: lane.direction,
      pushUrl: pushUrl(edge, lane, '{format}'),
    })),
    terminal: { id: DEMO_TERMINAL },
    storedCard: {
      plate: state.fleet.storedCard[0] ?? '',
      email: CARD_DRIVER,
      driverUrl: `${cloud.httpUrl()}${DRIVER_PATHS.page}`,
      mailFolder: resolve(mailFolder),
    },
  };
}

function driverOf(cloud: CloudProgram): DemoDescription['driver'] {
  const { phone, ssn: kennitala, email, plate } = DEMO_DRIVER;
  return { url: cloud.httpUrl() + DRIVER_PATHS.page, phone, kennitala, email, plate };
}
