import type { NotMineCommand } from '@hlid/protocol/commands';
import type { KioskFault } from '@hlid/protocol/kiosk-api';
import { utcTime } from '@hlid/protocol/utc-time';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createCommandAge } from './command-age.ts';
import { createTerminalCommands, isFromKiosk } from './terminal-commands.ts';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const COMMAND: NotMineCommand = {
  ...{ v: 1, id: '01a1fc93-bdd6-7682-9b18-8dd0566e2411', action: 'not-mine' },
  ...{ visitId: '01a1fc93-bdd6-7682-9b18-8dd0566e2412', plate: 'BTE97', by: 'token:1' },
  ...{ sentAt: utcTime(NOW), expiresAt: utcTime(NOW.getTime() + 1000), echo: null },
};

function commandsThatAnswer(fault: KioskFault | null) {
  const asked: { visitId: string; typed: string }[] = [];
  const clock = { now: () => NOW };
  const commands = createTerminalCommands({
    payments: null,
    async disown(wish) {
      asked.push(wish);
      return fault;
    },
    ...{ age: createCommandAge(clock), clock, log: pino({ enabled: false }) },
  });
  return { commands, asked };
}

describe('a driver who says at a kiosk of the cloud that a visit is not his', () => {
  it('has the exit open', async () => {
    const { commands, asked } = commandsThatAnswer(null);
    expect(isFromKiosk(COMMAND)).toBe(true);
    expect(await commands.take(COMMAND)).toMatchObject({ id: COMMAND.id, outcome: 'done' });
    expect(asked).toEqual([{ visitId: COMMAND.visitId, typed: 'BTE97' }]);
  });

  it('hears why it does not, and not at all once the command is old', async () => {
    const { commands } = commandsThatAnswer('not-in-doubt');
    expect(await commands.take(COMMAND)).toMatchObject({ outcome: 'refused', reason: 'not-in-doubt' });
    const old = { ...COMMAND, sentAt: utcTime(0), expiresAt: utcTime(1000) };
    const late = commandsThatAnswer(null);
    expect(await late.commands.take(old)).toMatchObject({ outcome: 'expired' });
    expect(late.asked).toEqual([]);
  });
});
