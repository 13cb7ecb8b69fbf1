import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ZvtTerminalSchema } from '@hlid/edge/terminal/zvt/zvt-options';
import { ZvtTerminal } from '@hlid/edge/terminal/zvt/zvt-terminal';
import { createLog } from '@hlid/node/log';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { order, witness } from '../sim/zvt-rig.ts';
import { startDemoTerminal } from './demo-terminal.ts';

let folder: string;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-demo-terminal-'));
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  rmSync(folder, { recursive: true });
});

it.each([
  ['decline', { kind: 'declined', reason: 'refused' }],
  ['expired', { kind: 'declined', reason: 'card-expired' }],
  ['cancel', { kind: 'cancelled' }],
  ['timeout', { kind: 'cancelled' }],
  ['something else', { kind: 'approved' }],
])('ends the next payment as it is written: %s', async (word, outcome) => {
  const nextCard = join(folder, 'next-card');
  writeFileSync(nextCard, `${word}\n`);
  const sim = await startDemoTerminal({
    keeper: { read: () => null, write: () => undefined },
    nextCard,
    afterMs: 20,
    cardMs: 200,
    bankMs: 0,
  });
  ends.push(() => sim.close());
  const driver = new ZvtTerminal(ZvtTerminalSchema.parse({ ...sim.config, id: 'pos-1' }), {
    currency: 'ISK',
    clock: { now: () => new Date() },
    log: createLog('edge', 'fatal'),
  });
  ends.push(() => driver.stop());
  driver.start();
  await waitFor(() => driver.status().connection === 'CONNECTED', { what: 'the terminal' });
  expect(await driver.pay(order(), witness().events)).toMatchObject(outcome);
  expect(existsSync(nextCard)).toBe(false);
});
