import { takePicture } from '@hlid/cloud/stays/photos/store-picture';
import { PaymentService } from '@hlid/edge/payment/payment-service';
import { Pictures } from '@hlid/edge/picture/pictures';
import { readPicture } from '@hlid/edge/test/sample-pictures';
import { testRead } from '@hlid/edge/test/site';
import { TestTerminal, testTransaction } from '@hlid/edge/test/terminal';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { type PairedSite, pairSite, receiveEvents } from '../harness/paired-site.ts';
import { plateOf } from './bench-plates.ts';

const CARS = 400;
const PRICE = 500;
/** The number of cars in a hundred with a permit, of a company, and that leave without paying. */
const MIX = { permit: 25, company: 10, unpaid: 5 };
/** The number of visits in a hundred that an operator edits. */
const EDITED = 2;
const EVENTS_AT_ONCE = 100;

/** A number from 0 up to 1, the same for the same number. */
const chance = (number: number) => ((number * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;

interface Parked {
  car: number;
  leavesAt: number;
}

/**
 * The traffic of one site, with the edge's and the cloud's own code on real databases. It has cars with a
 * permit, cars of a company, drivers who pay at the kiosk and drivers who do not. Two cameras read some cars
 * twice. Each read has a picture, which goes to the cloud. No connection is between the two: their messages
 * are passed on in this process.
 */
export class Traffic {
  readonly pair: PairedSite;
  readonly #terminal = new TestTerminal();
  readonly #payments: PaymentService;
  readonly #pictures: Pictures;
  #visits = 0;
  #compactedAt = 0;
  #parked: Parked[] = [];

  private constructor(pair: PairedSite) {
    this.pair = pair;
    const { core, folder } = pair.site;
    this.#payments = new PaymentService(core.context, {
      terminalId: 'pos-1',
      terminal: this.#terminal,
      stays: core.stays,
      records: core.paymentRecords,
      dayClosesAt: '04:00',
      timeZone: () => 'Atlantic/Reykjavik',
    });
    const { api } = pair;
    this.#pictures = new Pictures(core.context, {
      config: {
        dataDir: folder,
        cameras: [],
        cloud: { httpUrl: 'http://127.0.0.1:9', mqttUrl: 'mqtt://127.0.0.1:9', siteId: 's', secret: 'x' },
        pictures: { keepDays: 14, keepFreeMb: 0, keepFreePercent: 0 },
      },
      devices: {
        at: () => {
          throw new Error('no camera is called');
        },
      },
      bring: async ({ readId, kind }, bytes) => {
        const picture = { contentType: 'image/jpeg' as const, bytes: new Uint8Array(bytes) };
        await takePicture(api.context, { siteId: api.site.id, readId, kind, picture });
        return { outcome: 'stored' };
      },
    });
    core.lanes.subscribe((update) => this.#pictures.onLaneUpdate(update));
  }

  static async start(): Promise<Traffic> {
    const pair = await pairSite();
    const { api, site } = pair;
    site.db.pragma('synchronous = OFF');
    await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { invoicesOwners: true } } });
    await api.made('/products', {
      type: 'default',
      price: PRICE,
      currency: 'ISK',
      vehicleCategory: 'light',
      productCode: 'DAY',
    });
    const customer = await api.made('/customers', {
      account: { role: 'customer', status: 'active', name: 'Company' },
      customer: { name: 'Company', language: 'is' },
    });
    for (let car = 0; car < CARS; car++) {
      const plate = plateOf(car);
      if (kindOf(car) === 'permit') {
        await api.made('/visit/whitelist', { plate, reason: 'Staff', siteId: api.site.id });
      }
      if (kindOf(car) === 'company') {
        await api.made('/custodians', { plate, customerId: customer.id });
      }
    }
    await pair.meet();
    const traffic = new Traffic(pair);
    site.core.lanes.setKiosk('works');
    traffic.#payments.start();
    traffic.#pictures.start();
    return traffic;
  }

  /** Runs visits from entry to exit; all that they leave behind is in both databases afterwards. */
  async drive(visits: number): Promise<void> {
    const until = this.#visits + visits;
    while (this.#visits < until || this.#parked.length > 0) {
      const next = this.#parked[0];
      if (next !== undefined && (next.leavesAt <= this.#time() || this.#visits === until)) {
        if (next.leavesAt > this.#time()) this.pair.wait(next.leavesAt - this.#time());
        this.#parked.shift();
        await this.#leave(next.car);
        continue;
      }
      await this.#enter(this.#visits++);
      this.pair.wait(MINUTE_MS * (1 + 2 * chance(this.#visits)));
      if (this.#time() > this.#compactedAt + HOUR_MS) await this.#compact();
    }
    await this.pair.api.call('POST', '/billing/runs', { body: {} });
    await this.#deliverEvents();
    await this.pair.down();
    await this.#deliverEvents();
    await this.#pictures.idle();
    await this.#compact();
  }

  async stop(): Promise<void> {
    await this.#payments.stop();
    await this.#pictures.stop();
    await this.pair.close();
  }

  async #enter(visit: number): Promise<void> {
    // A car that is inside does not come again.
    const inside = new Set(this.#parked.map(({ car }) => car));
    let car = Math.floor(chance(visit + 7) * CARS);
    while (inside.has(car)) car = (car + 1) % CARS;
    await this.#pass('in-1', car, visit);
    const leavesAt = this.#time() + HOUR_MS * (0.2 + 3 * chance(visit + 3));
    this.#parked.push({ car, leavesAt });
    this.#parked.sort((a, b) => a.leavesAt - b.leavesAt);
  }

  async #leave(car: number): Promise<void> {
    const { site, api } = this.pair;
    const visit = site.core.stays.visits.openByPlate(plateOf(car));
    if (visit && kindOf(car) === 'visitor') await this.#pay(visit.id);
    await this.#pass('out-1', car, car + this.#visits);
    await this.#deliverEvents();
    if (visit && chance(this.#visits + 11) * 100 < EDITED) {
      await api.call('PUT', `/visit/${visit.id}`, {
        body: { paymentStatus: 'void', reason: 'Broken barrier' },
      });
      await this.pair.down();
    }
  }

  /** The hourly work on older rows. */
  async #compact(): Promise<void> {
    this.#compactedAt = this.#time();
    await this.pair.site.core.retention.run();
  }

  /** A car in front of a camera, with the pictures that the camera takes. */
  async #pass(lane: 'in-1' | 'out-1', car: number, seed: number): Promise<void> {
    const { site } = this.pair;
    const plate = plateOf(car);
    const reads = chance(seed + 5) < 0.4 ? 2 : 1;
    for (let read = 0; read < reads; read++) {
      const eventKey = `${lane}-${this.#time()}-${read}`;
      const document = {
        kind: 'bench',
        reads: [testRead(plate, { eventKey, country: 'IS', candidates: candidatesOf(plate) })],
        heartbeat: false,
        pictures: [readPicture(eventKey)],
      };
      const at = new Date(site.now());
      await site.core.reads.handle(`cam-${lane}`, document, at);
      this.#pictures.documentHandled(`cam-${lane}`, document, at);
      await this.#finishWork();
      this.pair.wait(700);
    }
  }

  async #pay(visitId: string): Promise<void> {
    const answer = await this.#payments.order({ visitId, language: 'is' }, crypto.randomUUID());
    // The visit owes nothing yet.
    if (!answer.ok) return;
    const { id } = answer.payment;
    while (!this.#terminal.isPaying() && this.#payments.isActive(id)) await nextTurn();
    if (!this.#terminal.isPaying()) return;
    const { order, events, end } = this.#terminal.paying();
    const transaction = testTransaction(order.amountMinor, String(this.#visits).padStart(6, '0'));
    await events.onApproval(transaction);
    end({ kind: 'approved', transaction, receipt: RECEIPT });
    while (this.#payments.isActive(id)) await nextTurn();
    this.pair.wait(MINUTE_MS);
  }

  async #deliverEvents(): Promise<void> {
    const { site, api } = this.pair;
    const { events } = site.core;
    for (;;) {
      const unsent = events.after(events.acknowledged(), EVENTS_AT_ONCE, Number.POSITIVE_INFINITY);
      if (unsent.length === 0) break;
      const parsed = unsent.map(({ json }) => JSON.parse(json));
      events.acknowledge(await receiveEvents(api, events.epoch, parsed));
    }
    this.#pictures.wake();
    await this.#finishWork();
  }

  async #finishWork(): Promise<void> {
    for (let turn = 0; turn < 4; turn++) await nextTurn();
    await this.pair.site.core.commit.run(() => undefined);
    await this.#pictures.idle();
  }

  #time(): number {
    return Date.parse(this.pair.site.now());
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function kindOf(car: number): 'permit' | 'company' | 'unpaid' | 'visitor' {
  const place = chance(car + 1) * 100;
  if (place < MIX.permit) return 'permit';
  if (place < MIX.permit + MIX.company) return 'company';
  return place < MIX.permit + MIX.company + MIX.unpaid ? 'unpaid' : 'visitor';
}

/** Plates that a camera considers possible, the best one first. */
function candidatesOf(plate: string) {
  return [
    { plate, score: 0.95 },
    { plate: `${plate.slice(0, -1)}H`, score: 0.42 },
    { plate: `V${plate.slice(1)}`, score: 0.17 },
  ];
}

const RECEIPT = [
  'HLID PARKING',
  'VISA ************1111',
  'AID: A0000000031010',
  'AUTH: 123456',
  'SALE ISK 500',
  'APPROVED',
];
