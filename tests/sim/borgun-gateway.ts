import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { bankPage } from './borgun-bank.ts';
import { type BorgunBooks, Refusal } from './borgun-books.ts';
import { type BorgunCall, BorgunService } from './borgun-service.ts';
import type { PostForm } from './gateway-rigs.ts';
import {
  type ProviderAnswer,
  type ProviderCall,
  type ProviderRequest,
  ProviderServer,
} from './provider-server.ts';

export const BORGUN_SIM_KEY = 'private-key-of-the-simulator';

/**
 * Borgun's Restful Payment Gateway and the page of a bank, on loopback. It accepts what the documents describe and
 * nothing else, keeps books, and fails as configured.
 */
export class BorgunSimulator extends ProviderServer<BorgunCall> {
  readonly complaints: string[] = [];
  readonly #service = new BorgunService(() => this.origin);
  #callsBackFirst: PostForm | null = null;

  get books(): BorgunBooks {
    return this.#service.books;
  }

  get address(): string {
    return `${this.origin}/rpg`;
  }

  /** The bank's form for the next challenge comes to us before the enrollment is answered. */
  callBackFirst(post: PostForm): void {
    this.#callsBackFirst = post;
  }

  protected override serveBrowser({ path, query, text }: ProviderRequest, response: ServerResponse): boolean {
    if (!path.startsWith('/bank/')) return false;
    const url = query.size > 0 ? `${path}?${query}` : path;
    const html = bankPage(url, new URLSearchParams(text), this.books);
    response.writeHead(html === null ? 400 : 200, { 'content-type': 'text/html' }).end(html ?? '');
    return true;
  }

  protected override async beforeAnswer(call: BorgunCall): Promise<void> {
    const post = this.#callsBackFirst;
    const challenge = this.books.authentications.at(-1);
    if (call !== 'enrollment' || post === null || challenge?.mdStatus !== '9') return;
    this.#callsBackFirst = null;
    await post(challenge.termUrl, { cres: this.books.decide(challenge.xid, true) });
  }

  protected read(request: ProviderRequest): ProviderCall<BorgunCall> | ProviderAnswer {
    const { method, path, text } = request;
    if (!isAuthorized(request)) return refusal(401, 'Unauthorized');
    try {
      const work = this.#service.workOf(method, path, text);
      if (work !== null) return { operation: work.operation, act: () => answerOf(work) };
      this.complaints.push(`${method} ${path}: no such call`);
      return refusal(404, 'Not found');
    } catch (error) {
      this.complaints.push(`${method} ${path}: ${describe(error)}`);
      return refusal(400, 'Invalid request');
    }
  }
}

function answerOf(work: ProviderCall<BorgunCall>): ProviderAnswer {
  try {
    return work.act();
  } catch (error) {
    if (error instanceof Refusal) return refusal(400, error.message);
    throw error;
  }
}

function refusal(status: number, message: string): ProviderAnswer {
  return { status, body: { Message: message } };
}

function isAuthorized({ headers }: ProviderRequest): boolean {
  const [scheme, credentials = ''] = (headers.authorization ?? '').split(' ');
  return scheme === 'Basic' && Buffer.from(credentials, 'base64').toString() === `${BORGUN_SIM_KEY}:`;
}

/** The paths of what is wrong; values may be a card's. */
function describe(error: unknown): string {
  if (!(error instanceof z.ZodError)) return 'not JSON';
  return error.issues.map(({ path, code }) => `${path.join('.')} ${code}`).join(', ');
}
