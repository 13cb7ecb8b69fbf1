import { beyondJsonBounds, type JsonBounds } from '@hlid/protocol/base/json-bounds';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { MAX_SENT_BYTES } from '@hlid/protocol/camera/document-collector';
import { MAX_PICTURE_BYTES } from '@hlid/protocol/site-link/edge-api';
import { MAX_PACKAGE_BYTES } from '@hlid/protocol/site-link/edge-upgrade';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { CloudEnv } from './cloud-env.ts';
import { bodyTooLarge } from './errors.ts';
import { routeOf } from './router.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The longest published tariff is a tenth of that. */
export const USUAL_BYTES = 256 * KIB;

export const IMPORT_BYTES = 20 * MIB;

/** A file of a provider or a bank. */
export const BOOKS_FILE_BYTES = 8 * MIB;

/** Cameras' documents, which their route shortens while they arrive. */
const DOCUMENTS = 'POST /photos/:type';

/**
 * Routes with larger bodies, as the access table names them: they read their bodies themselves, within their
 * own limits.
 */
export const LARGER_BYTES: Readonly<Record<string, number>> = {
  // Pictures stand in the documents, as base64.
  [DOCUMENTS]: MAX_SENT_BYTES,
  'PUT /edge/pictures/:readId/:kind': MAX_PICTURE_BYTES,
  'PUT /edge/camera-pictures/:commandId': MAX_PICTURE_BYTES,
  'POST /visit/whitelist/import': IMPORT_BYTES,
  'POST /payments/settlement-report': 4 * MIB,
  'POST /payments/chargebacks': 4 * MIB,
  'POST /settlement-files': BOOKS_FILE_BYTES,
  'POST /bank-statements': BOOKS_FILE_BYTES,
  'POST /csv-samples': BOOKS_FILE_BYTES,
  // A package, its signature, and the form around them.
  'POST /edge-packages': MAX_PACKAGE_BYTES + MIB,
};

/**
 * The bounds of every other body: one of this size is parsed and checked without a noticeable wait for
 * others.
 */
export const JSON_BOUNDS: JsonBounds = { maxValues: 10_000, maxDepth: 32, maxEscapes: 50_000 };
/** A shorter body cannot hold much. */
const SMALL_BYTES = 8 * KIB;

/** Refuses bodies that are too long for their route before they are read, and JSON that holds too much before it is parsed. */
export function limitBodies(): MiddlewareHandler<CloudEnv> {
  const usual = limit(USUAL_BYTES);
  const larger = new Map(Object.values(LARGER_BYTES).map((bytes) => [bytes, limit(bytes)]));
  return async (c, next) => {
    // Bodies of these are not read.
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return await next();
    const name = routeOf(c)?.name ?? '';
    const own = LARGER_BYTES[name];
    const bytes = own ?? USUAL_BYTES;
    const announced = c.req.header('content-length');
    const checked = async () => {
      const beyond = own === undefined ? await beyondBounds(c) : null;
      if (beyond === null) await next();
      else c.res = bodyTooLarge(c, beyond);
    };
    if (announced === undefined && name === DOCUMENTS) return await next();
    // Only a body of unknown length is read here: access to the stream builds a whole fetch request, which costs time.
    if (announced === undefined || c.req.header('transfer-encoding') !== undefined) {
      return await (larger.get(bytes) ?? usual)(c, checked);
    }
    if (Number(announced) > bytes) return tooLarge(c, bytes);
    return await (Number(announced) > SMALL_BYTES ? checked() : next());
  };
}

async function beyondBounds(c: Context<CloudEnv>): Promise<Mistake | null> {
  // Other bodies are not parsed as JSON, and a form that is read here can no longer be read as one.
  if (!/\bjson\b/i.test(c.req.header('content-type') ?? '')) return null;
  const beyond = beyondJsonBounds(new Uint8Array(await c.req.arrayBuffer()), JSON_BOUNDS);
  return beyond && mistake('body-too-full', [], beyond);
}

function limit(maxSize: number): MiddlewareHandler {
  return bodyLimit({ maxSize, onError: (c) => tooLarge(c, maxSize) });
}

function tooLarge(c: Context, bytes: number) {
  return bodyTooLarge(c, mistake('body-too-large', [], { bytes }));
}
