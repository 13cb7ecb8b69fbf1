import { AxisGateSchema, createAxisGate } from '@hlid/edge/gate/axis-gate';
import type { Gate } from '@hlid/edge/gate/gate';
import { createHikvisionGate, HikvisionGateSchema } from '@hlid/edge/gate/hikvision-gate';
import { createSurvisionGate, SurvisionGateSchema } from '@hlid/edge/gate/survision-gate';
import { afterEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { startAxisBarrier } from './axis-barrier.ts';
import { type BarrierOptions, type BarrierSim, startBarrier } from './barrier-device.ts';
import { startHikvisionBarrier } from './hikvision-barrier.ts';
import { startSurvisionBarrier } from './survision-barrier.ts';

const LOGIN = { user: 'hlid', password: 'a "quoted" one' };
let device: BarrierSim;
afterEach(() => device.stop());

const common = () => ({ url: device.url, timeoutMs: 300 });
const hikvision = (more: object = {}) =>
  createHikvisionGate(HikvisionGateSchema.parse({ kind: 'hikvision', ...common(), ...LOGIN, ...more }));
const survision = () => createSurvisionGate(SurvisionGateSchema.parse({ kind: 'survision', ...common() }));
const axis = (more: object = {}) =>
  createAxisGate(
    AxisGateSchema.parse({ kind: 'axis', ...common(), ...LOGIN, port: 2, pulseMs: 150, ...more }),
  );

const MAKERS: [
  string,
  (options?: BarrierOptions) => Promise<BarrierSim>,
  () => Gate,
  string,
  BarrierOptions,
][] = [
  ['Hikvision', startHikvisionBarrier, hikvision, 'open', { login: LOGIN }],
  ['Survision', startSurvisionBarrier, survision, 'pulse', {}],
  ['Axis', startAxisBarrier, axis, 'pulse 150', { login: LOGIN }],
];

describe.each(MAKERS)('a barrier of %s', (_maker, start, make, pulse, options) => {
  it('opens once', async () => {
    device = await start(options);
    expect(await make().pulse()).toBe('done');
    expect(device.moved).toEqual([pulse]);
  });

  it('gets no command twice when it is silent, whether it moved or not', async () => {
    for (const acts of [true, false]) {
      device = await start(options);
      device.fail({ kind: 'silent', acts });
      expect(await make().pulse()).toBe('unknown');
      expect(device.moved).toEqual(acts ? [pulse] : []);
      if (acts) await device.stop();
    }
  });

  it('has an unknown outcome when it drops the connection before it answers', async () => {
    device = await start(options);
    device.fail({ kind: 'dropped', acts: true, midAnswer: false });
    expect(await make().pulse()).toBe('unknown');
    expect(device.moved).toEqual([pulse]);
  });

  it('has time to answer when it is slow', async () => {
    device = await start(options);
    device.fail({ kind: 'slow', answersAfterMs: 120 });
    expect(await make().pulse()).toBe('done');
  });

  it('is unreachable when it is absent', async () => {
    device = await start(options);
    const gate = make();
    await device.stop();
    expect(await gate.pulse()).toBe('unreachable');
    device = await start(options);
  });
});

describe.each([
  ['Hikvision', startHikvisionBarrier, hikvision],
  ['Axis', startAxisBarrier, axis],
] as const)('the login of %s', (_maker, start, make) => {
  it.each([['digest-md5'], ['digest-sha256'], ['digest-md5', 'digest-sha256']] as const)(
    'by %s',
    async (...ways) => {
      device = await start({ login: { ...LOGIN, ways } });
      const gate = make();
      expect([await gate.pulse(), await gate.pulse(), await gate.pulse()]).toEqual(['done', 'done', 'done']);
      // Asked for the login once: its nonce is used again.
      expect([device.requests(), device.failedLogins()]).toEqual([4, 0]);
    },
  );

  it('continues with a new nonce when the old one is used up', async () => {
    device = await start({ login: LOGIN, nonceUses: 1 });
    const gate = make();
    expect([await gate.pulse(), await gate.pulse()]).toEqual(['done', 'done']);
    expect(device.failedLogins()).toBe(0);
  });

  it('gets one login with a wrong password, and does not lock the account', async () => {
    device = await start({ login: LOGIN });
    const gate = make({ password: 'wrong' });
    for (let car = 0; car < 8; car++) expect(await gate.pulse()).toBe('refused');
    expect([device.failedLogins(), device.moved]).toEqual([1, []]);
    expect(await make().pulse()).toBe('done');
  });

  it('reports a wrong password before the first car comes, and tries it again on request', async () => {
    device = await start({ login: LOGIN });
    const [gate, wrong] = [make(), make({ password: 'wrong' })];
    expect(gate.login?.state()).toBe('unknown');
    gate.start?.();
    wrong.start?.();
    await waitFor(() => gate.login?.state() === 'ok', { what: 'the login' });
    await waitFor(() => wrong.login?.state() === 'refused', { what: 'the refusal' });
    expect(await wrong.pulse()).toBe('refused');
    expect(device.failedLogins()).toBe(1);
    wrong.login?.tryAgain?.();
    await waitFor(() => device.failedLogins() === 2, { what: 'the other try' });
    expect([wrong.login?.state(), device.moved]).toEqual(['refused', []]);
  });
});

it('holds a Hikvision barrier by locking it, and releases it', async () => {
  device = await startHikvisionBarrier({ login: LOGIN });
  const gate = hikvision();
  expect([await gate.hold?.(), await gate.pulse(), await gate.release?.(), await gate.pulse()]).toEqual([
    'done',
    'refused',
    'done',
    'done',
  ]);
  expect(device.moved).toEqual(['unlock', 'open', 'lock', 'unlock', 'close', 'open']);
  // Sent again, for example after a restart.
  expect([await gate.hold?.(), await gate.hold?.()]).toEqual(['done', 'done']);
});

it.each([false, true])(
  'reads in the text what a Hikvision device means by 200 (JSON: %s)',
  async (inJson) => {
    device = await startHikvisionBarrier({ login: LOGIN, kindStatus: true, inJson });
    expect(await hikvision({ channel: 2 }).pulse()).toBe('refused');
    expect(await hikvision().pulse()).toBe('done');
  },
);

it.each([
  ['hikvision', '<html><body>Log in</body></html>', 'unknown'],
  ['hikvision', '', 'done'],
  ['axis', '<!DOCTYPE html><html></html>', 'unknown'],
  ['axis', '# Error: port 2 is no output', 'refused'],
  ['axis', '', 'done'],
  ['axis', 'OK\r\n', 'done'],
])('%s: what 200 with the text %j means for the gate', async (maker, words, outcome) => {
  device = await startBarrier(() => ({ status: 200, contentType: 'text/html', text: words }), {});
  expect(await (maker === 'axis' ? axis() : hikvision()).pulse()).toBe(outcome);
});

it('accepts the status of a Hikvision device as its answer, though the text is incomplete', async () => {
  device = await startHikvisionBarrier({ login: LOGIN });
  device.fail({ kind: 'dropped', acts: true, midAnswer: true });
  expect(await hikvision().pulse()).toBe('done');
});

it('reads in the text whether a Survision camera opened the barrier', async () => {
  device = await startSurvisionBarrier({ broken: true });
  expect(await survision().pulse()).toBe('refused');
  await device.stop();
  device = await startSurvisionBarrier();
  device.fail({ kind: 'dropped', acts: true, midAnswer: true });
  expect(await survision().pulse()).toBe('unknown');
  expect(survision().hold).toBeUndefined();
});

it('holds an Axis output on, and reads the contact of the gate', async () => {
  device = await startAxisBarrier({ login: LOGIN });
  const gate = axis({ contact: { port: 1, closedWhen: 'active' } });
  expect(await gate.report?.()).toBe('closed');
  expect(await gate.hold?.()).toBe('done');
  expect(await gate.report?.()).toBe('open');
  expect(await gate.release?.()).toBe('done');
  expect(await gate.report?.()).toBe('closed');
  expect(device.moved).toEqual(['on', 'off']);
  device.fail({ kind: 'silent', acts: false });
  expect(await gate.report?.()).toBe('unknown');
});
