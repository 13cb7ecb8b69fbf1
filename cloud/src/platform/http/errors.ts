import { ACCEPTED_ENCODINGS } from '@hlid/node/unpack-document';
import { messageOf } from '@hlid/protocol/base/fault';
import { type Mistake, mistake, type RefusalCode } from '@hlid/protocol/base/mistakes/mistake';
import type { Thing } from '@hlid/protocol/base/mistakes/refusals/calls-en';
import { REFUSALS_EN } from '@hlid/protocol/base/mistakes/refusals/refusals-en';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import { englishLines, type Refused, type RefusedEdit, type RefusedProof } from '../refused.ts';
import type { CloudEnv } from './cloud-env.ts';

export const MistakeSchema = z
  .strictObject({
    code: z
      .enum(Object.keys(REFUSALS_EN) as [RefusalCode, ...RefusalCode[]])
      .describe('What is wrong. There will be more codes: show the message of one that you do not know.'),
    path: z
      .array(z.union([z.string(), z.int()]))
      .describe(
        'The place in the body, the query, the path or the headers; empty: it is about the whole call.',
      ),
    params: z.record(z.string(), z.unknown()).describe('What belongs to the code, such as `minimum`.'),
  })
  .meta({ id: 'RefusalCode' });

/** The body of every refusal. */
export const ErrorBodySchema = z
  .strictObject({
    exception: z.strictObject({ message: z.string() }),
    messages: z.array(z.string()).min(1).describe('All that is wrong, for people.'),
    codes: z.array(MistakeSchema).min(1).describe('The same for programs, one for each message.'),
  })
  .meta({
    id: 'Error',
    example: {
      exception: { message: 'Input error' },
      messages: ['plate: is required'],
      codes: [{ code: 'required', path: ['plate'], params: {} }],
    },
  });
export type ErrorBody = z.infer<typeof ErrorBodySchema>;

const AlreadyThereBodySchema = z
  .strictObject({ ...ErrorBodySchema.shape, id: z.string() })
  .meta({ id: 'AlreadyThere' });
type AlreadyThereBody = z.infer<typeof AlreadyThereBodySchema>;

/** 400: the input is wrong; every mistake is named. */
export function inputError(c: Context, ...[first = mistake('wrong'), ...others]: Mistake[]) {
  return c.json<ErrorBody, 400>(errorBody('Input error', first, ...others), 400);
}

/** 404, also if the row belongs to another. */
export function notFound(c: Context, what: Thing) {
  return c.json<ErrorBody, 404>(errorBody('Not found', mistake('not-found', [], { what })), 404);
}

/** 422: it was made before. @param id what was made then */
function alreadyThere(c: Context, id: string, why: Mistake) {
  return c.json<AlreadyThereBody, 422>({ ...errorBody('Already created', why), id }, 422);
}

/** The answer for a refusal of a use case. */
export function refuse(c: Context, what: Thing, refused: Refused | RefusedProof) {
  switch (refused.reason) {
    case 'input':
      return inputError(c, ...refused.mistakes);
    case 'not-found':
      return notFound(c, what);
    case 'step-up':
      return stepUpNeeded(c);
    case 'already-there':
      return alreadyThere(c, refused.id, refused.mistake);
    default:
      return refused satisfies never;
  }
}

/** The answer for a refusal of a use case that changes a version named by `If-Match`. */
export function refuseEdit(c: Context, what: Thing, refused: RefusedEdit) {
  return refused.reason === 'stale' ? preconditionFailed(c) : refuse(c, what, refused);
}

/** 412: another caller changed it after this one read it. */
function preconditionFailed(c: Context) {
  const body = errorBody('Precondition failed', mistake('changed-meanwhile', 'If-Match'));
  return c.json<ErrorBody, 412>(body, 412);
}

export function mustAuthenticate(c: Context, ...[first = mistake('not-logged-in'), ...others]: Mistake[]) {
  return c.json<ErrorBody, 401>(errorBody('Must authenticate', first, ...others), 401);
}

export function accessDenied(c: Context, why = mistake('not-allowed')) {
  return c.json<ErrorBody, 403>(errorBody('Access denied', why), 403);
}

/** 403: the caller may do it, and must prove again who they are. */
export function stepUpNeeded(c: Context) {
  return c.json<ErrorBody, 403>(errorBody('Step-up needed', mistake('step-up-needed')), 403);
}

/** 409: the present state does not allow it, or the outcome of the first call is unknown. */
export function conflict(c: Context, ...why: [Mistake, ...Mistake[]]) {
  return c.json<ErrorBody, 409>(errorBody('Conflict', ...why), 409);
}

/** 413: the body is too long, or holds too much. */
export function bodyTooLarge(c: Context, why: Mistake) {
  return c.json<ErrorBody, 413>(errorBody('Body too large', why), 413);
}

/** 415: the body is compressed in a way that is not understood. */
export function encodingNotAccepted(c: Context) {
  c.header('Accept-Encoding', ACCEPTED_ENCODINGS);
  const why = mistake('encoding-not-accepted', [], { encodings: ACCEPTED_ENCODINGS });
  return c.json<ErrorBody, 415>(errorBody('Unsupported media type', why), 415);
}

export function tooManyRequests(c: Context, retryAfterSeconds: number) {
  c.header('Retry-After', String(retryAfterSeconds));
  const why = mistake('too-many-requests', [], { seconds: retryAfterSeconds });
  return c.json<ErrorBody, 429>(errorBody('Too many requests', why), 429);
}

/** 405: the path is there, and takes other methods. */
export function methodNotAllowed(c: Context<CloudEnv>, allowed: readonly string[]) {
  c.header('Allow', allowed.join(', '));
  const why = mistake('method-not-allowed', [], { method: c.req.method, allowed });
  return c.json<ErrorBody, 405>(errorBody('Method not allowed', why), 405);
}

export function noSuchRoute(c: Context<CloudEnv>) {
  return c.json<ErrorBody, 404>(errorBody('Not found', mistake('no-such-route')), 404);
}

/** Answers an exception: a refusal of the framework keeps its status; any other is our fault, and only logged. */
export function onError(log: Logger): (error: Error, c: Context<CloudEnv>) => Response {
  return (error, c) => {
    const status = statusOf(error);
    if (status === 415) return c.json(errorBody('Unsupported media type', mistake('send-json')), status);
    if (status !== 500) {
      return c.json(errorBody('Input error', mistake('malformed', [], { detail: error.message })), status);
    }
    const requestId = c.get('requestId');
    log.error({ event: EVENTS.requestFailed, requestId, err: error, message: messageOf(error) });
    return c.json(errorBody('Internal error', mistake('internal-error', [], { requestId })), status);
  };
}

function statusOf(error: Error): ContentfulStatusCode {
  return error instanceof HTTPException && error.status < 500 ? error.status : 500;
}

/** The body of a refusal: its sentences are the English words of its codes. */
export function errorBody(message: string, ...codes: [Mistake, ...Mistake[]]): ErrorBody {
  return { exception: { message }, messages: englishLines(codes), codes };
}

/** How a route describes it. */
export const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: ErrorBodySchema } },
});

/** The answers of a route beside success; spread the ones that apply into its `responses`. */
export const REFUSALS = {
  input: { 400: refusal('Input error') },
  auth: { 401: refusal('Must authenticate'), 403: refusal('Access denied') },
  notFound: { 404: refusal('Not found') },
  alreadyThere: {
    422: {
      description: 'Already created; `id` names it',
      content: { 'application/json': { schema: AlreadyThereBodySchema } },
    },
  },
  tooMany: { 429: refusal('Too many requests; retry after `Retry-After`') },
  body: {
    413: refusal('The body is too large'),
    415: refusal('The body has another `Content-Type` than described'),
  },
  stale: { 412: refusal('It has changed since the version that `If-Match` names') },
  conflict: {
    409: refusal(
      'The outcome of the first call with this `Idempotency-Key` is not known, or the call came after its `Deadline`',
    ),
  },
  failure: { 500: refusal('Internal error') },
};
