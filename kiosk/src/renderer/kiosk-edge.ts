import type { Language } from '@hlid/protocol/base/language';
import {
  type KioskDue,
  KioskDueSchema,
  type KioskFault,
  KioskFaultSchema,
  type KioskHelp,
  type KioskHelpOrder,
  KioskHelpSchema,
  KioskPayLinkSchema,
  type KioskPayment,
  KioskPaymentSchema,
  type KioskReceipt,
  KioskReceiptSchema,
  type KioskSite,
  KioskSiteSchema,
  type KioskVisit,
  KioskVisitSchema,
} from '@hlid/protocol/pages/kiosk-api';
import { KIOSK_PATHS } from '@hlid/protocol/pages/kiosk-paths';
import { noteAnswer } from '@hlid/ui/fresh-page';
import { z } from 'zod';
import type { PayRequest } from './state/kiosk-state.ts';

const PATIENCE_MS = 10_000;

const VisitsSchema = z.object({ visits: z.array(KioskVisitSchema) });
const FaultSchema = z.object({ code: KioskFaultSchema });

/** The edge's answer: the result, a refusal that is shown to the driver, or none at all. */
export type Answer<T> = { kind: 'ok'; value: T } | { kind: 'refused'; fault: KioskFault } | { kind: 'lost' };

/** The edge's local API, as the page uses it. Nothing here throws. */
export interface KioskEdge {
  site(signal: AbortSignal): Promise<Answer<KioskSite>>;
  visits(plate: string, signal: AbortSignal): Promise<Answer<KioskVisit[]>>;
  entries(from: string, to: string, signal: AbortSignal): Promise<Answer<KioskVisit[]>>;
  /** `typed`: of the plate; the rest comes back as dots. */
  due(visitId: string, typed: string, signal: AbortSignal): Promise<Answer<KioskDue>>;
  namePlate(visitId: string, plate: string, signal: AbortSignal): Promise<Answer<KioskDue>>;
  /** The exit waits for this visit, but it is not the driver's, who has typed this as the plate. */
  notMine(visitId: string, plate: string, signal: AbortSignal): Promise<Answer<unknown>>;
  /** The address at which the driver's phone pays. */
  payLink(visitId: string, typed: string, language: Language, signal: AbortSignal): Promise<Answer<string>>;
  /** The code of a payment by phone. `typed`: of the plate. */
  code(visitId: string, code: string, typed: string, signal: AbortSignal): Promise<Answer<KioskDue>>;
  pay(request: PayRequest, language: Language, signal: AbortSignal): Promise<Answer<KioskPayment>>;
  payment(paymentId: string, signal: AbortSignal): Promise<Answer<KioskPayment>>;
  cancel(paymentId: string, signal: AbortSignal): Promise<Answer<unknown>>;
  receipt(paymentId: string, signal: AbortSignal): Promise<Answer<KioskReceipt>>;
  mail(paymentId: string, email: string, language: Language, signal: AbortSignal): Promise<Answer<unknown>>;
  /** Calls for help; while a call is open it is that one. */
  help(order: KioskHelpOrder, signal: AbortSignal): Promise<Answer<KioskHelp>>;
  helpCall(callId: string, signal: AbortSignal): Promise<Answer<KioskHelp>>;
  /** The text on this screen, for support. */
  screenText(pictureId: string, text: string, signal: AbortSignal): Promise<Answer<unknown>>;
  /** Calls back at each change; returns how to stop that. */
  watch(paymentId: string, onPayment: (payment: KioskPayment) => void): () => void;
}

/** The site by a request that was sent before; null: the edge has not answered it. */
export async function readFirstSite(request: Promise<Response>): Promise<KioskSite | null> {
  const answer = await readAnswer(KioskSiteSchema, request);
  return answer.kind === 'ok' ? answer.value : null;
}

/** The path of the picture of a visit's entry. */
export function pictureOf(visitId: string): string {
  return `${pathOf(KIOSK_PATHS.visit, { visitId })}/picture`;
}

export function createKioskEdge(): KioskEdge {
  const due = (visitId: string) => pathOf(KIOSK_PATHS.visit, { visitId });
  const payment = (paymentId: string) => pathOf(KIOSK_PATHS.payment, { paymentId });
  const visits = async (path: string, query: Record<string, string>, signal: AbortSignal) => {
    const answer = await ask(VisitsSchema, `${path}?${new URLSearchParams(query)}`, { signal });
    return answer.kind === 'ok' ? { ...answer, value: answer.value.visits } : answer;
  };
  return {
    site: (signal) => ask(KioskSiteSchema, KIOSK_PATHS.site, { signal }),
    visits: (plate, signal) => visits(KIOSK_PATHS.visits, { plate }, signal),
    entries: (from, to, signal) => visits(KIOSK_PATHS.entries, { from, to }, signal),
    due: (visitId, typed, signal) =>
      ask(KioskDueSchema, `${due(visitId)}?${new URLSearchParams({ plate: typed })}`, { signal }),
    namePlate: (visitId, plate, signal) =>
      ask(KioskDueSchema, `${due(visitId)}/plate`, { signal, body: { plate } }),
    notMine: (visitId, plate, signal) =>
      ask(z.unknown(), `${due(visitId)}/not-mine`, { signal, body: { plate } }),
    payLink: async (visitId, typed, language, signal) => {
      const body = { plate: typed, language };
      const answer = await ask(KioskPayLinkSchema, `${due(visitId)}/pay-link`, { signal, body });
      return answer.kind === 'ok' ? { kind: 'ok', value: answer.value.url } : answer;
    },
    code: (visitId, code, typed, signal) =>
      ask(KioskDueSchema, `${due(visitId)}/code`, { signal, body: { code, plate: typed } }),
    pay: ({ key, visitId, amountMinor, quantity }, language, signal) =>
      ask(KioskPaymentSchema, KIOSK_PATHS.payments, {
        signal,
        key,
        body: { visitId, amountMinor, language, ...(quantity === null ? {} : { quantity }) },
      }),
    payment: (paymentId, signal) => ask(KioskPaymentSchema, payment(paymentId), { signal }),
    cancel: (paymentId, signal) => ask(z.unknown(), `${payment(paymentId)}/cancel`, { signal, body: {} }),
    receipt: (paymentId, signal) => ask(KioskReceiptSchema, `${payment(paymentId)}/receipt`, { signal }),
    mail: (paymentId, email, language, signal) =>
      ask(z.unknown(), `${payment(paymentId)}/mail`, { signal, body: { email, language } }),
    help: (body, signal) => ask(KioskHelpSchema, KIOSK_PATHS.help, { signal, body }),
    helpCall: (callId, signal) => ask(KioskHelpSchema, pathOf(KIOSK_PATHS.helpCall, { callId }), { signal }),
    screenText: (pictureId, text, signal) =>
      ask(z.unknown(), pathOf(KIOSK_PATHS.screen, { pictureId }), { signal, body: { text } }),
    watch(paymentId, onPayment) {
      const events = new EventSource(`${payment(paymentId)}/events`);
      events.addEventListener('payment', ({ data }) => {
        const parsed = KioskPaymentSchema.safeParse(JSON.parse(String(data)));
        if (parsed.success) onPayment(parsed.data);
      });
      return () => events.close();
    },
  };
}

function pathOf(path: string, values: Record<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''));
}

async function ask<T>(
  schema: z.ZodType<T>,
  path: string,
  { signal, body, key }: { signal: AbortSignal; body?: object; key?: string },
): Promise<Answer<T>> {
  const response = fetch(path, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    cache: 'no-store',
    ...(body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
    }),
  });
  return await readAnswer(schema, response);
}

async function readAnswer<T>(schema: z.ZodType<T>, request: Promise<Response>): Promise<Answer<T>> {
  try {
    const response = await request;
    noteAnswer(response);
    const content: unknown = response.status === 204 ? null : await response.json();
    if (!response.ok) {
      const { data } = FaultSchema.safeParse(content);
      return { kind: 'refused', fault: data?.code ?? 'failed' };
    }
    const { success, data } = schema.safeParse(content);
    return success ? { kind: 'ok', value: data } : { kind: 'refused', fault: 'failed' };
  } catch {
    return { kind: 'lost' };
  }
}
