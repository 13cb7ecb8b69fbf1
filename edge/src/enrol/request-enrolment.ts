import { text } from 'node:stream/consumers';
import { fetchErrorCause } from '@hlid/node/errors';
import { messageOf } from '@hlid/protocol/base/fault';
import {
  EDGE_ENROL_PATH,
  type EnrolBody,
  type Enrolment,
  EnrolmentSchema,
} from '@hlid/protocol/site-link/enrolment';
import { z } from 'zod';
import { type Answer, requestCloud } from '../cloud-access/cloud-request.ts';
import type { CloudTls } from '../cloud-access/cloud-tls.ts';

export type EnrolAnswer =
  | { ok: true; enrolment: Enrolment; clockAheadMs: number | null }
  /** `retry`: it may have succeeded, or may succeed later; the same request can be sent again. */
  | { ok: false; retry: boolean; message: string };

const TIMEOUT_MS = 20_000;

const UNKNOWN_CODE =
  'The cloud does not know this code. Check that it is typed correctly, that it is the newest code of the site, and that the site is not locked out.';

const RefusalSchema = z.object({
  messages: z.array(z.string()).min(1),
  codes: z
    .array(z.object({ code: z.string(), params: z.record(z.string(), z.unknown()).default({}) }))
    .default([]),
});

/** Requests a site's credentials from the cloud. Never throws: failures have a message for the technician. */
export async function requestEnrolment(
  httpUrl: string,
  body: EnrolBody,
  tls?: CloudTls,
): Promise<EnrolAnswer> {
  const url = new URL(EDGE_ENROL_PATH, httpUrl);
  let response: Answer;
  let answer: unknown;
  try {
    response = await requestCloud(url.href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      tls,
    });
    answer = await readJson(response);
  } catch (error) {
    return { ok: false, retry: true, message: `${url.origin}: ${connectionFault(error)}` };
  }
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    const to = headers.location ?? 'elsewhere';
    return {
      ok: false,
      retry: false,
      message: `${url.origin} redirects to ${to}: use that address.`,
    };
  }
  if (status < 200 || status >= 300) return refusal(url, status, answer);
  const enrolment = EnrolmentSchema.safeParse(answer);
  if (!enrolment.success) {
    return { ok: false, retry: false, message: `${url.origin} answers, but it is not a Hlið cloud.` };
  }
  return { ok: true, enrolment: enrolment.data, clockAheadMs: clockAhead(response) };
}

function refusal(url: URL, status: number, answer: unknown): EnrolAnswer {
  const refused = RefusalSchema.safeParse(answer);
  if (status >= 500) {
    return { ok: false, retry: true, message: `${url.origin} has an internal error (${status}).` };
  }
  if (!refused.success) {
    return { ok: false, retry: false, message: `${url.origin} answers ${status}: it is not a Hlið cloud.` };
  }
  const { messages, codes } = refused.data;
  const isUnknownCode = codes.some(({ code, params }) => code === 'not-found' && params['what'] === 'code');
  if (isUnknownCode) return { ok: false, retry: false, message: UNKNOWN_CODE };
  const message = messages.join(' ');
  return { ok: false, retry: status === 429, message };
}

async function readJson({ body }: Answer): Promise<unknown> {
  const content = await text(body);
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

/** How far this machine's clock is ahead of the cloud's; null where the answer has no date. */
function clockAhead({ headers }: Answer): number | null {
  const cloudTime = Date.parse(headers.date ?? '');
  return Number.isNaN(cloudTime) ? null : Date.now() - cloudTime;
}

const CONNECTION_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'there is no such host: check the address, and DNS on this machine'],
  [/ECONNREFUSED/, 'nothing listens there: check the port, and that the cloud runs'],
  [/EHOSTUNREACH|ENETUNREACH/, 'no route to it: check the network'],
  [/TIMEOUT|TimeoutError/i, 'no answer: check the firewall and the address'],
  [
    /CERT_NOT_YET_VALID|CERT_HAS_EXPIRED/,
    'its certificate is not valid at this time: check the clock of this machine',
  ],
  [
    /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_UNTRUSTED/,
    'this machine does not trust the issuer of its certificate (--ca names a file with another issuer)',
  ],
  [/ALTNAME/, 'its certificate is for another host: use the name that is in the certificate'],
  [/EPROTO|ERR_SSL|WRONG_VERSION/, 'it does not use TLS: try http:// instead of https://, or another port'],
  [/ECONNRESET|UND_ERR_SOCKET|EPIPE/, 'the connection was cut before the answer came'],
];

function connectionFault(error: unknown): string {
  const cause = fetchErrorCause(error);
  const name = cause instanceof Error ? cause.name : '';
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known = CONNECTION_FAULTS.find(([pattern]) => pattern.test(`${code} ${name}`));
  return known ? known[1] : messageOf(cause);
}
