import { utcTime } from '@hlid/protocol/base/utc-time';
import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import type { Payment } from '@hlid/protocol/records/payment';
import type {
  ClaimVisitCommand,
  CommandReply,
  NotMineCommand,
  SiteCommand,
  TerminalCommand,
} from '@hlid/protocol/site-link/commands';
import { PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import { LOG_EVENTS } from '../base/events.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { PaymentService } from '../payment/payment-service.ts';
import type { CommandAge } from './command-age.ts';

type KioskCommand = TerminalCommand | NotMineCommand | ClaimVisitCommand;

/** Commands for the site's card terminal, of operators and of kiosks that work by the cloud; and for drivers at exits. */
export class KioskCommands {
  readonly #context: Pick<EdgeContext, 'clock' | 'log'>;
  readonly #payments: Pick<PaymentService, 'terminalId' | 'status' | 'order' | 'reverse'> | null;
  readonly #paymentOf: (paymentId: string) => Promise<Payment | null>;
  readonly #disown: (claim: { visitId: string; typed: string }) => Promise<KioskFault | null>;
  readonly #claim: (claim: ClaimVisitCommand) => Promise<KioskFault | null>;
  readonly #age: CommandAge;

  constructor(
    context: Pick<EdgeContext, 'clock' | 'log'>,
    parts: {
      /** Null: the site has no terminal. */
      payments: Pick<PaymentService, 'terminalId' | 'status' | 'order' | 'reverse'> | null;
      /** A payment as it is after every order that was received before, of whatever terminal; null: there is none. */
      paymentOf: (paymentId: string) => Promise<Payment | null>;
      /** A driver denies a visit. Resolves with the reason why nothing opens, or null. */
      disown: (claim: { visitId: string; typed: string }) => Promise<KioskFault | null>;
      /** A phone is about to pay for a visit. Resolves with the reason why it must not, or null. */
      claim: (claim: ClaimVisitCommand) => Promise<KioskFault | null>;
      age: CommandAge;
    },
  ) {
    this.#context = context;
    this.#payments = parts.payments;
    this.#paymentOf = parts.paymentOf;
    this.#disown = parts.disown;
    this.#claim = parts.claim;
    this.#age = parts.age;
  }

  /** Resolves with the reply: to a payment once its intent is on the disk. */
  async handle(command: KioskCommand): Promise<CommandReply> {
    const { id, action, by } = command;
    const { clock, log } = this.#context;
    const terminalId = 'terminalId' in command ? command.terminalId : null;
    const judged = this.#age.judge(command);
    const reply: Partial<CommandReply> = judged.fresh
      ? await this.#carryOut(command)
      : { outcome: 'expired', echo: judged.echo };
    const { outcome = 'done', reason } = reply;
    log.info({ event: LOG_EVENTS.commandTaken, id, action, terminalId, by, outcome, reason });
    const at = utcTime(clock.now());
    return { v: PROTOCOL_VERSION, id, lanes: [], echo: null, at, ...reply, outcome };
  }

  async #carryOut(command: KioskCommand): Promise<Partial<CommandReply>> {
    if (command.action === 'not-mine') {
      const { visitId, plate: typed } = command;
      const reason = await this.#disown({ visitId, typed });
      return reason === null ? {} : { outcome: 'refused', reason };
    }
    if (command.action === 'claim-visit') {
      const reason = await this.#claim(command);
      return reason === null ? {} : { outcome: 'refused', reason };
    }
    if (command.action === 'payment-state') {
      const payment = await this.#paymentOf(command.paymentId);
      return payment === null ? { outcome: 'refused', reason: 'not-found' } : { payment };
    }
    const payments = this.#payments;
    if (payments?.terminalId !== command.terminalId) return { outcome: 'refused', reason: 'no-terminal' };
    switch (command.action) {
      case 'terminal-status':
        return { terminal: { id: payments.terminalId, connection: payments.status().connection } };
      case 'pay': {
        const { id: paymentId, visitId, units, language } = command;
        const order = { paymentId, visitId, language, ...(units !== null && { quantity: units }) };
        // Sent again it is the same payment: its id is the key.
        const answer = await payments.order(order, paymentId);
        return answer.ok ? { payment: answer.payment } : { outcome: 'refused', reason: answer.reason };
      }
      case 'reverse-payment': {
        const answer = await payments.reverse(command.paymentId, command.by);
        return answer.ok ? { payment: answer.payment } : { outcome: 'refused', reason: answer.reason };
      }
      default:
        return command satisfies never;
    }
  }
}

const FROM_KIOSK: readonly SiteCommand['action'][] = [
  'pay',
  'terminal-status',
  'reverse-payment',
  'payment-state',
  'not-mine',
  'claim-visit',
];

export function isFromKiosk(command: SiteCommand): command is KioskCommand {
  return FROM_KIOSK.includes(command.action);
}
