import { fetchErrorCause } from '@hlid/node/errors';
import { EDGE_ENROL_PATH, type EnrolBody, type Enrolment, EnrolmentSchema } from '@hlid/protocol/enrolment';
import { messageOf } from '@hlid/protocol/fault';
import { z } from 'zod';

export type EnrolAnswer =
  | { ok: true; enrolment: Enrolment; clockAheadMs: number | null }
  /** `again`: it may have been done, or may be soon; the same question can be asked once more. */
  | { ok: false; again: boolean; message: string };

const PATIENCE_MS = 20_000;

const UNKNOWN_CODE =
  'The cloud does not know this code: is it typed right, is it the newest one of the site, and is the site not locked out?';

const RefusedSchema = z.object({ messages: z.array(z.string()).min(1) });

/** Asks the cloud for a site's credentials. Never throws; what went wrong is said for a technician. */
export async function askEnrolment(httpUrl: string, body: EnrolBody): Promise<EnrolAnswer> {
  const url = new URL(EDGE_ENROL_PATH, httpUrl);
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    answer = await readJson(response);
  } catch (error) {
    return { ok: false, again: true, message: `${url.origin}: ${lineFault(error)}` };
  }
  if (response.status >= 300 && response.status < 400) {
    const to = response.headers.get('location') ?? 'elsewhere';
    return {
      ok: false,
      again: false,
      message: `${url.origin} says that the cloud is at ${to}: name that one.`,
    };
  }
  if (!response.ok) return refusal(url, response, answer);
  const enrolment = EnrolmentSchema.safeParse(answer);
  if (!enrolment.success) {
    return { ok: false, again: false, message: `${url.origin} answers, but it is no cloud of Hlið.` };
  }
  return { ok: true, enrolment: enrolment.data, clockAheadMs: clockAhead(response) };
}

function refusal(url: URL, { status }: Response, answer: unknown): EnrolAnswer {
  const told = RefusedSchema.safeParse(answer);
  if (status >= 500) {
    return { ok: false, again: true, message: `${url.origin} has an error of its own (${status}).` };
  }
  if (!told.success) {
    return { ok: false, again: false, message: `${url.origin} answers ${status}: it is no cloud of Hlið.` };
  }
  const said = told.data.messages.join(' ');
  if (status === 404 && said.includes('code')) return { ok: false, again: false, message: UNKNOWN_CODE };
  return { ok: false, again: status === 429, message: said };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** How far this machine's clock is ahead of the cloud's; null where the cloud does not say. */
function clockAhead(response: Response): number | null {
  const told = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(told) ? null : Date.now() - told;
}

const LINE_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'there is no such host: is the address right, and does DNS work here?'],
  [/ECONNREFUSED/, 'nobody listens there: is the port right, and does the cloud run?'],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no way there: is the network up?'],
  [/TIMEOUT|TimeoutError/i, 'no answer: is a firewall between, and is the address right?'],
  [
    /CERT_NOT_YET_VALID|CERT_HAS_EXPIRED/,
    'its certificate is not valid at this time: is the clock of this machine right?',
  ],
  [
    /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_UNTRUSTED/,
    'nobody whom this machine trusts stands for its certificate (NODE_EXTRA_CA_CERTS names a file of another authority)',
  ],
  [/ALTNAME/, 'its certificate is for another host: is the address the one in the certificate?'],
  [
    /EPROTO|ERR_SSL|WRONG_VERSION/,
    'it does not speak TLS there: http:// instead of https://, or another port?',
  ],
  [/ECONNRESET|UND_ERR_SOCKET|EPIPE/, 'the connection was cut before the answer came'],
];

function lineFault(error: unknown): string {
  const cause = fetchErrorCause(error);
  const name = cause instanceof Error ? cause.name : '';
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known = LINE_FAULTS.find(([pattern]) => pattern.test(`${code} ${name}`));
  return known ? known[1] : messageOf(cause);
}
