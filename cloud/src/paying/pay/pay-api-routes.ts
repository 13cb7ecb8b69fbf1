import { nowUtc } from '@hlid/node/clock';
import { inputMistakes } from '@hlid/protocol/base/mistakes/input-mistakes';
import {
  PayAuthenticateSchema,
  PayDisputeSchema,
  type PayFault,
  PayFindSchema,
  PayFinishSchema,
  PayMailSchema,
  PayNotMineSchema,
  PayObjectionMessageSchema,
  PayOpenSchema,
  PayOrderSchema,
  PayPaymentBodySchema,
  PayProofSchema,
  type PayRefusal,
  PayStayBodySchema,
} from '@hlid/protocol/pages/pay-api';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import { type AttemptLimit, countAttempt, giveBackAttempts } from '../../people/auth/attempt-limit.ts';
import { addressOf } from '../../platform/http/address-of.ts';
import type { CloudContext, CloudEnv } from '../../platform/http/cloud-env.ts';
import { createRouter } from '../../platform/http/router.ts';
import { englishLines } from '../../platform/refused.ts';
import { hashSecret } from '../../platform/token-secret.ts';
import type { PayObjections } from './pay-objections.ts';
import type { BrowserHeaders, PayPaid, PayPayments } from './pay-payments.ts';
import { paySite, paySites } from './pay-site.ts';
import type { PayResult, PayStays } from './pay-stays.ts';

/**
 * Limits for 15 minutes (ADR 21). A whole mobile network may share one address, so only calls that may be
 * guesses are limited by address. They are plates without a stay, wrong times of entry, and links that open
 * nothing. No limit counts over a site.
 */
const GUESSES = { finds: 120, proofs: 30, links: 60 };
/** The most calls of one address, guesses or not: against floods. */
const FLOOD = 60_000;
/** The most plates that are found from one address: this keeps callers from trying a list of plates. */
const FOUND = 1200;
/** The most calls for one stay or payment: a page asks every second and a half. */
const CALLS = 1500;
const ORDERS = 20;

const STATUS: Partial<Record<PayFault, 400 | 401 | 404 | 429 | 503>> = {
  'bad-input': 400,
  expired: 401,
  'not-found': 404,
  'too-many-requests': 429,
  unavailable: 503,
  'site-away': 503,
};

const flood = (address: string) => ({ key: `pay ${address}`, limit: FLOOD });
const others = (body: { stay: string } | { payment: string }, address: string) => {
  const named = hashSecret('stay' in body ? body.stay : body.payment);
  return [{ key: `pay-call ${named}`, limit: CALLS }, flood(address)];
};

/** Makes a route of a path. */
type Post = <Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  limits: (body: z.infer<Schema>, address: string) => AttemptLimit[],
  work: (body: z.infer<Schema>, c: Context<CloudEnv>) => Promise<Response>,
) => unknown;

/** The API of the payment page (pay-paths.ts). It serves only this page, so it is not in the OpenAPI document. */
export function payApiRoutes(
  { db, cardGateways, clock }: Pick<CloudContext, 'db' | 'cardGateways' | 'clock'>,
  stays: PayStays,
  paid: PayPayments,
  objections: PayObjections,
): Hono<CloudEnv> {
  const router = createRouter();

  /** Reads a body and counts the call, and then answers it. */
  const post: Post = (path, schema, limits, work) =>
    router.post(path, async (c) => {
      const body = schema.safeParse(await c.req.json().catch(() => null));
      if (!body.success) return refuse(c, 'bad-input', { messages: englishLines(inputMistakes(body.error)) });
      const counted = limits(body.data, addressOf(c));
      const wait = await db.write(({ q }) => countAttempt(q, counted, nowUtc(clock)));
      if (wait !== null) return refuse(c, 'too-many-requests', { retryAfterSeconds: wait });
      return await work(body.data, c);
    });
  /** It was no guess. */
  const giveBack = async (key: string) => await db.write(({ q }) => giveBackAttempts(q, [key]));

  router.get(PAY_PATHS.sites, async (c) =>
    c.json({ sites: await db.read((q) => paySites(q, cardGateways)) }),
  );
  router.get(PAY_PATHS.site, async (c) => {
    const site = await db.read((q) => paySite(q, cardGateways, c.req.param('siteCode') ?? '', nowUtc(clock)));
    return site === null ? refuse(c, 'not-found') : c.json(site);
  });
  post(
    PAY_PATHS.find,
    PayFindSchema,
    (_body, address) => [
      { key: `pay-find ${address}`, limit: GUESSES.finds },
      { key: `pay-found ${address}`, limit: FOUND },
    ],
    async ({ siteCode, plate }, c) => {
      const found = await stays.find(siteCode, plate);
      if (found.ok && found.value.length > 0) await giveBack(`pay-find ${addressOf(c)}`);
      return answer(c, found, (value) => ({ stays: value }));
    },
  );
  post(
    PAY_PATHS.open,
    PayOpenSchema,
    (_body, address) => [{ key: `pay-open ${address}`, limit: GUESSES.links }, flood(address)],
    async ({ link }, c) => {
      const opened = await stays.open(link);
      if (opened.ok) await giveBack(`pay-open ${addressOf(c)}`);
      return answer(c, opened);
    },
  );
  post(
    PAY_PATHS.proof,
    PayProofSchema,
    (_body, address) => [{ key: `pay-proof ${address}`, limit: GUESSES.proofs }, flood(address)],
    async ({ stay, enteredAt }, c) => {
      const proved = await stays.prove(stay, enteredAt);
      if (proved.ok) await giveBack(`pay-proof ${addressOf(c)}`);
      return answer(c, proved);
    },
  );
  post(PAY_PATHS.due, PayStayBodySchema, others, async ({ stay }, c) => answer(c, await stays.due(stay)));
  post(PAY_PATHS.notMine, PayNotMineSchema, others, async ({ stay, plate }, c) =>
    answer(c, await stays.disown(stay, plate)),
  );
  post(PAY_PATHS.dispute, PayDisputeSchema, others, async (dispute, c) =>
    answer(c, await stays.contest(dispute, addressOf(c))),
  );
  post(PAY_PATHS.picture, PayStayBodySchema, others, async ({ stay }, c) => {
    const picture = await stays.picture(stay);
    if (!picture.ok) return refuse(c, picture.fault);
    const { body, contentType } = picture.value;
    return c.body(body, 200, { 'Content-Type': contentType });
  });

  postObjections(post, objections);
  postPayments(post, paid);
  return router;
}

/** The calls of a dispute, by its link. A link that opens nothing may be a guess. */
function postObjections(post: Post, objections: PayObjections): void {
  const limits = ({ link }: { link: string }, address: string) => [
    { key: `pay-objection ${hashSecret(link)}`, limit: GUESSES.links },
    { key: `pay-objections ${address}`, limit: FOUND },
    flood(address),
  ];
  post(PAY_PATHS.objection, PayOpenSchema, limits, async ({ link }, c) =>
    answer(c, await objections.show(link)),
  );
  post(PAY_PATHS.objectionMessage, PayObjectionMessageSchema, limits, async ({ link, text }, c) =>
    answer(c, await objections.write(link, text)),
  );
  post(PAY_PATHS.objectionWithdraw, PayOpenSchema, limits, async ({ link }, c) =>
    answer(c, await objections.withdraw(link)),
  );
}

/** The calls of a payment, in their order. */
function postPayments(post: Post, paid: PayPayments): void {
  post(
    PAY_PATHS.order,
    PayOrderSchema,
    ({ stay }, address) => [{ key: `pay-order ${hashSecret(stay)}`, limit: ORDERS }, flood(address)],
    async (order, c) => answerPaid(c, await paid.order(order, headersOf(c))),
  );
  post(PAY_PATHS.payment, PayPaymentBodySchema, others, async ({ payment }, c) =>
    answerPaid(c, await paid.state(payment)),
  );
  post(PAY_PATHS.authenticate, PayAuthenticateSchema, others, async (step, c) =>
    answerPaid(c, await paid.authenticate(step, headersOf(c))),
  );
  post(PAY_PATHS.finish, PayFinishSchema, others, async (finish, c) =>
    answerPaid(c, await paid.finish(finish)),
  );
  post(PAY_PATHS.cancel, PayPaymentBodySchema, others, async ({ payment }, c) =>
    answerPaid(c, await paid.cancel(payment)),
  );
  post(PAY_PATHS.mail, PayMailSchema, others, async (mail, c) => {
    const fault = await paid.mail(mail);
    return fault === null ? c.json({}) : refuse(c, fault);
  });
}

function answer<Value>(
  c: Context<CloudEnv>,
  result: PayResult<Value>,
  view: (value: Value) => object = (value) => value as object,
): Response {
  return result.ok ? c.json(view(result.value)) : refuse(c, result.fault);
}

function answerPaid(c: Context<CloudEnv>, result: PayPaid): Response {
  if (result.ok) return c.json(result.payment);
  const { fault, fields } = result;
  return refuse(c, fault, fields && { fields: [...fields] });
}

function refuse(c: Context<CloudEnv>, code: PayFault, more: Partial<PayRefusal> = {}): Response {
  return c.json({ messages: [code], ...more, code }, STATUS[code] ?? 409);
}

function headersOf(c: Context<CloudEnv>): BrowserHeaders {
  return {
    ip: addressOf(c),
    userAgent: c.req.header('user-agent') ?? '',
    acceptHeader: c.req.header('accept') ?? '*/*',
  };
}
