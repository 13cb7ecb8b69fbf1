import type { CommandReply, NotMineCommand, SiteCommand, TerminalCommand } from '@hlid/protocol/commands';
import { PROTOCOL_VERSION } from '@hlid/protocol/envelope';
import type { KioskFault } from '@hlid/protocol/kiosk-api';
import { utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { LOG_EVENTS } from '../events.ts';
import type { PaymentService } from '../payment/payment-service.ts';
import type { CommandAge } from './command-age.ts';

/** What kiosks that work by the cloud want of the site: of its card terminal, and for drivers at its exits. */
export interface TerminalCommands {
  /** Resolves with the answer: of a payment once its intent is on the disk. */
  take(command: KioskCommand): Promise<CommandReply>;
}

type KioskCommand = TerminalCommand | NotMineCommand;

export function createTerminalCommands(parts: {
  /** Null: the site has no terminal. */
  payments: Pick<PaymentService, 'terminalId' | 'status' | 'order'> | null;
  /** A driver says that a visit is not his; why nothing opens, or null. */
  disown: (wish: { visitId: string; typed: string }) => Promise<KioskFault | null>;
  age: CommandAge;
  clock: Clock;
  log: Logger;
}): TerminalCommands {
  const { payments, age, clock, log } = parts;

  async function obey(command: KioskCommand): Promise<Partial<CommandReply>> {
    if (command.action === 'not-mine') {
      const { visitId, plate: typed } = command;
      const reason = await parts.disown({ visitId, typed });
      return reason === null ? {} : { outcome: 'refused', reason };
    }
    if (payments?.terminalId !== command.terminalId) return { outcome: 'refused', reason: 'no-terminal' };
    switch (command.action) {
      case 'terminal-status':
        return { terminal: { id: payments.terminalId, connection: payments.status().connection } };
      case 'pay': {
        const { id: paymentId, visitId, units, language } = command;
        const order = { paymentId, visitId, language, ...(units !== null && { quantity: units }) };
        // Said again it is the same payment: its id is the key.
        const answer = await payments.order(order, paymentId);
        return answer.ok ? { payment: answer.payment } : { outcome: 'refused', reason: answer.reason };
      }
      default:
        return command satisfies never;
    }
  }

  return {
    async take(command) {
      const { id, action, by } = command;
      const terminalId = 'terminalId' in command ? command.terminalId : null;
      const judged = age.judge(command);
      const answer: Partial<CommandReply> = judged.fresh
        ? await obey(command)
        : { outcome: 'expired', echo: judged.echo };
      const { outcome = 'done', reason } = answer;
      log.info({ event: LOG_EVENTS.commandTaken, id, action, terminalId, by, outcome, reason });
      const at = utcTime(clock.now());
      return { v: PROTOCOL_VERSION, id, lanes: [], echo: null, at, ...answer, outcome };
    },
  };
}

export function isFromKiosk(command: SiteCommand): command is KioskCommand {
  return ['pay', 'terminal-status', 'not-mine'].includes(command.action);
}
