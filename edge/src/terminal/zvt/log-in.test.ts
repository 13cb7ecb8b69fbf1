import { describe, expect, it } from 'vitest';
import type { CommandRunner, DialogueEnd } from './dialogue.ts';
import { checkTerminal } from './log-in.ts';
import type { Lead } from './message-frame.ts';

const completed = (lead: Lead): DialogueEnd => ({
  kind: 'completed',
  code: null,
  message: { control: 0x060f, lengthForm: 'short', lead, fields: [] },
});

/** A terminal that answers each status enquiry like this. */
const answering = (end: DialogueEnd): CommandRunner => ({
  run: async () => end,
});

describe('a look at a terminal', () => {
  it.each<[string, DialogueEnd, object]>([
    ['is ready', completed({ terminalStatus: 0 }), { connection: 'CONNECTED', code: null }],
    ['says nothing but that it is there', completed({}), { connection: 'CONNECTED', code: null }],
    ['has no such command', { kind: 'refused', code: 0x83 }, { connection: 'CONNECTED', code: null }],
    ['has a card in it', completed({ terminalStatus: 0xdc }), { connection: 'CONNECTED', code: 'DC' }],
    ['has no printer', completed({ terminalStatus: 0xcc }), { connection: 'CONNECTED', code: 'CC' }],
    ['is out of order', completed({ terminalStatus: 0xdf }), { connection: 'UNKNOWN', code: 'DF' }],
    ['is busy', { kind: 'refused', code: 0x9c }, { connection: 'ACTIVE', registered: true }],
    ['knows nobody', { kind: 'refused', code: 0x6b }, { connection: 'NOTLOGGEDIN', registered: false }],
    [
      'is silent',
      { kind: 'lost', problem: 'no answer', line: false },
      { connection: 'UNKNOWN', registered: false },
    ],
  ])('that %s', async (_what, end, login) => {
    expect(await checkTerminal(answering(end), { password: '000000' })).toMatchObject(login);
  });
});
