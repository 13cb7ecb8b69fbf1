import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OnlinePayments } from '@hlid/cloud/paying/online-payments/online-payments';
import { CardGateways } from '@hlid/cloud/platform/card-gateways/card-gateways';
import { takePicture } from '@hlid/cloud/stays/photos/store-picture';
import { BROWSER, card, DRIVER } from '@hlid/cloud/test/online-payments';
import { PaymentService } from '@hlid/edge/payment/payment-service';
import { jpeg } from '@hlid/edge/test/sample-pictures';
import { TestTerminal, testTransaction } from '@hlid/edge/test/terminal';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import type { SiteEvent } from '@hlid/protocol/site-link/site-event';
import Database from 'better-sqlite3';
import { type PairedSite, pairSite } from '../../harness/paired-site.ts';
import { storedSiteId } from '../../harness/stored-columns.ts';
import { readableValue } from './compact-values.ts';
import { candidatesOf, misreadOf } from './plate-forms.ts';

/** How a stay is settled. */
export type StayKind = 'permit' | 'company' | 'kiosk' | 'online' | 'owner' | 'void' | 'misread';

/** Rows by table, as the database returns them. */
export type Rows = Record<string, Record<string, unknown>[]>;

/** The rows that one visit left in the cloud: up to a time, and by which events of its site. */
interface Written {
  rows: Rows;
  events: SiteEvent[];
}

/** One visit, as both programs wrote it. */
export interface Journey {
  plate: string;
  startedAt: string;
  endedAt: string;
  /** The rows while the car was inside, and those in the end. */
  inside: Written;
  whole: Written;
  /** Values that are there for many visits, by what they are. */
  world: Readonly<Record<string, string>>;
  /** The newest numbers before the car came. */
  before: { feed: number; seq: number; invoice: number };
}

export interface Drive {
  kind: StayKind;
  plate: string;
  minutes: number;
}

/** The price of 24 hours. */
const PRICE_MINOR = 500;
/**
 * Cars come one after the other, so that new rows belong to the car that was there. They come shortly before
 * midnight, so that the day of arrival is not the day of departure.
 */
const COMES_AT_MS = 23 * HOUR_MS;

/** A site and a cloud with their own code on real databases. One car at a time comes and goes. */
export class SampleSite {
  readonly #pair: PairedSite;
  readonly #world: Record<string, string>;
  readonly #db: Database.Database;
  readonly #terminal = new TestTerminal();
  readonly #payments: PaymentService;
  readonly #online: OnlinePayments;
  readonly #folder: string;

  private constructor(pair: PairedSite, world: Record<string, string>) {
    this.#pair = pair;
    this.#world = world;
    const { core } = pair.site;
    const { api } = pair;
    this.#db = new Database(api.dbPath, { readonly: true });
    this.#folder = mkdtempSync(join(tmpdir(), 'hlid-sample-'));
    this.#payments = new PaymentService(core.context, {
      terminalId: 'pos-1',
      terminal: this.#terminal,
      stays: core.stays,
      records: core.paymentRecords,
      dayClosesAt: '04:00',
      timeZone: () => 'Atlantic/Reykjavik',
    });
    const { clock, log } = api.context;
    const gateway = { id: 'testing2', config: { kind: 'testing2', cardInput: 'card' } } as const;
    const parts = { clock, log, dataDir: this.#folder };
    const cardGateways = new CardGateways([gateway], gateway.id, parts);
    this.#online = new OnlinePayments({ ...api.context, cardGateways });
  }

  static async start(): Promise<SampleSite> {
    const pair = await pairSite();
    const { api, site } = pair;
    site.db.pragma('synchronous = OFF');
    await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: SAMPLE_SETTINGS } });
    const product = await api.made('/products', SAMPLE_PRODUCT);
    const customer = await api.made('/customers', sampleCustomer('Company'));
    await pair.meet();
    site.core.lanes.setKiosk('works');
    const sample = new SampleSite(pair, {
      site: api.site.id,
      product: product.id,
      customer: customer.id,
      epoch: site.core.events.epoch,
      operator: 'the-operator',
    });
    sample.#payments.start();
    return sample;
  }

  async stop(): Promise<void> {
    await this.#payments.stop();
    this.#db.close();
    await this.#pair.close();
    rmSync(this.#folder, { recursive: true });
  }

  async drive({ kind, plate, minutes }: Drive): Promise<Journey> {
    const { api, site, meet, wait } = this.#pair;
    const world = { ...this.#world };
    if (kind === 'permit') {
      const permit = await api.made('/visit/whitelist', { plate, reason: 'Staff', siteId: api.site.id });
      world['permit'] = permit.id;
    }
    if (kind === 'company') await api.made('/custodians', { plate, customerId: world['customer'] });
    await meet();
    wait(DAY_MS + COMES_AT_MS - (Date.parse(site.now()) % DAY_MS));
    const seq = site.core.events.lastSeq();
    const before = { feed: this.#feedAt(), seq, invoice: this.#lastInvoice() };
    const newest = this.#newestRows();
    const written = (): Written => ({
      rows: this.#rowsAfter(newest),
      events: site
        .events()
        .filter((event) => event.seq > seq)
        .map(withoutMeasured),
    });
    const startedAt = site.now();
    await this.#pass('in-1', plate);
    const inside = written();
    wait(minutes * MINUTE_MS);
    await this.#settle(kind, plate);
    await this.#pass('out-1', kind === 'misread' ? misreadOf(plate) : plate);
    if (site.core.stays.visits.openByPlate(plate)) throw new Error(`${kind}: the car is inside still`);
    return { plate, startedAt, endedAt: site.now(), inside, whole: written(), world, before };
  }

  async #settle(kind: StayKind, plate: string): Promise<void> {
    const { site, api, meet, wait } = this.#pair;
    const visit = site.core.stays.visits.openByPlate(plate);
    if (!visit) throw new Error(`${kind}: the car is not inside`);
    if (kind === 'kiosk' || kind === 'misread') await this.#payAtKiosk(visit.id);
    if (kind === 'online') {
      const vehicle = { visitId: visit.id };
      const order = { vehicle, source: card(), browser: BROWSER, language: 'is' } as const;
      const paid = await this.#online.purchase(DRIVER, order);
      if (!paid.ok) throw new Error(`${kind}: ${paid.reason}`);
    }
    if (kind === 'void') {
      const body = { paymentStatus: 'void', reason: 'Broken barrier' };
      await api.call('PUT', `/visit/${visit.id}`, { body });
    }
    await meet();
    wait(MINUTE_MS);
  }

  /** A car in front of a camera; its picture goes to the cloud. */
  async #pass(lane: 'in-1' | 'out-1', plate: string): Promise<void> {
    const { site, api, meet, wait } = this.#pair;
    const newest = Number(this.#db.prepare('SELECT coalesce(max(rowid), 0) FROM photo').pluck().get());
    await site.read(lane, plate, { country: 'IS', candidates: candidatesOf(plate) });
    await meet();
    const picture = { contentType: 'image/jpeg', bytes: new Uint8Array(jpeg(plate)) } as const;
    for (const id of this.#db.prepare('SELECT id FROM photo WHERE rowid > ?').pluck().all(newest)) {
      const readId = String(readableValue('photo', 'id', id));
      await takePicture(api.context, { siteId: api.site.id, readId, kind: 'vehicle', picture });
    }
    wait(1000);
  }

  async #payAtKiosk(visitId: string): Promise<void> {
    const answer = await this.#payments.order({ visitId, language: 'is' }, crypto.randomUUID());
    if (!answer.ok) throw new Error(`no payment: ${answer.reason}`);
    const { id } = answer.payment;
    while (!this.#terminal.isPaying() && this.#payments.isActive(id)) await nextTurn();
    const { order, events, end } = this.#terminal.paying();
    const transaction = testTransaction(order.amountMinor);
    await events.onApproval(transaction);
    end({ kind: 'approved', transaction, receipt: RECEIPT });
    while (this.#payments.isActive(id)) await nextTurn();
  }

  #newestRows(): Map<string, number> {
    const tables = this.#db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all() as string[];
    const newest = (name: string) => this.#db.prepare(`SELECT coalesce(max(rowid), 0) FROM "${name}"`);
    return new Map(tables.map((name) => [name, Number(newest(name).pluck().get())]));
  }

  #rowsAfter(newest: ReadonlyMap<string, number>): Rows {
    const rows: Rows = {};
    for (const [name, rowid] of newest) {
      const added = this.#db.prepare(`SELECT * FROM "${name}" WHERE rowid > ? ORDER BY rowid`).all(rowid);
      if (added.length === 0) continue;
      rows[name] = (added as Record<string, unknown>[]).map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, readableValue(name, column, value)]),
        ),
      );
    }
    for (const movement of rows['gate_movement'] ?? []) movement['took_ms'] = GATE_TOOK_MS;
    return rows;
  }

  #feedAt(): number {
    return Number(
      this.#db
        .prepare('SELECT n FROM feed_head WHERE scope = ?')
        .pluck()
        .get(storedSiteId(this.#world['site'] ?? '')),
    );
  }

  #lastInvoice(): number {
    return Number(this.#db.prepare('SELECT max(last) FROM invoice_series').pluck().get() ?? 0);
  }
}

export const SAMPLE_SETTINGS = { invoicesOwners: true };
export const SAMPLE_PRODUCT = {
  type: 'default',
  price: PRICE_MINOR,
  currency: 'ISK',
  vehicleCategory: 'light',
  productCode: 'DAY',
};

export function sampleCustomer(name: string) {
  return {
    account: { role: 'customer', status: 'active', name },
    customer: { name, language: 'is', options: { billingMethod: 'monthly' } },
  };
}

/** The time that a relay takes; the sample site has none. */
const GATE_TOOK_MS = 14;

function withoutMeasured(event: SiteEvent): SiteEvent {
  const { body } = event;
  return body.type === 'gate.moved' ? { ...event, body: { ...body, tookMs: GATE_TOOK_MS } } : event;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const RECEIPT = [
  'HLID PARKING',
  'VISA ************1111',
  'AID: A0000000031010',
  'AUTH: 123456',
  `SALE ISK ${PRICE_MINOR}`,
  'APPROVED',
];
