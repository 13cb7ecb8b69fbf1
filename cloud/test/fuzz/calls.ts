import fc, { type Arbitrary } from 'fast-check';
import { ROUTE_ACCESS, type Who } from '../../src/people/auth/route-access.ts';
import type { TestApi } from '../api.ts';
import { comeAs, EVERYONE } from './callers.ts';
import type { FuzzRow } from './people.ts';
import { broken, fromSchema, type Schema } from './schema-arbitrary.ts';

/** An operation as the OpenAPI document has it. */
export interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/**
 * Calls that nothing here lets succeed. Commands go to a site that is connected, and none is here: command-routes.test.ts has one. A car
 * that waits in doubt is in not-mine.test.ts. Passkeys are made by browsers: tests/screens/passkeys.test.ts. Payments need a card
 * gateway: online-payment-routes.test.ts and person-finding.test.ts, settlement-report.test.ts, chargebacks.test.ts and
 * pay-link.test.ts and pay-invoice-link.test.ts have one. A form names its boundary: edge-package-routes.test.ts.
 * A site sends receipts to companies if its settings say so: card-receipts.test.ts. A person approves, by a session, and withdraws a
 * request of their own: approvals.test.ts. Files of the books must add up: import-file.test.ts. A close is signed as it
 * was seen: day-close.test.ts.
 */
export const NEVER_SUCCEEDS =
  /^GET \/receipt\/\{key\}\/company$|^PUT \/(bank|claim)\/\{id\}$|^POST \/(approval\/\{id\}\/(approve|withdraw)|sites\/\{id\}\/(lanes\/\{lane\}\/(open|hold|close|release)|gates\/)|kiosk\/visits\/\{id\}\/not-mine|payments\/(init|process|return|settlement-report|chargebacks|events|\{id\}\/finding)|purchase-product|invoice\/\{id\}\/credit|edge-packages$|settlement-files$|bank-statements$|day-closes\/\{id\}\/(decisions|sign)$|csv-samples$|claims$|dispute\/\{id\}\/answer$|session\/passkey\/verify|accounts\/\{id\}\/passkeys$|edge\/pay-link|visit\/\{id\}\/pay-link|invoice\/\{id\}\/pay-link|receipt\/\{key\}\/company|training\/lessons\/)/;

/** A call as it was drawn; what it is about is made when it is made. */
export interface Draft {
  who: Who;
  /** Another row than the one that is made for it; null: that one. */
  others: Record<string, string> | null;
  query: Record<string, string>;
  /** Whether the query and the body have what fits the row. */
  fitsRow: boolean;
  body: { contentType: string | null; value: unknown } | null;
}

export interface DescribedCall {
  method: string;
  path: string;
  operation: Operation;
}

/** Two calls of three are such as a caller who means well would make. */
export function draftsOf(
  { method, path, operation }: DescribedCall,
  lookup: (ref: string) => Schema,
): Arbitrary<Draft> {
  const { parameters = [], requestBody } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const allowed = ROUTE_ACCESS[route]?.who ?? EVERYONE;
  const others = fc.record(
    Object.fromEntries(
      inPath.map(({ name, schema }) => [
        name,
        fc.oneof(fromSchema(schema, lookup).map(String), fc.string({ minLength: 1, maxLength: 60 })),
      ]),
    ),
  );
  return fc.record({
    who: mostly(
      12,
      fc.constantFrom(...allowed, ...(allowed.includes('operator') ? MORE_OPERATORS : [])),
      fc.constantFrom(...EVERYONE),
    ),
    others: mostly(8, fc.constant(null), others),
    query: queriesOf(operation, lookup),
    fitsRow: mostly(5, fc.constant(true), fc.constant(false)),
    body: requestBody === undefined ? fc.constant(null) : bodiesOf(requestBody.content, lookup),
  });
}

/** They see every row. */
const MORE_OPERATORS = ['operator', 'operator', 'operator'] as const;

function mostly<T>(weight: number, usual: Arbitrary<T>, other: Arbitrary<T>): Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, other);
}

/** Parameters one or two at a time: of many at once one is always wrong. */
function queriesOf(
  { parameters = [] }: Operation,
  lookup: (ref: string) => Schema,
): Arbitrary<Record<string, string>> {
  const inQuery = parameters.filter(({ in: place, name }) => place === 'query' && !TOKENS.has(name));
  const values = Object.fromEntries(
    inQuery.map(({ name, schema }) => {
      const good = name === 'next' ? fc.constantFrom(...CURSORS) : fromSchema(schema, lookup).map(String);
      return [name, mostly(9, good, broken(fc.constant('')).map(String))];
    }),
  );
  const required = inQuery.flatMap((parameter) => (parameter.required ? [parameter.name] : []));
  const optional = inQuery.flatMap((parameter) => (parameter.required ? [] : [parameter.name]));
  return mostly(
    8,
    fc.subarray(optional, { maxLength: Math.min(2, optional.length) }),
    fc.subarray(optional),
  ).chain((names) =>
    fc.record(
      Object.fromEntries([...required, ...names].map((name) => [name, values[name] ?? fc.constant('')])),
      { requiredKeys: names },
    ),
  );
}

/** Go with who calls. */
const TOKENS = new Set(['token', 'access_token']);

/** Cursors in the form that answers contain, of lists by time and of lists by text. */
const CURSORS = ['2026-11-21T12:00:00.000Z', '2030-01-01T00:00:00.000Z', 'anna'].flatMap((at) =>
  (['older', 'newer'] as const).map((go) =>
    Buffer.from(JSON.stringify([go, 0, at, 'id'])).toString('base64url'),
  ),
);

function bodiesOf(
  content: Record<string, { schema: Schema }>,
  lookup: (ref: string) => Schema,
): Arbitrary<Draft['body']> {
  const [contentType = 'application/json'] = Object.keys(content);
  const schema = content[contentType]?.schema ?? {};
  const good = fromSchema(schema, lookup);
  return fc.record({
    contentType: mostly(
      20,
      fc.constant<string | null>(contentType),
      fc.constantFrom(null, 'text/plain', 'application/json; charset=utf-16', 'multipart/form-data'),
    ),
    value: fc.oneof(
      { weight: 6, arbitrary: good },
      { weight: 3, arbitrary: broken(good) },
      fc.constantFrom(NOT_JSON, '', '\ufeff{}', '"', '[[[[').map((text) => new RawText(text)),
    ),
  });
}

const NOT_JSON = '{"plate": ';

/** Sent as it is. */
class RawText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Makes a drawn call. @param row what it is about */
export async function makeCall(api: TestApi, { method, path }: DescribedCall, draft: Draft, row: FuzzRow) {
  const values = draft.others ?? row.path ?? {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(`${values[name]}`));
  const cameraId = row.query?.['camera.id'] ?? 'no-camera';
  const drawn = await comeAs(api, draft.who, { path: filled, cameraId });
  const isBrowser = draft.fitsRow && row.headers !== undefined;
  const { options, query: proof = {} } = isBrowser
    ? { options: { token: null, headers: row.headers } }
    : drawn;
  const fitting = draft.fitsRow ? row.query : {};
  const query = new URLSearchParams({ ...draft.query, ...fitting, ...proof }).toString();
  const headers: Record<string, string> = { ...options.headers };
  if (draft.body !== null) headers['content-type'] = draft.body.contentType ?? '';
  return await api.call(method.toUpperCase(), query === '' ? filled : `${filled}?${query}`, {
    token: options.token ?? null,
    headers,
    ...(draft.body === null ? {} : { body: sentOf(draft.body.value, draft.fitsRow ? row.body : undefined) }),
  });
}

function sentOf(value: unknown, fitting: FuzzRow['body']): string | Uint8Array<ArrayBuffer> {
  if (fitting instanceof Uint8Array) return fitting;
  if (value instanceof RawText) return value.text;
  if (typeof fitting === 'string') return changed(fitting, value);
  return JSON.stringify(isObject(value) ? { ...value, ...fitting } : value) ?? '';
}

/** A text that fits, with what was drawn: more fields of its document, or more lines. */
function changed(fitting: string, value: unknown): string {
  if (!fitting.startsWith('{')) return `${fitting}\r\n${value}`;
  return isObject(value) ? JSON.stringify({ ...JSON.parse(fitting), ...value }) : fitting;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
