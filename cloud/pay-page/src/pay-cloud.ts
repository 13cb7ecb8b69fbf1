import type {
  CardField,
  PayAuthenticate,
  PayDispute,
  PayDisputed,
  PayDue,
  PayFault,
  PayFind,
  PayFinish,
  PayMail,
  PayObjection,
  PayOpened,
  PayOrder,
  PayPayment,
  PayProof,
  PaySite,
  PaySiteName,
  PayStay,
} from '@hlid/protocol/pages/pay-api';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { noteAnswer } from '@hlid/ui/fresh-page';
import { known } from './known-words.ts';

const TIMEOUT_MS = 15_000;
/** A provider may take as long over a payment; the order is sent again with the same key after that. */
const PAYMENT_TIMEOUT_MS = 90_000;

/** The result of a call; `lost`: it is unknown if the call arrived. */
export type Answer<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'refused'; fault: PayFault; fields: readonly CardField[] }
  | { kind: 'lost' };

type Check<T extends object> = (value: unknown) => value is T;

/** The cloud's API for this page. Nothing here throws. */
export class PayCloud {
  site(siteCode: string, signal: AbortSignal): Promise<Answer<PaySite>> {
    return call(PAY_PATHS.site.replace(':siteCode', encodeURIComponent(siteCode)), isSite, { signal });
  }

  async sites(signal: AbortSignal): Promise<Answer<PaySiteName[]>> {
    const answer = await call(PAY_PATHS.sites, hasList<'sites', PaySiteName>('sites'), { signal });
    return answer.kind === 'ok' ? { ...answer, value: answer.value.sites } : answer;
  }

  async find(body: PayFind, signal: AbortSignal): Promise<Answer<PayStay[]>> {
    const answer = await call(PAY_PATHS.find, hasList<'stays', PayStay>('stays'), { signal, body });
    return answer.kind === 'ok' ? { ...answer, value: answer.value.stays } : answer;
  }

  open(link: string, signal: AbortSignal): Promise<Answer<PayOpened>> {
    return call(PAY_PATHS.open, isOpened, { signal, body: { link } });
  }

  prove(body: PayProof, signal: AbortSignal): Promise<Answer<PayStay>> {
    return call(PAY_PATHS.proof, isStay, { signal, body });
  }

  notMine(stay: string, plate: string, signal: AbortSignal): Promise<Answer<object>> {
    return call(PAY_PATHS.notMine, isObject, { signal, body: { stay, plate } });
  }

  contest(body: PayDispute, signal: AbortSignal): Promise<Answer<Partial<PayDisputed>>> {
    return call(PAY_PATHS.dispute, isObject, { signal, body });
  }

  objection(link: string, signal: AbortSignal): Promise<Answer<PayObjection>> {
    return call(PAY_PATHS.objection, isObjection, { signal, body: { link } });
  }

  writeObjection(link: string, text: string, signal: AbortSignal): Promise<Answer<PayObjection>> {
    return call(PAY_PATHS.objectionMessage, isObjection, { signal, body: { link, text } });
  }

  withdrawObjection(link: string, signal: AbortSignal): Promise<Answer<PayObjection>> {
    return call(PAY_PATHS.objectionWithdraw, isObjection, { signal, body: { link } });
  }

  due(stay: string, signal: AbortSignal): Promise<Answer<PayDue>> {
    return call(PAY_PATHS.due, isDue, { signal, body: { stay } });
  }

  order(body: PayOrder, signal: AbortSignal): Promise<Answer<PayPayment>> {
    return call(PAY_PATHS.order, isPayment, { signal, body, timeoutMs: PAYMENT_TIMEOUT_MS });
  }

  payment(payment: string, signal: AbortSignal): Promise<Answer<PayPayment>> {
    return call(PAY_PATHS.payment, isPayment, { signal, body: { payment } });
  }

  authenticate(body: PayAuthenticate, signal: AbortSignal): Promise<Answer<PayPayment>> {
    return call(PAY_PATHS.authenticate, isPayment, { signal, body, timeoutMs: PAYMENT_TIMEOUT_MS });
  }

  finish(body: PayFinish, signal: AbortSignal): Promise<Answer<PayPayment>> {
    return call(PAY_PATHS.finish, isPayment, { signal, body, timeoutMs: PAYMENT_TIMEOUT_MS });
  }

  cancel(payment: string, signal: AbortSignal): Promise<Answer<PayPayment>> {
    return call(PAY_PATHS.cancel, isPayment, { signal, body: { payment } });
  }

  mail(body: PayMail, signal: AbortSignal): Promise<Answer<object>> {
    return call(PAY_PATHS.mail, isObject, { signal, body });
  }

  /** The picture of the entry; null: there is none to show. */
  async picture(stay: string, signal: AbortSignal): Promise<Blob | null> {
    try {
      const response = await fetch(PAY_PATHS.picture, posting({ stay }, signal));
      return response.ok ? await response.blob() : null;
    } catch {
      return null;
    }
  }
}

interface CallOptions {
  signal: AbortSignal;
  body?: object;
  timeoutMs?: number;
  token?: string;
}

async function call<T extends object>(
  path: string,
  check: Check<T>,
  options: CallOptions,
): Promise<Answer<T>> {
  const reply = await request(path, options);
  if (reply === null) return { kind: 'lost' };
  const { ok, content } = reply;
  if (ok) {
    return check(content)
      ? { kind: 'ok', value: known(content) }
      : { kind: 'refused', fault: 'failed', fields: [] };
  }
  // A proxy's own page has no information about the call.
  if (!isRefusal(content)) return { kind: 'lost' };
  return { kind: 'refused', fault: content.code, fields: content.fields ?? [] };
}

/** Null: there is no answer, or none that the cloud has made. */
export async function request(
  path: string,
  { signal, body, timeoutMs = TIMEOUT_MS, token }: CallOptions,
): Promise<{ ok: boolean; status: number; retryAfter: number; content: unknown } | null> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const end = () => timeout.abort();
  signal.addEventListener('abort', end);
  try {
    const init: RequestInit = body
      ? posting(body, timeout.signal)
      : { cache: 'no-store', signal: timeout.signal };
    const headers = { ...init.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const response = await fetch(path, { ...init, headers });
    noteAnswer(response);
    const content: unknown = await response.json();
    const { ok, status } = response;
    return { ok, status, retryAfter: Number(response.headers.get('retry-after')), content };
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function posting(body: object, signal: AbortSignal): RequestInit {
  return {
    method: 'POST',
    cache: 'no-store',
    signal,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

// The cloud checks what it sends against the schemas; here only what the page decides by is checked.

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function hasList<Name extends string, Item>(name: Name): Check<Record<Name, Item[]>> {
  return (value): value is Record<Name, Item[]> => isObject(value) && Array.isArray(value[name]);
}

function isSite(value: unknown): value is PaySite {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['timeZone'] === 'string';
}

function isStay(value: unknown): value is PayStay {
  return isObject(value) && typeof value['key'] === 'string' && typeof value['plate'] === 'string';
}

function isOpened(value: unknown): value is PayOpened {
  return isObject(value) && isSite(value['site']) && isStay(value['stay']);
}

function isDue(value: unknown): value is PayDue {
  return (
    isObject(value) &&
    isStay(value['stay']) &&
    typeof value['standing'] === 'string' &&
    Number.isSafeInteger(value['amountMinor']) &&
    Array.isArray(value['lines'])
  );
}

function isObjection(value: unknown): value is PayObjection {
  return (
    isObject(value) &&
    isObject(value['dispute']) &&
    typeof value['text'] === 'string' &&
    typeof value['timeZone'] === 'string' &&
    Array.isArray(value['messages'])
  );
}

function isPayment(value: unknown): value is PayPayment {
  return (
    isObject(value) &&
    typeof value['key'] === 'string' &&
    typeof value['state'] === 'string' &&
    (value['next'] === null || isObject(value['next']))
  );
}

function isRefusal(value: unknown): value is { code: PayFault; fields?: CardField[] } {
  return isObject(value) && typeof value['code'] === 'string';
}
