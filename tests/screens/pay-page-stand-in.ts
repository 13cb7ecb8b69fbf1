import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { RETURN_POLICY, returnedPage } from '@hlid/cloud/paying/online-payments/return-page';
import { PAY_PAGE_FOLDER, payPageHeaders } from '@hlid/cloud/paying/pay/pay-page-files';
import { pageAssets, pageDocument } from '@hlid/cloud/platform/http/built-page';
import { listen, stopListening } from '@hlid/node/listen';
import { LANGUAGES } from '@hlid/protocol/base/language';
import {
  type Driver,
  DriverCardOrderSchema,
  type DriverCharge,
  DriverChargesPageSchema,
  DriverChargesSchema,
  DriverLoginSchema,
  DriverOpenSchema,
  DriverPlateSchema,
  DriverSchema,
  DriverSettingsSchema,
  DriverVehicleProofSchema,
} from '@hlid/protocol/pages/driver-api';
import { DRIVER_PATHS, ELECTRONIC_ID_PATHS } from '@hlid/protocol/pages/driver-paths';
import {
  PayAuthenticateSchema,
  type PayDue,
  PayDueSchema,
  type PayFault,
  PayFindSchema,
  PayFinishSchema,
  PayMailSchema,
  PayNotMineSchema,
  PayOpenSchema,
  PayOrderSchema,
  type PayPayment,
  PayPaymentBodySchema,
  PayPaymentSchema,
  PayProofSchema,
  type PayRefusal,
  type PaySite,
  PaySiteSchema,
  type PayStay,
  PayStayBodySchema,
  PayStaySchema,
} from '@hlid/protocol/pages/pay-api';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import type { ElectronicIdState } from '@hlid/protocol/words/electronic-id-words';
import type { z } from 'zod';
import { buildPayPage } from '../harness/build-pages.ts';

/** A stay at the site, and what it owes. */
export interface Stay {
  stay: PayStay;
  due: Partial<PayDue>;
}

type Order = z.infer<typeof PayOrderSchema>;

const label = (text: string) => Object.fromEntries(LANGUAGES.map((language) => [language, text]));
/** The session's two methods, as the cloud describes them. */
const IDENTITY_SESSION = {
  session: 'session',
  expiresOn: '',
  methods: [
    {
      id: 'sim',
      label: label('Rafræn skilríki í síma'),
      inputs: [input('phone', 'Símanúmer', '[36-8][0-9]{6}')],
    },
    { id: 'app', label: label('Auðkennisappið'), inputs: [input('kennitala', 'Kennitala', '[0-9]{10}')] },
  ],
};

function input(name: string, text: string, pattern: string): object {
  return { name, type: 'tel', inputMode: 'tel', label: label(text), pattern, maxLength: 20 };
}

const RETURNED = '/payments/return/r';

/** Once for all the stand-ins of a test. */
let built: Promise<void> | undefined;

/** A cloud with answers that a test sets: the same paths and shapes over real HTTP, and a bank in a frame. */
export class PayStandIn {
  readonly #pictures: readonly Buffer[];
  readonly #payments = new Map<string, PayPayment>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #url = '';
  site: PaySite = PaySiteSchema.parse({
    code: 'hafnartorg',
    name: 'Hafnartorg bílahús',
    timeZone: 'Atlantic/Reykjavik',
    currency: 'ISK',
    language: 'is',
    exitGraceMinutes: 15,
    payAfterDays: 14,
    helpPhone: '+354 555 1234',
    prices: {
      is: ['Gjaldfrjálst að 15 mín.', '500 kr. fyrir hvern byrjaðan sólarhring'],
      en: ['Free up to 15 min', 'ISK 500 per started day'],
      de: ['Bis 15 Min. kostenlos', '500 ISK pro angefangenem Tag'],
    },
    seller: { name: 'Hafnarstæði ehf.', ssn: '550123-4560', vatNumber: '12345', address: 'Geirsgata 1' },
    gateway: { kind: 'testing', cardInput: 'card', cardField: null, isTest: false, storesCards: false },
  });
  stays: Stay[] = [];
  /** The refusal of the next call of that path. */
  readonly refusals = new Map<string, Pick<PayRefusal, 'code' | 'fields'>>();
  /** Calls of these paths get no answer; they count all the same. */
  readonly lost = new Set<string>();
  /** How the next order begins. */
  begins: Partial<PayPayment> = { next: { kind: 'finish' } };
  /** How it ends. */
  ends: Partial<PayPayment> = { state: 'settled', receipt: '/receipt/Zk3uQ9b1x7Lw2Yt5Vn8Rs4' };
  readonly orders: Order[] = [];
  readonly finished: z.infer<typeof PayFinishSchema>[] = [];
  readonly cancels: string[] = [];
  readonly mails: z.infer<typeof PayMailSchema>[] = [];
  readonly disowned: string[] = [];
  readonly addresses: string[] = [];
  /** The driver that a link leads to, and the token that is valid; null: it has ended. */
  driver: Driver = DriverSchema.parse({
    email: 'jon@example.is',
    language: 'is',
    state: 'active',
    pausedFor: null,
    caps: null,
    card: null,
    vehicles: [],
    checking: false,
    electronicId: false,
  });
  /** Newest first; two are a page. */
  charges: DriverCharge[] = [];
  token: string | null = 'token-of-a-driver';
  readonly links: string[] = [];
  readonly driverCalls: string[] = [];
  /** Electronic identities are offered, and polls get these answers, the last one again and again. */
  identity: { isOffered: boolean; states: ElectronicIdState[] } = { isOffered: false, states: ['pending'] };
  /** The people who were to be called on their phones, and the number of polls for the outcome. */
  readonly identified: Record<string, unknown>[] = [];
  identityPolls = 0;
  #isConnecting = false;

  constructor(pictures: readonly Buffer[]) {
    this.#pictures = pictures;
  }

  get url(): string {
    return this.#url;
  }

  async start(): Promise<void> {
    built ??= buildPayPage(console.warn);
    await built;
    this.#url = `http://${await listen(this.#server, { host: '127.0.0.1', port: 0 }, 'nothing')}`;
  }

  async stop(): Promise<void> {
    await stopListening(this.#server, 200);
  }

  /** Moves the newest payment. */
  move(change: Partial<PayPayment>): void {
    const key = this.orders.at(-1)?.payment ?? '';
    this.#payments.set(key, PayPaymentSchema.parse({ ...this.#payments.get(key), ...change }));
  }

  /** A form that the bank in the frame answers. */
  bankForm(): PayPayment['next'] {
    return {
      kind: 'form',
      url: `${this.#url}/bank`,
      scripts: [],
      fields: [{ name: 'creq', value: 'eyJ0' }],
    };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.#url);
    this.addresses.push(request.url ?? '');
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (pathname.startsWith('/pay/api/driver/')) {
      return this.#driverApi(pathname, text, request.headers.authorization, response);
    }
    if (pathname.startsWith('/auth/')) return this.#identify(pathname, JSON.parse(text), response);
    if (pathname.startsWith('/pay/api/')) return this.#api(pathname, text, response);
    if (pathname === '/bank') return this.#bank(request, response);
    if (pathname === RETURNED) {
      this.move({ next: { kind: 'finish' } });
      const headers = { 'content-type': 'text/html', 'content-security-policy': RETURN_POLICY };
      const returned = { id: this.orders.at(-1)?.payment ?? '', state: 'created', backPath: null } as const;
      response.writeHead(200, headers).end(String(await returnedPage(returned)));
      return;
    }
    const asset = pageAssets(PAY_PAGE_FOLDER).get(pathname.replace('/pay/assets/', ''));
    if (asset) return void response.writeHead(200, asset.headers).end(asset.body);
    if (/^\/pay(\/[\w-]*)?$/.test(pathname)) {
      const sources = { script: [], connect: [], frame: [this.#url], form: [this.#url] };
      return void response.writeHead(200, payPageHeaders(sources)).end(pageDocument(PAY_PAGE_FOLDER));
    }
    response.writeHead(404).end();
  }

  #bank(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html lang="is"><title>Bank</title><body style="font:16px sans-serif;margin:2rem">
      <h1>Þinn banki</h1><p>${request.method}: Samþykkja greiðslu?</p>
      <form method="post" action="${RETURNED}"><button>Samþykkja</button></form></body></html>`);
  }

  #api(path: string, text: string, response: ServerResponse): void {
    const content: unknown = text === '' ? null : JSON.parse(text);
    const refusal = this.refusals.get(path);
    this.refusals.delete(path);
    const answer = refusal ? { messages: [], ...refusal } : this.#call(path, content);
    if (this.lost.has(path)) return void response.destroy();
    if (answer instanceof Buffer) {
      return void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(answer);
    }
    const status = 'code' in answer && 'messages' in answer ? 409 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #driverApi(path: string, text: string, authorization: string | undefined, response: ServerResponse): void {
    const content: unknown = text === '' ? null : JSON.parse(text);
    const { login, open, options } = DRIVER_PATHS;
    const isOpenToAll = path === login || path === open || path === options;
    const isKnown = isOpenToAll || (this.token !== null && authorization === `Bearer ${this.token}`);
    const answer = isKnown ? this.#driverCall(path, content) : null;
    this.driverCalls.push(path);
    const status = answer === null ? 401 : 'code' in answer ? 409 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { code: 'expired', messages: [] }));
  }

  #identify(path: string, body: Record<string, unknown>, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (path === ELECTRONIC_ID_PATHS.init) return void response.end(JSON.stringify(IDENTITY_SESSION));
    if (path === ELECTRONIC_ID_PATHS.authenticate) {
      this.identified.push(body);
      const started = { code: '0471', statusPath: ELECTRONIC_ID_PATHS.status, bearerToken: 'poll' };
      return void response.end(JSON.stringify(started));
    }
    this.identityPolls++;
    const { states } = this.identity;
    const status = (states.length > 1 ? states.shift() : states[0]) ?? 'pending';
    if (status === 'success' && this.#isConnecting) {
      this.#isConnecting = false;
      this.#drive({ electronicId: true });
    }
    const wait = status === 'pending' ? 1 : 0;
    const data = status === 'success' ? { bearerToken: this.token, expiresOn: '' } : undefined;
    response.end(JSON.stringify({ status, message: '', wait, data }));
  }

  /** Null: 401. */
  #driverCall(path: string, content: unknown): object | null {
    switch (path) {
      case DRIVER_PATHS.login:
        this.links.push(DriverLoginSchema.parse(content).email);
        return {};
      case DRIVER_PATHS.open: {
        const { link } = DriverOpenSchema.parse(content);
        const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
        return link === 'old' ? null : { token: this.token, expiresAt, driver: this.driver };
      }
      case DRIVER_PATHS.settings: {
        const { state = this.driver.state, ...settings } = DriverSettingsSchema.parse(content);
        return this.#drive({ ...settings, state, pausedFor: state === 'paused' ? 'driver' : null });
      }
      case DRIVER_PATHS.storeCard:
        DriverCardOrderSchema.parse(content);
        return this.#drive({ card: { type: 'mastercard', lastFour: '6699', expires: '2035-12' } });
      case DRIVER_PATHS.options:
        return { electronicId: this.identity.isOffered, register: true };
      case DRIVER_PATHS.connectElectronicId:
        this.#isConnecting = true;
        return IDENTITY_SESSION;
      case DRIVER_PATHS.disconnectElectronicId:
        return this.#drive({ electronicId: false });
      case DRIVER_PATHS.addVehicle: {
        const given = DriverVehicleProofSchema.parse(content);
        if ('plate' in given) return { code: 'not-registered', messages: [] };
        const provedAt = new Date().toISOString();
        const vehicles = [{ plate: 'MKJ45', proof: 'payment', provedAt }];
        return this.#drive(DriverSchema.pick({ vehicles: true }).parse({ vehicles }));
      }
      case DRIVER_PATHS.removeVehicle: {
        const { plate } = DriverPlateSchema.parse(content);
        return this.#drive({ vehicles: this.driver.vehicles.filter((vehicle) => vehicle.plate !== plate) });
      }
      case DRIVER_PATHS.deleteCard:
        return this.#drive({ card: null });
      case DRIVER_PATHS.charges: {
        const { before } = DriverChargesPageSchema.parse(content);
        const from = this.charges.findIndex(({ id }) => id === before?.id) + 1;
        const charges = this.charges.slice(from, from + 2);
        return DriverChargesSchema.parse({ charges, isEnd: from + 2 >= this.charges.length });
      }
      case DRIVER_PATHS.logout:
      case DRIVER_PATHS.erase:
        this.token = null;
        return {};
      default:
        return this.driver;
    }
  }

  #drive(change: object): Driver {
    this.driver = DriverSchema.parse({ ...this.driver, ...change });
    return this.driver;
  }

  #call(path: string, content: unknown): object {
    switch (path) {
      case PAY_PATHS.sites:
        return { sites: [{ code: this.site.code, name: this.site.name }] };
      case PAY_PATHS.site.replace(':siteCode', this.site.code):
        return PaySiteSchema.parse(this.site);
      case PAY_PATHS.find: {
        const { plate } = PayFindSchema.parse(content);
        const found = this.stays.filter(({ stay }) => stay.match === 'similar' || stay.plate === plate);
        return { stays: found.map(({ stay }) => PayStaySchema.parse(stay)) };
      }
      case PAY_PATHS.open: {
        const { link } = PayOpenSchema.parse(content);
        const found = this.#stay(link);
        return found ? { site: this.site, stay: this.#prove(found) } : refuse('expired');
      }
      case PAY_PATHS.proof: {
        const { stay, enteredAt } = PayProofSchema.parse(content);
        const found = this.#stay(stay);
        return found && enteredAt !== '' ? this.#prove(found) : refuse('wrong-proof');
      }
      case PAY_PATHS.notMine:
        this.disowned.push(PayNotMineSchema.parse(content).plate);
        return {};
      case PAY_PATHS.picture: {
        const at = this.stays.findIndex(({ stay }) => stay.key === PayStayBodySchema.parse(content).stay);
        return this.#pictures[Math.max(0, at) % this.#pictures.length] ?? refuse('proof-needed');
      }
      case PAY_PATHS.due: {
        const found = this.#stay(PayStayBodySchema.parse(content).stay);
        return found ? dueOf(found) : refuse('expired');
      }
      default:
        return this.#pay(path, content);
    }
  }

  #pay(path: string, content: unknown): object {
    switch (path) {
      case PAY_PATHS.order:
        return this.#order(PayOrderSchema.parse(content));
      case PAY_PATHS.payment:
        return this.#payment(PayPaymentBodySchema.parse(content).payment);
      case PAY_PATHS.authenticate:
        PayAuthenticateSchema.parse(content);
        this.move({ next: { kind: 'finish' } });
        return this.#payment(PayAuthenticateSchema.parse(content).payment);
      case PAY_PATHS.finish: {
        const finish = PayFinishSchema.parse(content);
        this.finished.push(finish);
        if (this.#payments.get(finish.payment)?.next?.kind === 'finish')
          this.move({ next: null, ...this.ends });
        return this.#payment(finish.payment);
      }
      case PAY_PATHS.cancel: {
        const { payment } = PayPaymentBodySchema.parse(content);
        this.cancels.push(payment);
        if (!this.#payments.has(payment)) return refuse('cancelled');
        if (this.#payments.get(payment)?.state === 'created') this.move({ state: 'cancelled', next: null });
        return this.#payment(payment);
      }
      case PAY_PATHS.mail:
        this.mails.push(PayMailSchema.parse(content));
        return {};
      default:
        return refuse('not-found');
    }
  }

  #order(order: Order): object {
    const before = this.#payments.get(order.payment);
    if (before) return before;
    this.orders.push(order);
    const payment = {
      key: order.payment,
      state: 'created',
      next: null,
      amountMinor: order.amountMinor,
      currency: 'ISK',
      quantity: order.quantity ?? null,
      reason: null,
      needsPerson: false,
      paidUntil: null,
      daysUntil: null,
      exitOpens: false,
      receipt: null,
    };
    this.#payments.set(order.payment, PayPaymentSchema.parse({ ...payment, ...this.begins }));
    return this.#payment(order.payment);
  }

  #payment(key: string): object {
    return this.#payments.get(key) ?? refuse('not-found');
  }

  #stay(key: string): Stay | undefined {
    return this.stays.find(({ stay }) => stay.key === key);
  }

  #prove(found: Stay): PayStay {
    const startedAt = new Date(Date.now() - 4.2 * 3_600_000).toISOString();
    found.stay = PayStaySchema.parse({ ...found.stay, proved: true, hasPicture: true, startedAt });
    return found.stay;
  }
}

function dueOf({ stay, due }: Stay): PayDue {
  return PayDueSchema.parse({
    standing: 'due',
    amountMinor: 0,
    currency: 'ISK',
    lines: [],
    vatRate: 24,
    pricedAt: new Date().toISOString(),
    paidUntil: null,
    dayPriceMinor: null,
    atExit: false,
    ...due,
    stay,
  });
}

function refuse(code: PayFault): PayRefusal {
  return { code, messages: [code] };
}
