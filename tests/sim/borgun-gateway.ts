import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { bankPage } from './borgun-bank.ts';
import { BorgunBooks, Refusal, type SimTransaction } from './borgun-books.ts';
import {
  EnrollmentSchema,
  MultiTokenSchema,
  PaymentSchema,
  RefundSchema,
  SecondEnrollmentSchema,
  SingleTokenSchema,
  ValidationSchema,
} from './borgun-requests.ts';

export type BorgunCall =
  | 'single-token'
  | 'multi-token'
  | 'look-at-token'
  | 'enrollment'
  | 'validation'
  | 'sale'
  | 'reservation'
  | 'capture'
  | 'cancel'
  | 'refund'
  | 'look-at-payment';

/** What goes wrong with a call. `acts`: it is done all the same. */
export interface BorgunFault {
  kind: 'silent' | 'reset' | 'error' | 'garbage' | 'cut' | 'unauthorized';
  acts: boolean;
}

/** Answers, changed. */
type Lie = (answer: Record<string, unknown>) => Record<string, unknown>;

export interface BorgunSim {
  readonly address: string;
  readonly books: BorgunBooks;
  /** Requests that are not in the documented form. */
  readonly complaints: readonly string[];
  readonly calls: readonly BorgunCall[];
  /** The next of these calls. */
  fail(calls: readonly BorgunCall[], fault: BorgunFault): void;
  lieNext(calls: readonly BorgunCall[], lie: Lie): void;
  setAway(away: boolean): Promise<void>;
  stop(): Promise<void>;
}

export const BORGUN_SIM_KEY = 'private-key-of-the-simulator';

/** A request that is answered: what it is, and what it does. */
interface Work {
  call: BorgunCall;
  act(): { status: number; body: object | null };
}

type Reply = { kind: 'answer'; status: number; body: object | null } | { kind: 'broken'; fault: BorgunFault };

const said = (status: number, message: string): Reply => ({
  kind: 'answer',
  status,
  body: { Message: message },
});

/**
 * Borgun's Restful Payment Gateway and the page of a bank, on loopback. It accepts what the documents describe and
 * nothing else, keeps books, and fails as it is told to.
 */
export async function startBorgunGateway(): Promise<BorgunSim> {
  const books = new BorgunBooks();
  const complaints: string[] = [];
  const calls: BorgunCall[] = [];
  let fault: { calls: readonly BorgunCall[]; fault: BorgunFault } | null = null;
  let lie: { calls: readonly BorgunCall[]; lie: Lie } | null = null;
  let port = 0;
  const origin = () => `http://127.0.0.1:${port}`;

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      complaints.push(`fault of the simulator: ${error instanceof Error ? error.stack : error}`);
      response.destroy();
    });
  });
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    let text = '';
    for await (const chunk of request) text += chunk;
    if (url.startsWith('/bank/')) {
      const html = bankPage(url, new URLSearchParams(text), books);
      response.writeHead(html === null ? 400 : 200, { 'content-type': 'text/html' });
      response.end(html ?? '');
      return;
    }
    const reply = replyTo(request, text);
    if (reply.kind === 'broken') fail(reply.fault, response);
    else answer(response, reply.status, reply.body);
  }

  function replyTo(request: IncomingMessage, text: string): Reply {
    const { method = '', url = '' } = request;
    if (!isAuthorized(request)) return said(401, 'Unauthorized');
    let work: Work | null;
    try {
      work = workOf(method, url, text);
    } catch (error) {
      complaints.push(`${method} ${url}: ${describe(error)}`);
      return said(400, 'Invalid request');
    }
    if (work === null) {
      complaints.push(`${method} ${url}: no such call`);
      return said(404, 'Not found');
    }
    const { call } = work;
    calls.push(call);
    const broken = fault?.calls.includes(call) ? fault.fault : null;
    if (broken) fault = null;
    if (broken && !broken.acts) return { kind: 'broken', fault: broken };
    const done = doWork(work);
    if (broken) return { kind: 'broken', fault: broken };
    if (lie?.calls.includes(call) && done.body) {
      done.body = lie.lie({ ...done.body });
      lie = null;
    }
    return { kind: 'answer', ...done };
  }

  function doWork(work: Work): ReturnType<Work['act']> {
    try {
      return work.act();
    } catch (error) {
      if (error instanceof Refusal) return { status: 400, body: { Message: error.message } };
      throw error;
    }
  }

  function workOf(method: string, url: string, text: string): Work | null {
    const [, what, id, change] =
      /^\/rpg\/api\/(payment|token\/single|token\/multi|mpi\/v2\/enrollment|mpi\/v2\/validation)(?:\/([\w-]+)(?:\/(\w+))?)?$/.exec(
        url,
      ) ?? [];
    const body = text === '' ? undefined : JSON.parse(text);
    switch (`${method} ${what}${id ? '/id' : ''}${change ? `/${change}` : ''}`) {
      case 'POST token/single':
        return single(SingleTokenSchema.parse(body));
      case 'POST token/multi':
        return multi(MultiTokenSchema.parse(body));
      case 'GET token/single/id':
        return lookAtToken(id ?? '');
      case 'PUT token/single/id/disable':
      case 'PUT token/multi/id/disable':
        return disable(what === 'token/single' ? books.singleTokens : books.multiTokens, id ?? '');
      case 'POST mpi/v2/enrollment':
        return enrollment(body);
      case 'POST mpi/v2/validation':
        return validation(ValidationSchema.parse(body));
      case 'POST payment':
        return payment(PaymentSchema.parse(body));
      case 'GET payment/id':
        return { call: 'look-at-payment', act: () => transactionAnswer(books.find(id ?? ''), 200) };
      case 'PUT payment/id/capture':
      case 'PUT payment/id/cancel':
        z.undefined().parse(body);
        return changed(id ?? '', change === 'capture' ? 'capture' : 'cancel');
      case 'PUT payment/id/refund':
        return changed(id ?? '', 'refund', RefundSchema.parse(body ?? {}).PartialAmount);
      default:
        return null;
    }
  }

  const single = (request: z.infer<typeof SingleTokenSchema>): Work => ({
    call: 'single-token',
    act() {
      const token = books.createToken('single', request);
      return { status: 201, body: tokenAnswer(token) };
    },
  });

  const multi = (request: z.infer<typeof MultiTokenSchema>): Work => ({
    call: 'multi-token',
    act() {
      if ('TokenSingle' in request) throw new Refusal('TokenSingle: not simulated');
      const { PAN, ExpMonth, ExpYear } = request;
      const token = books.createToken('multi', request);
      return {
        status: 201,
        body: { Token: token, PAN: masked(PAN), ExpMonth, ExpYear, Enabled: true, VirtualNumber: null },
      };
    },
  });

  const lookAtToken = (token: string): Work => ({
    call: 'look-at-token',
    act: () =>
      books.singleTokens.has(token)
        ? { status: 200, body: tokenAnswer(token) }
        : { status: 404, body: { Message: 'Not found' } },
  });

  function tokenAnswer(token: string): object {
    const found = books.singleTokens.get(token);
    if (!found) throw new Refusal('Token: unknown');
    const { usedBy, enabled, expMonth, expYear } = found;
    return {
      ...{ Token: token, PAN: masked(found.pan), ExpMonth: expMonth, ExpYear: expYear },
      ...{ Enabled: enabled, Used: usedBy !== null, ValidUntil: '2099-01-01T00:00:00Z' },
      ...(usedBy !== null && { TransactionId: usedBy }),
    };
  }

  const disable = (tokens: BorgunBooks['singleTokens'], token: string): Work => ({
    call: 'look-at-token',
    act() {
      const found = tokens.get(token);
      if (!found) return { status: 404, body: { Message: 'Not found' } };
      found.enabled = false;
      return { status: 200, body: null };
    },
  });

  function enrollment(body: unknown): Work {
    const second = SecondEnrollmentSchema.safeParse(body);
    if (second.success) {
      const { XId, TxId } = second.data;
      return { call: 'enrollment', act: () => enrollmentAnswer(books.enrollAgain(XId, TxId)) };
    }
    const request = EnrollmentSchema.parse(body);
    const { CardDetails, PurchAmount, Exponent, Currency, MD, TermUrl } = request;
    return {
      call: 'enrollment',
      act: () =>
        enrollmentAnswer(
          books.enroll({
            ...{ pan: books.panOf(CardDetails), amount: PurchAmount / 10 ** Exponent, exponent: Exponent },
            ...{ currency: Currency, md: MD, termUrl: TermUrl },
          }),
        ),
    };
  }

  function enrollmentAnswer(found: ReturnType<BorgunBooks['enroll']>) {
    const { mdStatus, mpiToken, md, xid, txId, termUrl } = found;
    const body: Record<string, unknown> = {
      ...{ ResultStatus: 0, MessageId: xid, EnrollmentStatus: mdStatus === '2' ? 'N' : 'Y' },
      ...{ MdStatus: mdStatus, MdErrorMessage: '', MD: md, XId: xid, TxId: txId, MPIToken: mpiToken },
    };
    if (mdStatus === '50') {
      const data = Buffer.from(JSON.stringify({ threeDSServerTransID: xid })).toString('base64url');
      body['TDSMethodContent'] =
        `<iframe name="m" style="display:none"></iframe><form method="POST" target="m" action="${origin()}/bank/method?a=1&amp;b=2"><input type="hidden" name="threeDSMethodData" value="${data}"></form><script>document.forms[0].submit()</script>`;
    }
    if (mdStatus === '9') {
      const isOld = books.isOld(found);
      const name = isOld ? 'PaReq' : 'creq';
      body['RedirectToACSData'] = [
        { Name: 'actionURL', Value: `${origin()}/bank/challenge` },
        { Name: name, Value: Buffer.from(xid).toString('base64url') },
        ...(isOld ? [{ Name: 'MD', Value: md }] : []),
        { Name: 'TermUrl', Value: termUrl },
      ];
      body['RedirectToACSForm'] = '<html><body>the same as a page</body></html>';
    }
    return { status: 200, body };
  }

  const validation = (request: z.infer<typeof ValidationSchema>): Work => ({
    call: 'validation',
    act() {
      const found = books.validate('PARes' in request ? request.PARes : request.CRes);
      const isAuthenticated = found?.mdStatus === '1';
      return {
        status: 200,
        body: {
          ...{ XId: found?.xid ?? null, MdStatus: found?.mdStatus ?? '97', MdErrorMessage: '' },
          ...{ AuthenticationStatus: isAuthenticated ? 'Y' : 'N', ECI: isAuthenticated ? '05' : '07' },
        },
      };
    },
  });

  const payment = (request: z.infer<typeof PaymentSchema>): Work => ({
    call: request.TransactionType === 'Sale' ? 'sale' : 'reservation',
    act() {
      const { TransactionType: type, Amount: amount, Currency, TransactionDate: date, OrderId } = request;
      const paid = books.pay({
        ...{ type, amount, currency: Currency, date, orderId: OrderId, method: request.PaymentMethod },
        mpiToken: request.ThreeDSecure?.MpiToken ?? null,
      });
      return transactionAnswer(paid, 201);
    },
  });

  const changed = (id: string, what: 'capture' | 'cancel' | 'refund', part?: number): Work => ({
    call: what,
    act() {
      const found = books.change(id, what, part);
      if (found === null) return { status: 404, body: { Message: 'Not found' } };
      return { status: 200, body: { TransactionId: found.id, ActionCode: '000', Message: null } };
    },
  });

  return {
    get address() {
      return `${origin()}/rpg`;
    },
    books,
    complaints,
    calls,
    fail(which, next) {
      fault = { calls: which, fault: next };
    },
    lieNext(which, next) {
      lie = { calls: which, lie: next };
    },
    setAway: (away) => (away ? close() : listen()),
    stop: async () => {
      if (server.listening) await close();
    },
  };
}

function isAuthorized(request: IncomingMessage): boolean {
  const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
  return scheme === 'Basic' && Buffer.from(credentials, 'base64').toString() === `${BORGUN_SIM_KEY}:`;
}

function transactionAnswer(found: SimTransaction | null, status: number) {
  if (found === null) return { status: 404, body: { Message: 'Not found' } };
  return {
    status,
    body: {
      ...{ TransactionId: found.id, TransactionType: found.type, Amount: found.amount },
      ...{ Currency: found.currency, TransactionDate: found.date, OrderId: found.orderId },
      ...{ AuthCode: found.authCode, ActionCode: found.actionCode, TransactionStatus: found.status },
      PaymentMethod: { PaymentType: 'Card', PAN: masked(found.pan), CardType: 'Visa', IsDebit: 'N' },
    },
  };
}

const masked = (number: string) => `${number.slice(0, 6)}******${number.slice(-4)}`;

function fail({ kind }: BorgunFault, response: ServerResponse): void {
  switch (kind) {
    case 'silent':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'error':
      answer(response, 500, { Message: 'An error has occurred.' });
      return;
    case 'unauthorized':
      answer(response, 401, { Message: 'Unauthorized' });
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>Runtime Error</html>');
      return;
    case 'cut':
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': 1000 });
      response.write('{"TransactionId":');
      response.socket?.destroySoon();
      return;
    default:
      kind satisfies never;
  }
}

function answer(response: ServerResponse, status: number, body: object | null): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === null ? '' : JSON.stringify(body));
}

/** The paths of what is wrong; values may be a card's. */
function describe(error: unknown): string {
  if (!(error instanceof z.ZodError)) return 'not JSON';
  return error.issues.map(({ path, code }) => `${path.join('.')} ${code}`).join(', ');
}
