import { PaymentService } from '@hlid/edge/payment/payment-service';
import type { Terminal } from '@hlid/edge/terminal/terminal';
import type { ApduLine, ApduLink } from '@hlid/edge/terminal/zvt/apdu-line';
import { createTcpLink } from '@hlid/edge/terminal/zvt/tcp-link';
import { ZvtTerminalSchema } from '@hlid/edge/terminal/zvt/zvt-options';
import { ZvtTerminal as ZvtDriver } from '@hlid/edge/terminal/zvt/zvt-terminal';
import { createTestSite } from '@hlid/edge/test/site';
import type { Clock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { Fault } from '@hlid/protocol/base/fault';
import { isUnderWay, type Payment } from '@hlid/protocol/records/payment';
import type { Visit } from '@hlid/protocol/records/visit';
import type { SettlementItem } from '@hlid/protocol/site-link/site-change';
import type { Logger } from 'pino';
import type { TestSite } from '../harness/paired-site.ts';
import { waitFor } from '../harness/wait.ts';
import { startZvtTerminal, type ZvtTerminal, type ZvtTerminalOptions } from '../sim/zvt-terminal.ts';

/** Steps of a payment at which the daemon can lose its power: before each thing that it does next. */
export type PaymentStep =
  | 'created'
  | 'sent'
  | 'asked'
  /** The terminal has approved; nothing of it is on the disk. */
  | 'approval'
  /** It is on the disk; the terminal has not been answered. */
  | 'approved'
  /** The terminal has been answered and reports completion; the visit is not settled. */
  | 'ended'
  | 'settled';

/** A driver, and its line to the terminal, which goes dead with the daemon at its end. */
export interface PluggedDriver {
  driver(parts: { clock: Clock; log: Logger }): Terminal;
  cut(): void;
}

/** A real site with a real driver, at a simulated terminal; its daemon can lose its power at any step. */
export interface SiteAtTerminal {
  readonly site: TestSite;
  readonly payments: PaymentService;
  /** All that was logged, by each daemon that ran. */
  readonly log: string[];
  /** The daemon dies there next time. */
  dieAt: PaymentStep | null;
  /** Whether it is dead. */
  readonly dead: boolean;
  /** Ends the site without notice. */
  crash(): void;
  /** Restarts the site with what is on the disk. */
  restart(): Promise<void>;
  ready(): Promise<unknown>;
  enter(plate: string): Promise<string>;
  order(visitId: string, quantity?: number): Promise<Payment | null>;
  /** The driver cancels the present payment. */
  changeMind(): Promise<void>;
  /** Another payer pays for it, in the cloud; unless the daemon is dead, or it is paid already. */
  payElsewhere(visitId: string): void;
  /** Resolves once nothing is under way, or all that is waits for a person. */
  settled(): Promise<Payment[]>;
  all(): Payment[];
  /** A driver is still at a payment. */
  isPaying(): boolean;
  settlements(visitId: string): SettlementItem[];
  visit(visitId: string): Visit | undefined;
  close(): Promise<void>;
}

export interface PayingSite extends SiteAtTerminal {
  readonly sim: ZvtTerminal;
}

interface Flushing {
  /** Whether each step is waited for until the disk has it; a daemon that dies alone loses nothing without. */
  flushes?: boolean;
}

interface Patience {
  /** Whether the terminal is waited for no longer than a test of its silence can wait. */
  isSoonGivenUp?: boolean;
}

const PRICE = 500;
const SHORT = { replyTimeoutMs: 500, completionTimeoutMs: 1000 };
/** No answer is late that comes at all, on a busy machine either. */
const LONG = { replyTimeoutMs: 10_000, completionTimeoutMs: 20_000 };

/** Starts a site with a ZVT terminal. */
export async function startPayingSite(
  options: ZvtTerminalOptions & Flushing & Patience = {},
): Promise<PayingSite> {
  const sim = await startZvtTerminal({ answerMs: 250, repeatMs: 10, paceMs: 0, bankMs: 0, ...options });

  function plug(): PluggedDriver {
    const line = cuttable(createTcpLink({ host: '127.0.0.1', port: sim.port }));
    const waits = options.isSoonGivenUp === false ? LONG : SHORT;
    const config = ZvtTerminalSchema.parse({ ...sim.config, ...waits, id: 'pos-1' });
    const replaced = {
      link: line.link,
      connection: { retryMs: 5, maxRetryMs: 40, busyMs: 10 },
      stopTimeoutMs: 200,
    };
    return {
      driver: (parts) => new ZvtDriver(config, { currency: 'ISK', ...parts }, replaced),
      cut: line.cut,
    };
  }

  const at = await startSiteAtTerminal({ plug, close: sim.close, ...options });
  return Object.assign(at, { sim });
}

/** @param plug a line of its own for each daemon that runs */
export async function startSiteAtTerminal(
  options: { plug: () => PluggedDriver; close: () => Promise<void> } & Flushing,
): Promise<SiteAtTerminal> {
  const log: string[] = [];
  let plugged = plug();
  let dieAt: PaymentStep | null = null;
  let site = createTestSite();
  site.db.pragma(`synchronous = ${options.flushes === false ? 'OFF' : 'FULL'}`);
  site.price(PRICE);
  let payments = begin();

  function plug() {
    return { line: options.plug(), dead: false };
  }

  function begin(): PaymentService {
    const clock = { now: () => new Date(site.now()) };
    const written = createLog('edge', 'trace', { write: (line) => void log.push(line) });
    const driver = plugged.line.driver({ clock, log: written });
    const { commit, events, stays, paymentRecords: records } = site.core;
    const begun = new PaymentService(
      { db: site.db, commit, events, clock, log: written },
      {
        terminalId: 'pos-1',
        terminal: mortal(driver),
        stays,
        records,
        dayClosesAt: '04:00',
        timeZone: () => 'Atlantic/Reykjavik',
        timing: { firstPauseMs: 5, maxPauseMs: 40, triesWhileConnected: 20 },
        stopTimeoutMs: 500,
      },
    );
    begun.start();
    return begun;
  }

  function crash(): void {
    plugged.dead = true;
    plugged.line.cut();
    site.core.stop();
    site.db.close();
  }

  /** Ends the daemon there, if the test requests it: the next step never comes. */
  async function mayDie(here: PaymentStep): Promise<void> {
    if (dieAt !== here) return;
    dieAt = null;
    crash();
    await new Promise(() => undefined);
  }

  /** The terminal's driver with a possible power cut between its steps. */
  function mortal(driver: Terminal): Terminal {
    return {
      start: () => driver.start(),
      stop: () => driver.stop(),
      status: () => driver.status(),
      check: () => driver.check(),
      onStatus: (listener) => driver.onStatus(listener),
      cancel: () => driver.cancel(),
      reverse: (transaction) => driver.reverse(transaction),
      isReversed: (transaction) => driver.isReversed(transaction),
      endOfDay: () => driver.endOfDay(),
      async lastResult() {
        await mayDie('created');
        return await driver.lastResult();
      },
      async pay(order, events) {
        await mayDie('sent');
        const outcome = await driver.pay(order, {
          onPrompt(prompt, text) {
            events.onPrompt(prompt, text);
            void mayDie('asked');
          },
          async onApproval(transaction) {
            await mayDie('approval');
            const stands = await events.onApproval(transaction);
            await mayDie('approved');
            return stands;
          },
        });
        await mayDie('ended');
        return outcome;
      },
    };
  }

  const all = (): Payment[] =>
    site.db
      .prepare<[], string>('SELECT body FROM payment ORDER BY rowid')
      .pluck()
      .all()
      .map((body) => JSON.parse(body));

  /** The states are read without parsing every payment, since they are polled. */
  const states = () =>
    site.db
      .prepare<[], { id: string; state: Payment['state']; needsPerson: number }>(
        'SELECT id, state, needs_person AS needsPerson FROM payment',
      )
      .all();

  const settlements = (visitId: string): SettlementItem[] => site.core.stays.visits.settlementsOf(visitId);

  return {
    get site() {
      return site;
    },
    get payments() {
      return payments;
    },
    get dead() {
      return plugged.dead;
    },
    get dieAt() {
      return dieAt;
    },
    set dieAt(step) {
      dieAt = step;
    },
    log,
    crash,
    all,
    isPaying: () => states().some(({ id }) => payments.isActive(id)),
    async restart() {
      if (!plugged.dead) crash();
      void payments.stop().catch(() => undefined);
      plugged = plug();
      site = createTestSite({ folder: site.folder, start: site.now() });
      if (options.flushes === false) site.db.pragma('synchronous = OFF');
      payments = begin();
    },
    ready: () =>
      waitFor(() => payments.status().connection === 'CONNECTED', {
        what: 'a terminal that is there',
        detail: () => `${JSON.stringify(payments.status())} ${log.slice(-5).join('')}`,
      }),
    async enter(plate) {
      await site.read('in-1', plate);
      site.wait(2 * HOUR_MS);
      const visit = site.core.stays.visits.openByPlate(plate);
      if (!visit) throw new Error(`${plate} is not inside`);
      return visit.id;
    },
    async order(visitId, quantity) {
      const order = { visitId, language: 'is' as const, ...(quantity && { quantity }) };
      const answer = await payments.order(order, crypto.randomUUID());
      return answer.ok ? answer.payment : null;
    },
    async changeMind() {
      const open = plugged.dead ? undefined : all().find(({ state }) => isUnderWay(state));
      if (open) await payments.cancel(open.id);
    },
    payElsewhere(visitId) {
      if (plugged.dead || settlements(visitId).length > 0) return;
      const id = crypto.randomUUID();
      const item = {
        id,
        visitId,
        paymentStatus: 'kiosk' as const,
        amountMinor: PRICE,
        currency: 'ISK',
        units: 1,
        settledAt: site.now(),
        by: 'account:1',
      };
      site.change({ kind: 'settlement', op: 'put', id, item });
    },
    async settled() {
      await waitFor(
        () =>
          !plugged.dead &&
          states().every(
            ({ id, state, needsPerson }) =>
              needsPerson === 1 || (!isUnderWay(state) && !payments.isActive(id)),
          ),
        {
          what: 'payments that are known',
          detail: () => JSON.stringify(all().slice(-2)) + log.slice(-6).join(''),
        },
      );
      return all();
    },
    settlements,
    visit: (visitId) => site.core.stays.visits.get(visitId),
    async close() {
      if (plugged.dead) site = createTestSite({ folder: site.folder });
      else await payments.stop();
      plugged.line.cut();
      await options.close();
      site.close();
    },
  };
}

/** A line that goes dead with the daemon at its end. */
function cuttable(link: ApduLink): { link: ApduLink; cut(): void } {
  const lines = new Set<ApduLine>();
  let dead = false;
  return {
    link: {
      place: link.place,
      async open(listener, signal) {
        if (dead) throw new Fault('link-lost', 'no power');
        const line = await link.open(
          {
            onApdu: (apdu) => !dead && listener.onApdu(apdu),
            onClosed: (reason) => !dead && listener.onClosed(reason),
          },
          signal,
        );
        lines.add(line);
        return {
          send: (apdu) => (dead ? new Promise(() => undefined) : line.send(apdu)),
          close: () => line.close(),
        };
      },
    },
    cut() {
      dead = true;
      for (const line of lines) void line.close();
    },
  };
}
