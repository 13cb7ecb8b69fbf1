import type { claimRoutes } from '@hlid/cloud/books/claims/claim-routes';
import type { reminderRoutes } from '@hlid/cloud/books/reminders/reminder-routes';
import { consoleRoutes } from '@hlid/cloud/integration/console/console-routes';
import type { firstStepsRoutes } from '@hlid/cloud/integration/first-steps/first-steps-routes';
import type { approvalRoutes } from '@hlid/cloud/paying/approvals/approval-routes';
import { actionsOfSession } from '@hlid/cloud/people/sessions/session-actions';
import type { sessionRoutes } from '@hlid/cloud/people/sessions/session-routes';
import type { SessionView } from '@hlid/cloud/people/sessions/session-view';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { callRoutes } from '@hlid/cloud/sites/calls/call-routes';
import type { siteRoutes } from '@hlid/cloud/sites/sites/change/site-routes';
import type { SiteView } from '@hlid/cloud/sites/sites/site-view';
import type { proposalRoutes } from '@hlid/cloud/stays/matching/proposal-routes';
import type { AnyMistake } from '@hlid/protocol/base/mistakes/any-mistake';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import type { Hono } from 'hono';
import type { Browser, Page, Route } from 'playwright-core';
import { buildConsole } from '../harness/build-pages.ts';

/** A secure context, as the console has it; nothing is resolved or sent. */
const ORIGIN = 'https://console.example';
const LONG_AGO = '2026-01-01T00:00:00.000Z';

type SchemaOf<Routes extends (...parts: never[]) => unknown> =
  ReturnType<Routes> extends Hono<infer _Env, infer Schema, infer _Base> ? Schema : never;
type Good = 200 | 201 | 202 | 204 | 303;
/** The answer of the cloud to a call that it does. */
type BodyOf<Endpoint> = Endpoint extends { output: infer Body; status: Good } ? Body : never;

/** A call of the page. */
export interface Call {
  method: string;
  /** The path with its query. */
  path: string;
  body: unknown;
  headers: Readonly<Record<string, string>>;
}

/** The answer of the cloud to a call that it refuses. */
export class Refused {
  readonly status: number;
  readonly body: { messages: string[]; codes: AnyMistake[] };

  constructor(status: number, codes: AnyMistake[], messages: string[] = []) {
    this.status = status;
    this.body = { messages, codes };
  }
}

interface Answering {
  method: string;
  path: RegExp;
  answer: (call: Call) => unknown;
}

/**
 * The console in a browser without a cloud: rooms and dialogs on the answers that a test gives, which are of the types of
 * the cloud's own routes.
 */
export class ConsoleStandIn {
  readonly #answers: Answering[] = [];
  /** Its car parks are simulated. */
  isTraining = false;
  /** Every call that was answered, in order. */
  readonly calls: Call[] = [];
  /** Calls for which the test has no answer. */
  readonly unanswered: string[] = [];

  constructor({ permissions = ['devices', 'lanes'] }: { permissions?: SessionView['permissions'] } = {}) {
    this.answering<typeof sessionRoutes>()('$get', '/session', () => ({
      ...OPERATOR,
      permissions,
      actions: actionsOfSession({ ...CALLER, rights: { permissions, siteIds: null } }),
    }));
    this.answering<typeof callRoutes>()('$get', '/calls', () => wholeList([]));
    this.answering<typeof approvalRoutes>()('$get', '/approvals', () => wholeList([]));
    this.answering<typeof proposalRoutes>()('$get', '/matching/proposals', () => wholeList([]));
    this.answering<typeof siteRoutes>()('$get', '/sites', () => wholeList([SITE]));
    this.answering<typeof claimRoutes>()('$get', '/claims', () => wholeList([]));
    const noReminders = { next: null, stopped: null, reminders: [] };
    this.answering<typeof reminderRoutes>()('$get', '/invoice/:id/reminders', () => noReminders);
    const nothingLeft = { steps: [], siteId: SITE.id, putAway: false };
    this.answering<typeof firstStepsRoutes>()('$get', '/first-steps', () => nothingLeft);
  }

  /** Sets what a route answers, from now on. */
  answering<Routes extends (...parts: never[]) => unknown>() {
    return <
      Path extends keyof SchemaOf<Routes> & string,
      Method extends keyof SchemaOf<Routes>[Path] & `$${string}`,
    >(
      method: Method,
      path: Path,
      answer: (call: Call) => BodyOf<SchemaOf<Routes>[Path][Method]> | Refused,
    ): void => {
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
      this.#answers.unshift({ method: method.slice(1).toUpperCase(), path: pattern, answer });
    };
  }

  /** The calls of a method at a path, without its query. */
  callsOf(method: string, path: string): Call[] {
    return this.calls.filter((call) => call.method === method && call.path.split('?')[0] === path);
  }

  /** A page of the console, at a path below `/console/`. */
  async open(browser: Browser, path: string, locale = 'en-GB'): Promise<Page> {
    await buildConsole(console.warn);
    const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const files = consoleRoutes();
    await context.route(`${ORIGIN}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (!pathname.startsWith('/console')) return await this.#answer(route);
      const file = await files.request(pathname);
      await route.fulfill({
        status: file.status,
        headers: Object.fromEntries(file.headers),
        body: Buffer.from(await file.arrayBuffer()),
      });
    });
    await page.goto(`${ORIGIN}/console/${path}`);
    return page;
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    // The stream of events: the page goes on without.
    if (pathname === '/events') return await route.abort();
    const method = request.method();
    const known = this.#answers.find((one) => one.method === method && one.path.test(pathname));
    if (known === undefined) {
      this.unanswered.push(`${method} ${pathname}`);
      return await route.fulfill({ status: 404, json: { messages: ['No answer'], codes: [] } });
    }
    const headersOfCall = request.headers();
    const isJson = headersOfCall['content-type']?.startsWith('application/json') ?? false;
    const body: unknown = isJson ? request.postDataJSON() : request.postData();
    const call = { method, path: pathname + search, body, headers: headersOfCall };
    this.calls.push(call);
    const answer = known.answer(call);
    const headers = this.isTraining ? { 'Hlid-Training': 'yes' } : {};
    if (answer instanceof Refused) await route.fulfill({ status: answer.status, headers, json: answer.body });
    else await route.fulfill({ status: 200, headers, json: answer });
  }
}

export const SITE = {
  id: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
  code: 'harbour',
  name: 'Harbour',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
  settings: SiteSettingsSchema.parse({}),
  approvalLimits: { refund: null, waiver: null, credit: null, close: null },
  upgradeRing: 1,
  status: 'active',
  archivedOn: null,
  createdOn: LONG_AGO,
  modifiedOn: LONG_AGO,
  presence: {
    connected: true,
    since: LONG_AGO,
    seq: 0,
    acknowledged: 0,
    feedAt: 0,
    lag: 0,
    software: null,
  },
  devices: { total: 0, alarms: 0, worst: null },
} satisfies SiteView;

const CALLER = {
  kind: 'account',
  role: 'operator',
  accountId: 'operator',
  customerId: null,
  tokenId: 'session',
  session: { awaits: null, steppedUpAt: null },
} as const;

const OPERATOR: Omit<SessionView, 'permissions' | 'actions'> = {
  id: 'session',
  status: 'open',
  account: {
    id: 'operator',
    role: 'operator',
    name: 'Anna',
    status: 'active',
    createdOn: LONG_AGO,
    options: {},
    siteIds: null,
    customer: null,
  },
  email: 'anna@example.is',
  siteIds: null,
  method: 'password',
  createdOn: LONG_AGO,
  expiresOn: '2099-01-01T00:00:00.000Z',
  idleMinutes: 60,
  steppedUpUntil: null,
  factors: { totp: false, passkeys: 0, recoveryCodes: 0 },
};
