import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createTestSite } from '../../test/site.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
});
afterEach(() => site.close());

const movements = () =>
  site.events().flatMap(({ body }) => (body.type === 'gate.moved' ? [[body.laneId, body.outcome]] : []));

it('writes down what a gate did once the database takes it, when it did not at first', async () => {
  site.db.exec(`CREATE TRIGGER no_movements BEFORE INSERT ON event WHEN NEW.body LIKE '%gate.moved%'
    BEGIN SELECT RAISE(ABORT, 'no'); END`);
  await site.read('in-1', 'ABX12');
  await site.read('in-2', 'MKJ45');
  expect([site.gates['in-1'].pulses, site.gates['in-2'].pulses, movements()]).toEqual([1, 1, []]);
  site.db.exec('DROP TRIGGER no_movements');
  await site.read('out-1', 'TUV99');
  await expect.poll(movements).toHaveLength(3);
  expect(
    movements()
      .map(([laneId]) => laneId)
      .sort(),
  ).toEqual(['in-1', 'in-2', 'out-1']);
});

it('believes a gate whose answer was lost, and that says it is open, and does not move it again', async () => {
  const gate = site.gates['out-1'];
  await site.read('in-1', 'ABX12');
  gate.outcome = 'unknown';
  gate.reports = 'open';
  await site.read('out-1', 'ABX12');
  expect(site.visits()[0]?.flags).toEqual(['gate-unconfirmed']);
  site.wait(3000);
  await site.read('out-1', 'ABX12');
  await expect.poll(() => site.visits()[0]?.flags).toEqual([]);
  expect(gate.pulses).toBe(1);
});

it('takes a gate to be open for as long as it is said to be, whatever becomes of the clock', async () => {
  const quick = createTestSite({ gateOpenMs: 500 });
  onTestFinished(() => quick.close());
  const isOpen = () => quick.core.lanes.get('in-1')?.gate.isOpen();
  await quick.read('in-1', 'ABX12');
  expect(isOpen()).toBe(true);
  quick.wait(499);
  expect(isOpen()).toBe(true);
  quick.wait(1);
  expect(isOpen()).toBe(false);
  quick.setClock(-86_400_000);
  await expect.poll(isOpen).toBe(false);
});

it('knows how a gate stands once it has said so, or has moved', async () => {
  const states = () =>
    site.core.lanes
      .lanes()
      .slice(0, 3)
      .map(({ gate }) => gate.state);
  expect(states()).toEqual(['unknown', 'unknown', 'unknown']);
  site.gates['in-1'].reports = 'closed';
  site.gates['in-2'].reports = 'open';
  site.core.lanes.start();
  onTestFinished(() => site.core.lanes.stop());
  await expect.poll(states).toEqual(['closed', 'open', 'unknown']);
  await site.read('out-1', 'ABX12');
  expect(states()[2]).toBe('open');
  site.gates['in-2'].reports = 'closed';
  await expect.poll(states).toEqual(['closed', 'closed', 'open']);
});

it('shows for each car whether its gate obeyed, also after a restart', async () => {
  const outcomes = (of = site) => of.core.lanes.lanes()[0]?.passages.map(({ plate, gate }) => [plate, gate]);
  site.gates['in-1'].outcome = 'refused';
  await site.read('in-1', 'ABX12');
  site.wait(60_000);
  site.gates['in-1'].outcome = 'done';
  await site.read('in-1', 'MKJ45');
  const reported = [
    ['MKJ45', 'done'],
    ['ABX12', 'refused'],
  ];
  expect(outcomes()).toEqual(reported);
  const again = createTestSite({ folder: site.folder, start: site.now() });
  onTestFinished(() => {
    again.core.stop();
    again.db.close();
  });
  expect(outcomes(again)).toEqual(reported);
});

it('shows since when a gate stands as it does, also where it has not moved since the start', () => {
  const before = site.core.lanes.lanes().map(({ gate }) => gate.since);
  site.wait(60_000);
  expect(site.core.lanes.lanes().map(({ gate }) => gate.since)).toEqual(before);
});

it('keeps what went wrong at a gate until a command is answered', async () => {
  const quick = createTestSite({ gateOpenMs: 500 });
  onTestFinished(() => quick.close());
  const gate = quick.gates['out-1'];
  const lane = quick.core.lanes.get('out-1')?.gate;
  const command = { id: 'c-1', laneId: 'out-1', action: 'pulse', by: 'user:u', reason: 'test' } as const;
  expect(await lane?.execute(command)).toBe('done');
  gate.outcome = 'unknown';
  expect(await lane?.execute({ ...command, id: 'c-2' })).toBe('unknown');
  // The end of the first opening is not an answer.
  quick.wait(1000);
  expect(lane?.view()).toMatchObject({ state: 'unknown', lastError: 'unknown' });
  const pulsing = lane?.execute({ ...command, id: 'c-3' });
  expect(lane?.view()).toMatchObject({ state: 'opening', lastError: 'unknown' });
  await pulsing;
  gate.outcome = 'done';
  await lane?.execute({ ...command, id: 'c-4' });
  expect(lane?.view()).toMatchObject({ state: 'open', lastError: null });
});

it('does not take a hold for an answer where the device is sent nothing', async () => {
  const gate = site.gates['out-1'];
  delete gate.close;
  delete gate.release;
  const lane = site.core.lanes.get('out-1')?.gate;
  const command = { id: 'c-1', laneId: 'out-1', by: 'user:u', reason: 'test' };
  gate.outcome = 'unknown';
  await lane?.execute({ ...command, action: 'pulse' });
  expect(await lane?.execute({ ...command, id: 'c-2', action: 'close' })).toBe('done');
  expect(await lane?.execute({ ...command, id: 'c-3', action: 'release' })).toBe('done');
  expect(lane?.view()).toMatchObject({ lastError: 'unknown' });
});
