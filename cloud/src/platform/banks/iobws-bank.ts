import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Failure, GatewayHttp, Refusal } from '../card-gateways/gateway-http.ts';
import { oneLine, TOKEN_SERVICE_SHAPE, tokenServiceHttp } from '../token-service.ts';
import type {
  Bank,
  BankRefusal,
  ClaimKey,
  ClaimOutcome,
  ClaimPayments,
  ClaimTerms,
  FoundClaim,
  NewClaim,
} from './bank.ts';
import {
  ActionSchema,
  type ClaimEvent,
  ClaimSchema,
  claimFrom,
  claimId,
  createBody,
  HistorySchema,
  isKey,
  patchBody,
  paymentsFrom,
} from './iobws-claim.ts';

export const IobwsSchema = z.strictObject({
  kind: z.literal('iobws'),
  /** `/v1/claims` follows its `url`. */
  ...TOKEN_SERVICE_SHAPE,
});
export type IobwsOptions = z.infer<typeof IobwsSchema>;

const MAX_ANSWER_BYTES = 512 * 1024;
const MAX_DETAIL = 300;
const PAGE = 100;
/** More events than a claim of a car park ever has. */
const MAX_PAGES = 5;

const RESULTS: Readonly<Record<string, BankRefusal>> = {
  CLAIM_EXISTS: 'exists',
  CLAIM_IS_PAID: 'paid',
  CLAIM_IS_CANCELLED: 'cancelled',
  CLAIM_NOT_FOUND: 'not-found',
};

/** The errors of the description: RFC 7807, or a list of messages. */
const ErrorSchema = z.union([
  z.looseObject({ code: z.string(), detail: z.string().nullish(), title: z.string().nullish() }),
  z
    .looseObject({
      messages: z.array(z.looseObject({ code: z.string(), text: z.string().nullish() })).min(1),
    })
    .transform(({ messages: [first] }) => ({ code: first?.code ?? '', detail: first?.text, title: null })),
]);

interface RefusedCall extends Refusal {
  code: string;
  detail: string | null;
}

/** Claims by ÍST TS 315 (IOBWS 3.1). A claim has no idempotency key: its own id, which we choose, is one. */
export class IobwsBank implements Bank {
  readonly #http: GatewayHttp<RefusedCall>;

  constructor(options: IobwsOptions) {
    this.#http = tokenServiceHttp(options, { maxAnswerBytes: MAX_ANSWER_BYTES, readRefusal });
  }

  async create(claim: NewClaim, signal?: AbortSignal): Promise<ClaimOutcome> {
    return await this.#act(
      claim.key,
      { method: 'POST', path: '/v1/claims', body: createBody(claim) },
      signal,
    );
  }

  async change(key: ClaimKey, terms: ClaimTerms, signal?: AbortSignal): Promise<ClaimOutcome> {
    return await this.#patch(key, patchBody(terms), signal);
  }

  async cancel(key: ClaimKey, signal?: AbortSignal): Promise<ClaimOutcome> {
    return await this.#patch(key, { claimStatus: 'Cancelled' }, signal);
  }

  async find(key: ClaimKey, signal?: AbortSignal): Promise<FoundClaim> {
    const reply = await this.#http.send({ ...this.#get(pathOf(key)), signal }, ClaimSchema);
    switch (reply.kind) {
      case 'ok': {
        if (!isKey(key, reply.answer.claimKey)) {
          return { kind: 'unavailable', problem: 'answered about another claim' };
        }
        const claim = claimFrom(key, reply.answer);
        return claim === null
          ? { kind: 'unavailable', problem: 'an amount cannot be read' }
          : { kind: 'found', claim };
      }
      case 'refused':
        return reply.status === 404
          ? { kind: 'never-came' }
          : { kind: 'unavailable', problem: reply.problem };
      case 'not-sent':
      case 'lost':
        return { kind: 'unavailable', problem: reply.problem };
      default:
        return reply satisfies never;
    }
  }

  async payments(key: ClaimKey, currency: string, signal?: AbortSignal): Promise<ClaimPayments> {
    const events: ClaimEvent[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const query = `page=${page}&itemsPerPage=${PAGE}`;
      const call = { ...this.#get(`${pathOf(key)}/history`), query, signal };
      const reply = await this.#http.send(call, HistorySchema);
      if (reply.kind !== 'ok') return { kind: 'unavailable', problem: reply.problem };
      events.push(...reply.answer);
      if (reply.answer.length < PAGE) {
        const payments = paymentsFrom(events, currency);
        return payments === null
          ? { kind: 'unavailable', problem: 'a payment cannot be read' }
          : { kind: 'found', payments };
      }
    }
    return { kind: 'unavailable', problem: `has more than ${MAX_PAGES * PAGE} events` };
  }

  #get(path: string) {
    return { method: 'GET', path, headers: { 'x-request-id': randomUUID() } } as const;
  }

  async #patch(key: ClaimKey, body: object, signal?: AbortSignal): Promise<ClaimOutcome> {
    return await this.#act(key, { method: 'PATCH', path: pathOf(key), body }, signal);
  }

  async #act(
    key: ClaimKey,
    { method, path, body }: { method: 'POST' | 'PATCH'; path: string; body: object },
    signal: AbortSignal | undefined,
  ): Promise<ClaimOutcome> {
    const headers = { 'x-request-id': randomUUID() };
    const reply = await this.#http.send({ method, path, json: body, headers, signal }, ActionSchema);
    switch (reply.kind) {
      case 'ok': {
        const { success, error } = reply.answer;
        if (error != null) {
          const reason = RESULTS[error.resultCode] ?? 'other';
          return { kind: 'refused', reason, detail: oneLine(error.resultMessage, MAX_DETAIL) };
        }
        // An answer about another claim says nothing about this one.
        return success != null && isKey(key, success.claimKey)
          ? { kind: 'done' }
          : { kind: 'unknown', problem: 'answered about another claim' };
      }
      case 'refused':
        return reply.status === 404
          ? { kind: 'refused', reason: 'not-found', detail: reply.detail }
          : { kind: 'refused', reason: 'other', detail: reply.detail };
      case 'not-sent':
        return { kind: 'unavailable', problem: reply.problem };
      case 'lost':
        return { kind: 'unknown', problem: reply.problem };
      default:
        return reply satisfies never;
    }
  }
}

function pathOf(key: ClaimKey): string {
  return `/v1/claims/${encodeURIComponent(claimId(key))}`;
}

function readRefusal(status: number, body: unknown): Failure<RefusedCall> | null {
  const problem = `answered ${status}`;
  // The bank has not looked at the claim.
  if (status === 401 || status === 403) return { kind: 'not-sent', problem: `${problem}: check its token` };
  if (status !== 400 && status !== 404) return null;
  const read = ErrorSchema.safeParse(body);
  if (!read.success) return null;
  const { code, detail, title } = read.data;
  // Any server answers 404 at a wrong address: only the bank's own code says that it has no such claim.
  if (status === 404 && code !== 'RESOURCE_UNKNOWN') return null;
  return { kind: 'refused', status, problem, code, detail: oneLine(detail ?? title ?? code, MAX_DETAIL) };
}
