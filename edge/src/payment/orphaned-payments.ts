import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { Payment } from '@hlid/protocol/records/payment';
import type { PersonFinding } from '@hlid/protocol/rules/payment-transitions';
import { LOG_EVENTS } from '../base/events.ts';
import type { HealthSignal } from '../config/health-state.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { SiteStays } from '../site/site-stays.ts';
import type { PaymentRecords } from './payment-records.ts';
import { PaymentSettlement } from './payment-settlement.ts';
import type { PaymentStore } from './payment-store.ts';
import { NO_SUCH_TERMINAL } from './terminal-payment-transitions.ts';

const RETRY_EVERY_MS = MINUTE_MS;

/**
 * Payments of terminals that are no longer in the configuration, or have another id there: nothing can be asked about
 * them. They need a person, or the terminal itself once it is back.
 */
export class OrphanedPayments {
  readonly #context: EdgeContext;
  readonly #terminalId: string | null;
  readonly #store: PaymentStore;
  readonly #settlement: PaymentSettlement;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  /** @param parts.terminalId of the configuration; null: it has none */
  constructor(
    context: EdgeContext,
    parts: { terminalId: string | null; stays: SiteStays; records: PaymentRecords },
  ) {
    const { terminalId, stays, records } = parts;
    this.#context = context;
    this.#terminalId = terminalId;
    this.#store = records.store;
    this.#settlement = new PaymentSettlement(context, { records, stays, terminal: null });
  }

  start(): void {
    this.#timer = setInterval(() => this.#run(), RETRY_EVERY_MS).unref();
    this.#run();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** The terminals that are gone and have payments which need a person, by id. */
  signs(): ReadonlyMap<string, HealthSignal> {
    const waiting = new Map<string, Set<string>>();
    const orphans = [...this.forPerson().filter((payment) => this.#isOrphan(payment)), ...this.#open()];
    for (const { id, terminalId } of orphans) {
      waiting.set(terminalId, (waiting.get(terminalId) ?? new Set()).add(id));
    }
    return new Map([...waiting].map(([terminalId, { size }]) => [terminalId, signOf(size)]));
  }

  /** All payments of the site that need a person, at whatever terminal. */
  forPerson(): Payment[] {
    return this.#store.forPerson();
  }

  /** See `PaymentService.recordFinding`. */
  recordFinding(id: string, finding: PersonFinding, by: string): Promise<boolean> {
    return this.#settlement.recordFinding(id, finding, by);
  }

  /** Repeated until it is on the disk, which may be full. */
  #run(): void {
    this.#running = this.#passToPerson()
      .then(() => clearInterval(this.#timer))
      .catch((err: unknown) => this.#context.log.error({ event: LOG_EVENTS.paymentFailed, err }));
  }

  async #passToPerson(): Promise<void> {
    for (const { id, state, needsPerson } of this.#open()) {
      if (needsPerson) continue;
      await this.#settlement.apply(
        id,
        // An order is sent only after `sent` is on the disk.
        state === 'created'
          ? { kind: 'not-booked', state: 'cancelled', reason: 'not-sent' }
          : { kind: 'needs-person', reason: NO_SUCH_TERMINAL },
      );
    }
  }

  #open(): Payment[] {
    return this.#store
      .underWay()
      .map(({ payment }) => payment)
      .filter((payment) => this.#isOrphan(payment));
  }

  #isOrphan({ terminalId }: Payment): boolean {
    return terminalId !== this.#terminalId;
  }
}

function signOf(waiting: number): HealthSignal {
  const payments = waiting === 1 ? 'a payment there waits' : `${waiting} payments there wait`;
  return {
    state: 'failing',
    detail: `it is not in the configuration any more, and ${payments} for a person: "payment list" shows what`,
  };
}
