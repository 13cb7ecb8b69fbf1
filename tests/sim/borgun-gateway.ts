import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { bankPage } from './borgun-bank.ts';
import { type BorgunBooks, Refusal } from './borgun-books.ts';
import { type Answer, type BorgunCall, BorgunService } from './borgun-service.ts';
import type { PostForm } from './gateway-rigs.ts';

/** What goes wrong with a call. `acts`: it is done all the same. `held`: it is done when it is released. */
export interface BorgunFault {
  kind: 'silent' | 'reset' | 'error' | 'garbage' | 'cut' | 'unauthorized' | 'held';
  acts: boolean;
}

/** Answers, changed. */
type Lie = (answer: Record<string, unknown>) => Record<string, unknown>;

export const BORGUN_SIM_KEY = 'private-key-of-the-simulator';

type Reply =
  | ({ kind: 'answer' } & Answer)
  | { kind: 'broken'; fault: BorgunFault }
  | { kind: 'held'; work: { act(): Answer } };

/**
 * Borgun's Restful Payment Gateway and the page of a bank, on loopback. It accepts what the documents describe and
 * nothing else, keeps books, and fails as configured.
 */
export class BorgunSimulator {
  /** Requests that are not in the documented form. */
  readonly complaints: string[] = [];
  readonly calls: BorgunCall[] = [];
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) => {
      this.complaints.push(`fault of the simulator: ${error instanceof Error ? error.stack : error}`);
      response.destroy();
    });
  });
  #service = new BorgunService('');
  #port = 0;
  #fault: { calls: readonly BorgunCall[]; fault: BorgunFault; after: number } | null = null;
  #lie: { calls: readonly BorgunCall[]; lie: Lie } | null = null;
  readonly #held: (() => void)[] = [];
  #callsBackFirst: PostForm | null = null;

  get books(): BorgunBooks {
    return this.#service.books;
  }

  get address(): string {
    return `${this.#origin}/rpg`;
  }

  get #origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    await this.#listen();
    this.#service = new BorgunService(this.#origin);
  }

  /** The next of these calls. @param after so many of them are answered first */
  fail(calls: readonly BorgunCall[], fault: BorgunFault, after = 0): void {
    this.#fault = { calls, fault, after };
  }

  lieNext(calls: readonly BorgunCall[], lie: Lie): void {
    this.#lie = { calls, lie };
  }

  /** What was held is done and answered, though perhaps nobody waits for it any more. */
  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

  /** The bank's form for the next challenge comes to us before the enrollment is answered. */
  callBackFirst(post: PostForm): void {
    this.#callsBackFirst = post;
  }

  setAway(away: boolean): Promise<void> {
    return away ? this.#close() : this.#listen();
  }

  async stop(): Promise<void> {
    if (this.#server.listening) await this.#close();
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen(this.#port, '127.0.0.1', () => {
        this.#port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  #close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    let text = '';
    for await (const chunk of request) text += chunk;
    if (url.startsWith('/bank/')) {
      const html = bankPage(url, new URLSearchParams(text), this.books);
      response.writeHead(html === null ? 400 : 200, { 'content-type': 'text/html' });
      response.end(html ?? '');
      return;
    }
    const reply = this.#replyTo(request, text);
    if (this.calls.at(-1) === 'enrollment') await this.#callBack();
    if (reply.kind === 'broken') fail(reply.fault, response);
    else if (reply.kind === 'held') this.#hold(reply.work, response);
    else answer(response, reply.status, reply.body);
  }

  async #callBack(): Promise<void> {
    const post = this.#callsBackFirst;
    const challenge = this.books.authentications.at(-1);
    if (post === null || challenge?.mdStatus !== '9') return;
    this.#callsBackFirst = null;
    await post(challenge.termUrl, { cres: this.books.decide(challenge.xid, true) });
  }

  #hold(work: { act(): Answer }, response: ServerResponse): void {
    this.#held.push(() => {
      const { status, body } = this.#act(work);
      if (!response.destroyed) answer(response, status, body);
    });
  }

  #replyTo(request: IncomingMessage, text: string): Reply {
    const { method = '', url = '' } = request;
    if (!isAuthorized(request)) return said(401, 'Unauthorized');
    let work: ReturnType<BorgunService['workOf']>;
    try {
      work = this.#service.workOf(method, url, text);
    } catch (error) {
      this.complaints.push(`${method} ${url}: ${describe(error)}`);
      return said(400, 'Invalid request');
    }
    if (work === null) {
      this.complaints.push(`${method} ${url}: no such call`);
      return said(404, 'Not found');
    }
    const { call } = work;
    this.calls.push(call);
    const isMeant = this.#fault?.calls.includes(call) === true && this.#fault.after-- <= 0;
    const broken = isMeant ? (this.#fault?.fault ?? null) : null;
    if (broken) this.#fault = null;
    if (broken?.kind === 'held') return { kind: 'held', work };
    if (broken && !broken.acts) return { kind: 'broken', fault: broken };
    const done = this.#act(work);
    if (broken) return { kind: 'broken', fault: broken };
    if (this.#lie?.calls.includes(call) && done.body) {
      done.body = this.#lie.lie({ ...done.body });
      this.#lie = null;
    }
    return { kind: 'answer', ...done };
  }

  #act(work: { act(): Answer }): Answer {
    try {
      return work.act();
    } catch (error) {
      if (error instanceof Refusal) return { status: 400, body: { Message: error.message } };
      throw error;
    }
  }
}

const said = (status: number, message: string): Reply => ({
  kind: 'answer',
  status,
  body: { Message: message },
});

function isAuthorized(request: IncomingMessage): boolean {
  const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
  return scheme === 'Basic' && Buffer.from(credentials, 'base64').toString() === `${BORGUN_SIM_KEY}:`;
}

function fail({ kind }: BorgunFault, response: ServerResponse): void {
  switch (kind) {
    case 'silent':
    case 'held':
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
