import type { CommandReply, SiteCommand } from '@hlid/protocol/site-link/commands';
import { writeDevice } from '../src/records/devices/device-store.ts';
import type { TestApi } from './api.ts';
import { samplePayment } from './payments.ts';

/** A site reports its card terminal. */
export async function addTerminal(api: TestApi, deviceId = 'kiosk-1', siteId = api.site.id): Promise<void> {
  const at = api.now();
  const device = {
    siteId,
    kind: 'terminal',
    deviceId,
    name: null,
    state: 'ok',
    since: at,
    detail: '',
    at,
  } as const;
  await api.db.write(({ q }) => writeDevice(q, { ...device, mailedState: null, downSince: null }));
}

/** The answers of a site with a card terminal: every payment starts, for the visit in the command. */
export function terminalAnswers(): (command: SiteCommand) => Partial<CommandReply> {
  return (command) => {
    switch (command.action) {
      case 'terminal-status':
        return { terminal: { id: command.terminalId, connection: 'CONNECTED' } };
      case 'pay': {
        const { id, visitId, terminalId, language, units, sentAt } = command;
        const times = { createdAt: sentAt, changedAt: sentAt };
        const begun = { state: 'created', transaction: null, units: units ?? 1 } as const;
        const payment = samplePayment({ ...begun, receipt: [], ...times, id, visitId, terminalId, language });
        return { payment };
      }
      case 'reverse-payment': {
        const { paymentId: id, terminalId } = command;
        return { payment: samplePayment({ id, terminalId, needsPerson: true, reason: 'reversal-ordered' }) };
      }
      default:
        return {};
    }
  };
}
