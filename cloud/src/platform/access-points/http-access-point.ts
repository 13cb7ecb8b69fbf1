import { z } from 'zod';
import type { Failure, GatewayHttp, Refusal } from '../card-gateways/gateway-http.ts';
import { oneLine, TOKEN_SERVICE_SHAPE, tokenServiceHttp } from '../token-service.ts';
import {
  type AccessPoint,
  type DocumentStatus,
  type NetworkDocument,
  REFUSAL_REASONS,
  type RefusalReason,
  type Submission,
} from './access-point.ts';

export const HttpAccessPointSchema = z.strictObject({
  kind: z.literal('http'),
  /** `/documents` follows its `url`. */
  ...TOKEN_SERVICE_SHAPE,
});
export type HttpAccessPointOptions = z.infer<typeof HttpAccessPointSchema>;

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_DETAIL = 500;

const reference = z.string().min(1).max(200);
const key = z.string();
const reason = z.enum(REFUSAL_REASONS).catch('other');
const detail = z.string().nullish();

const TakenSchema = z.looseObject({ key, reference, state: z.enum(['accepted', 'delivered']) });
const StatusSchema = z.discriminatedUnion('state', [
  z.looseObject({ key, reference, state: z.literal('accepted') }),
  z.looseObject({ key, reference, state: z.literal('delivered') }),
  z.looseObject({ key, state: z.literal('refused'), reason, detail }),
]);
const RefusedSchema = z.looseObject({ reason, detail });
const NeverCameSchema = z.looseObject({ reason: z.literal('never-came') });

interface RefusedCall extends Refusal {
  reason: RefusalReason | 'never-came';
  detail: string | null;
}

/** The statuses by which the contract refuses a document: its answer, the document itself, its size. */
const REFUSES = [400, 413, 422];

/** Calls by the contract in README.md: one request for each document, and one question about it. */
export class HttpAccessPoint implements AccessPoint {
  readonly #http: GatewayHttp<RefusedCall>;

  constructor(options: HttpAccessPointOptions) {
    this.#http = tokenServiceHttp(options, { maxAnswerBytes: MAX_ANSWER_BYTES, readRefusal });
  }

  async submit(document: NetworkDocument, signal?: AbortSignal): Promise<Submission> {
    const { key, sender, receiver, documentType, process, country, xml } = document;
    const content = Buffer.from(xml).toString('base64');
    const reply = await this.#http.send(
      {
        method: 'POST',
        path: '/documents',
        headers: { 'idempotency-key': key },
        json: { sender, receiver, documentType, process, country, document: content },
        signal,
      },
      TakenSchema,
    );
    switch (reply.kind) {
      case 'ok': {
        const { state, reference } = reply.answer;
        // An answer about another document says nothing about this one.
        if (reply.answer.key !== key) return { kind: 'unknown', problem: 'answered about another document' };
        return { kind: state, reference };
      }
      case 'refused':
        return reply.reason === 'never-came'
          ? { kind: 'unknown', problem: reply.problem }
          : { kind: 'refused', reason: reply.reason, detail: reply.detail };
      case 'not-sent':
        return { kind: 'unavailable', problem: reply.problem };
      case 'lost':
        return { kind: 'unknown', problem: reply.problem };
      default:
        return reply satisfies never;
    }
  }

  async status(key: string, signal?: AbortSignal): Promise<DocumentStatus> {
    const path = `/documents/${encodeURIComponent(key)}`;
    const reply = await this.#http.send({ method: 'GET', path, signal }, StatusSchema);
    switch (reply.kind) {
      case 'ok': {
        const { answer } = reply;
        if (answer.key !== key) return { kind: 'unavailable', problem: 'answered about another document' };
        return answer.state === 'refused'
          ? { kind: 'refused', reason: answer.reason, detail: oneLine(answer.detail, MAX_DETAIL) }
          : { kind: answer.state, reference: answer.reference };
      }
      case 'refused':
        return reply.reason === 'never-came'
          ? { kind: 'never-came' }
          : { kind: 'unavailable', problem: reply.problem };
      case 'not-sent':
      case 'lost':
        return { kind: 'unavailable', problem: reply.problem };
      default:
        return reply satisfies never;
    }
  }
}

function readRefusal(status: number, body: unknown): Failure<RefusedCall> | null {
  const problem = `answered ${status}`;
  // The provider has not looked at the document.
  if (status === 401 || status === 403) return { kind: 'not-sent', problem: `${problem}: check its token` };
  // Any server answers 404 at a wrong address: only the contract's own answer says that the document never came.
  if (status === 404) {
    return NeverCameSchema.safeParse(body).success
      ? { kind: 'refused', status, problem, reason: 'never-came', detail: null }
      : null;
  }
  if (!REFUSES.includes(status)) return null;
  const read = RefusedSchema.safeParse(body);
  return read.success
    ? {
        kind: 'refused',
        status,
        problem,
        reason: read.data.reason,
        detail: oneLine(read.data.detail, MAX_DETAIL),
      }
    : null;
}
