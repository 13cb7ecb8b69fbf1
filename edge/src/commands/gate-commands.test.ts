import { newId } from '@hlid/node/new-id';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Command } from '@hlid/protocol/site-link/commands';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { CommandAge } from './command-age.ts';
import { GateCommands } from './gate-commands.ts';

let site: ReturnType<typeof createTestSite>;
let commands: GateCommands;

beforeEach(() => {
  site = createTestSite();
  commands = newCommands();
});
afterEach(() => site.close());

function newCommands() {
  const clock = { now: () => new Date(site.now()) };
  const { lanes, commit } = site.core;
  const context = { db: site.db, commit, clock, log: pino({ enabled: false }) };
  return new GateCommands(context, lanes, new CommandAge(clock));
}

function command(more: Partial<Command> = {}): Command {
  const sentAt = site.now();
  return {
    v: 1,
    id: newId(),
    action: 'open',
    laneId: 'in-1',
    by: 'account:someone',
    name: 'Someone',
    reasonCode: 'guest',
    passageId: null,
    lapseMinutes: null,
    reason: 'a bicycle',
    sentAt,
    expiresAt: utcTime(Date.parse(sentAt) + 1000),
    echo: null,
    ...more,
  };
}

const movements = () => site.events().flatMap(({ body }) => (body.type === 'gate.moved' ? [body] : []));

it('moves the gate and answers once that is recorded, with who and why', async () => {
  const given = command();
  expect(await commands.handle(given)).toMatchObject({
    id: given.id,
    outcome: 'done',
    lanes: [{ laneId: 'in-1', outcome: 'done' }],
  });
  expect(movements()).toMatchObject([
    { movementId: given.id, laneId: 'in-1', action: 'pulse', by: 'account:someone', reason: 'a bicycle' },
  ]);
  expect(site.gates['in-1'].pulses).toBe(1);
});

it('does a command once, also after a restart and with the clock set back', async () => {
  const given = command();
  await commands.handle(given);
  expect(await commands.handle(given)).toBeNull();
  expect(await newCommands().handle(given)).toBeNull();
  expect(site.gates['in-1'].pulses).toBe(1);
});

it('opens for the car that is meant, and not for another one that stands there by now', async () => {
  await site.price();
  await site.read('in-1', 'ABX12');
  await site.read('in-2', 'MKJ45');
  site.wait(5 * 3_600_000);
  await site.read('out-1', 'ABX12');
  const meant = site.core.lanes.get('out-1')?.cars.newest();
  const passageId = meant?.id ?? '';
  site.wait(20_000);
  // It backs away, and another car comes.
  await site.read('out-1', 'MKJ45');
  expect(await commands.handle(command({ laneId: 'out-1', passageId }))).toMatchObject({
    outcome: 'stale',
    lanes: [],
    car: { plate: 'MKJ45' },
  });
  expect(site.gates['out-1'].pulses).toBe(0);
  const now = site.core.lanes.get('out-1')?.cars.newest()?.id ?? '';
  expect(await commands.handle(command({ laneId: 'out-1', passageId: now }))).toMatchObject({
    outcome: 'done',
  });
  expect(site.visits().find(({ plate }) => plate === 'MKJ45')?.endedAt).toBe(site.now());
});

it('begins the visit of a car at an entrance that a person sees standing there for long', async () => {
  site.close();
  site = createTestSite({ settings: { permitsOnly: true } });
  commands = newCommands();
  await site.read('in-1', 'ABX12');
  site.wait(10 * 60_000);
  const passageId = site.core.lanes.get('in-1')?.cars.newest()?.id ?? '';
  expect(await commands.handle(command({ passageId }))).toMatchObject({ outcome: 'done' });
  expect(site.visits()).toMatchObject([{ plate: 'ABX12', status: 'new' }]);
});

it('opens for the car that a person on site sees, with reason and name for the cloud, and for no other', async () => {
  await site.price();
  await site.read('in-1', 'ABX12');
  site.wait(5 * 3_600_000);
  await site.read('out-1', 'ABX12');
  const passageId = site.core.lanes.get('out-1')?.cars.newest()?.id ?? '';
  const person = { by: 'on-site:loopback', name: 'on site', from: '127.0.0.1', laneId: 'out-1' };
  const open = { ...person, action: 'open', reasonCode: 'cannot-pay', reason: 'cash only' } as const;
  expect(await commands.moveForPerson({ ...open, passageId: newId() })).toMatchObject({ outcome: 'stale' });
  expect(site.gates['out-1'].pulses).toBe(0);
  expect(await commands.moveForPerson({ ...open, passageId })).toEqual({ outcome: 'done' });
  const { by } = person;
  expect(movements().at(-1)).toMatchObject({
    by,
    passageId,
    reasonCode: 'cannot-pay',
    reason: 'cash only',
  });
  const hold = { ...person, action: 'hold', reasonCode: 'works', reason: '', lapseMinutes: 30 } as const;
  await commands.moveForPerson(hold);
  const lapsesAt = utcTime(Date.parse(site.now()) + 30 * 60_000);
  expect(movements().at(-1)).toMatchObject({ action: 'hold', by, lapsesAt });
  expect(site.core.lanes.get('out-1')?.view().gate.hold).toMatchObject({ name: 'on site', lapsesAt });
  expect(await commands.moveForPerson({ ...open, laneId: 'in-9' })).toEqual({ outcome: 'unknown-lane' });
});

it('does not do what is expired', async () => {
  const given = command();
  site.wait(1500);
  expect(await commands.handle(given)).toMatchObject({
    outcome: 'expired',
    lanes: [],
    echo: expect.any(String),
  });
  expect([site.gates['in-1'].pulses, movements()]).toEqual([0, []]);
});

it('knows no lane of that name', async () => {
  expect(await commands.handle(command({ laneId: 'in-9' }))).toMatchObject({
    outcome: 'unknown-lane',
    lanes: [],
  });
});

it('holds all gates open, and answers with the worst of it', async () => {
  site.gates['in-2'].outcome = 'unreachable';
  expect(await commands.handle(command({ action: 'hold', laneId: null }))).toMatchObject({
    outcome: 'unreachable',
    lanes: [
      { laneId: 'in-1', outcome: 'done' },
      { laneId: 'in-2', outcome: 'unreachable' },
      { laneId: 'out-1', outcome: 'done' },
      { laneId: 'out-2', outcome: 'done' },
    ],
  });
  expect(site.core.lanes.get('out-1')?.gate.mode()).toBe('held-open');
  expect(await commands.move({ action: 'release', laneId: null, by: 'technician', reason: '' })).toHaveLength(
    4,
  );
  expect(site.core.lanes.get('out-1')?.gate.mode()).toBe('automatic');
});

it('says what the gate said', async () => {
  for (const outcome of ['refused', 'unreachable', 'unknown'] as const) {
    site.gates['in-1'].outcome = outcome;
    expect(await commands.handle(command())).toMatchObject({ outcome });
  }
});
