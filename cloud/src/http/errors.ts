import { messageOf } from '@hlid/protocol/fault';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import type { Refused, RefusedEdit } from '../refused.ts';
import type { CloudEnv } from './cloud-env.ts';

/** The body of every refusal. */
export const ErrorBodySchema = z
  .strictObject({
    exception: z.strictObject({ message: z.string() }),
    /** All that is wrong, for people. */
    messages: z.array(z.string()),
  })
  .meta({
    id: 'Error',
    example: {
      exception: { message: 'Input error' },
      messages: ['plate: is required'],
    },
  });
export type ErrorBody = z.infer<typeof ErrorBodySchema>;

const AlreadyThereBodySchema = z
  .strictObject({ ...ErrorBodySchema.shape, id: z.string() })
  .meta({ id: 'AlreadyThere' });
type AlreadyThereBody = z.infer<typeof AlreadyThereBodySchema>;

/** 400: the input is wrong; every mistake is named. */
export function inputError(c: Context, ...messages: string[]) {
  return c.json<ErrorBody, 400>(errorBody('Input error', messages), 400);
}

/** 404, also where the row belongs to somebody else. */
export function notFound(c: Context, what: string) {
  return c.json<ErrorBody, 404>(errorBody('Not found', [`There is no such ${what}.`]), 404);
}

/** 422: it was made before. @param id what was made then */
function alreadyThere(c: Context, id: string, message: string) {
  return c.json<AlreadyThereBody, 422>({ ...errorBody('Already created', [message]), id }, 422);
}

/** What a use case refused, as an answer. */
export function refuse(c: Context, what: string, refused: Refused) {
  switch (refused.reason) {
    case 'input':
      return inputError(c, ...refused.messages);
    case 'not-found':
      return notFound(c, what);
    case 'already-there':
      return alreadyThere(c, refused.id, refused.message);
    default:
      return refused satisfies never;
  }
}

/** What a use case refused that changes a version named by `If-Match`, as an answer. */
export function refuseEdit(c: Context, what: string, refused: RefusedEdit) {
  return refused.reason === 'stale' ? preconditionFailed(c) : refuse(c, what, refused);
}

/** 412: somebody else changed it after the caller read it. */
function preconditionFailed(c: Context) {
  const message = 'If-Match: somebody changed it meanwhile; read it again, then repeat your change';
  return c.json<ErrorBody, 412>(errorBody('Precondition failed', [message]), 412);
}

export function mustAuthenticate(c: Context, ...messages: string[]) {
  return c.json<ErrorBody, 401>(errorBody('Must authenticate', messages), 401);
}

export function accessDenied(c: Context, message = 'You may not do this.') {
  return c.json<ErrorBody, 403>(errorBody('Access denied', [message]), 403);
}

/** 403: the caller may do it, and has to prove anew who they are. */
export function stepUpNeeded(c: Context) {
  const message = 'Prove again who you are: POST /session/step-up.';
  return c.json<ErrorBody, 403>(errorBody('Step-up needed', [message]), 403);
}

/** 409: it cannot be said what came of the first one. */
export function conflict(c: Context, message: string) {
  return c.json<ErrorBody, 409>(errorBody('Conflict', [message]), 409);
}

export function tooManyRequests(c: Context, retryAfterSeconds: number) {
  c.header('Retry-After', String(retryAfterSeconds));
  const when =
    retryAfterSeconds < 60 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`;
  const message = `Too many attempts. Try again in ${when}.`;
  return c.json<ErrorBody, 429>(errorBody('Too many requests', [message]), 429);
}

/** 405: the path is there, and takes other methods. */
export function methodNotAllowed(c: Context<CloudEnv>, allowed: readonly string[]) {
  c.header('Allow', allowed.join(', '));
  const message = `${c.req.method} is not taken at this address; it takes ${allowed.join(', ')}.`;
  return c.json<ErrorBody, 405>(errorBody('Method not allowed', [message]), 405);
}

export function noSuchRoute(c: Context<CloudEnv>) {
  return c.json<ErrorBody, 404>(errorBody('Not found', ['There is nothing at this address.']), 404);
}

/** What becomes of an exception: refusals of the framework keep their status, all else is ours and says nothing. */
export function onError(log: Logger): (error: Error, c: Context<CloudEnv>) => Response {
  return (error, c) => {
    const status = statusOf(error);
    if (status === 415) return c.json(errorBody('Unsupported media type', [SEND_JSON]), status);
    if (status === 413) return c.json(errorBody('Body too large', [error.message]), status);
    if (status !== 500) return c.json(errorBody('Input error', [error.message]), status);
    const requestId = c.get('requestId');
    log.error({ event: EVENTS.requestFailed, requestId, err: error, message: messageOf(error) });
    return c.json(
      errorBody('Internal error', [`Something went wrong here. It is logged as ${requestId}.`]),
      status,
    );
  };
}

const SEND_JSON = 'Send JSON, and say so: Content-Type: application/json';

function statusOf(error: Error): ContentfulStatusCode {
  return error instanceof HTTPException && error.status < 500 ? error.status : 500;
}

/** The body of a refusal that only one route has. */
export function errorBody(message: string, messages: string[]): ErrorBody {
  return { exception: { message }, messages };
}

/** How a route describes it. */
export const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: ErrorBodySchema } },
});

/** What a route may answer beside success; spread the ones that apply into its `responses`. */
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
  conflict: { 409: refusal('The outcome of the first call with this `Idempotency-Key` is not known') },
  failure: { 500: refusal('Internal error') },
};
