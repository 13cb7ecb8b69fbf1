import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GateReport } from '@hlid/edge/gate/gate';
import { createTestSite } from '@hlid/edge/test/site';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/*
 * If nothing is due and it is uncertain whether the gate opened, the gate opens again. The cases are every
 * kind of gate × fault × step × with or without a second read, and a kill at every step. Time is simulated.
 */

type Site = ReturnType<typeof createTestSite>;

let folder: string;
let site: Site;
/** Whether the gate has opened since the car came. */
let opened: boolean;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  folder = mkdtempSync(join(tmpdir(), 'hlid-doubt-'));
  opened = false;
});
afterEach(() => {
  stopSite();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function stopSite(): void {
  site.core.stop();
  site.db.close();
}

const shown = () => site.core.lanes.lanes().find(({ id }) => id === 'out-1')?.instruction?.code ?? null;

/** The reaction of the gate's device to a command: whether it acts, and how its driver reads the answer. */
interface Answer {
  acts: boolean;
  outcome: GateOutcome | 'never';
}

/** A device that gives these answers, and works after that. */
function rig(answers: readonly Answer[], reports: GateReport | null, toggles = false): void {
  const gate = site.gates['out-1'];
  const left = [...answers];
  let standsOpen = false;
  gate.reports = reports;
  gate.pulse = () => {
    gate.pulses++;
    const { acts, outcome } = left.shift() ?? { acts: true, outcome: 'done' };
    if (acts) {
      standsOpen = toggles ? !standsOpen : true;
      if (standsOpen) opened = true;
      setTimeout(() => {
        standsOpen = false;
      }, 20_000);
    }
    return outcome === 'never' ? new Promise(() => undefined) : Promise.resolve(outcome);
  };
}

async function settled(): Promise<void> {
  for (let commits = 0; commits < 4; commits++) await site.core.commit.run(() => undefined);
}

/** Time goes by, second by second; the display is never blank before the gate has opened. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms && !opened; passed += 500) {
    site.wait(500);
    vi.advanceTimersByTime(500);
    await settled();
    if (!opened) expect(shown(), `${passed} ms after`).not.toBeNull();
  }
}

function restart(): void {
  const start = site.now();
  stopSite();
  // The timers of the program that is gone.
  vi.clearAllTimers();
  site = createTestSite({ folder, start });
}

const LOST: Answer = { acts: false, outcome: 'unknown' };
const FAULTS: [string, Answer[]][] = [
  ['takes one command and loses it', [LOST]],
  ['loses five', [LOST, LOST, LOST, LOST, LOST]],
  ['refuses', [{ acts: false, outcome: 'refused' }]],
  ['cannot be reached, and then does not answer', [{ acts: false, outcome: 'unreachable' }, LOST, LOST]],
  ['does not answer for five minutes', Array.from({ length: 14 }, () => LOST)],
];
const KINDS: [string, GateReport | null, boolean][] = [
  ['a relay without a state', null, false],
  ['a gate that reports closed', 'closed', false],
  ['a gate whose report is lost too', 'unknown', false],
  ['a gate that a second command closes', null, true],
];

describe.each(KINDS)('%s', (_kind, reports, toggles) => {
  describe.each(FAULTS)('that %s', (_fault, answers) => {
    it.each(['one read', 'reads each 20 seconds'] as const)('lets the car out, with %s', async (reads) => {
      site = createTestSite({ folder, gateToggles: toggles });
      rig(answers, reports, toggles);
      await site.read('out-1', 'ABX12');
      for (let rounds = 0; rounds < 30 && !opened; rounds++) {
        await pass(20_000);
        if (reads !== 'one read' && !opened) await site.read('out-1', 'ABX12');
      }
      expect(opened).toBe(true);
      expect(site.visits()).toEqual([]);
    });
  });
});

describe('after a kill', () => {
  it.each<[string, Answer[]]>([
    ['between the commit and the answer', [{ acts: false, outcome: 'never' }]],
    ['after an answer that was lost', [LOST]],
    ['after a refusal', [{ acts: false, outcome: 'refused' }]],
    ['after it could not be reached', [{ acts: false, outcome: 'unreachable' }]],
    ['in the middle of the second try', [LOST, { acts: false, outcome: 'never' }]],
  ])('%s, an exit opens', async (_when, answers) => {
    site = createTestSite({ folder });
    rig(answers, null);
    await site.read('out-1', 'ABX12');
    if (answers.length > 1) await pass(2500);
    restart();
    expect(shown()).not.toBeNull();
    rig([], null);
    await pass(10_000);
    expect(opened).toBe(true);
    const [before] = [site.gates['out-1'].pulses];
    // It answered: the outcome is certain now.
    site.wait(10 * MINUTE_MS);
    vi.advanceTimersByTime(10 * MINUTE_MS);
    await settled();
    expect(site.gates['out-1'].pulses).toBe(before);
  });

  it('between a poor read and the decision for it, an exit opens', async () => {
    site = createTestSite({ folder });
    await site.read('out-1', 'ABX12', { score: 0.3 });
    restart();
    rig([], null);
    await pass(5000);
    expect(opened).toBe(true);
  });

  it('and a kill again, an exit opens', async () => {
    site = createTestSite({ folder });
    rig([{ acts: false, outcome: 'never' }], null);
    await site.read('out-1', 'ABX12');
    restart();
    rig([LOST], null);
    await pass(3000);
    restart();
    rig([], null);
    await pass(10_000);
    expect(opened).toBe(true);
  });

  it('does not open for whom another car or another lane shows to have gone, nor a day later', async () => {
    for (const goes of [
      () => site.read('out-2', 'ABX12'),
      async () => {
        await site.price();
        await site.read('in-1', 'KZD82');
        site.wait(5 * HOUR_MS);
        await site.read('out-1', 'KZD82');
      },
      async () => site.wait(DAY_MS),
    ]) {
      site = createTestSite({ folder: mkdtempSync(join(folder, 'each-')) });
      rig([LOST], null);
      await site.read('out-1', 'ABX12');
      site.wait(1000);
      await goes();
      const { pulses } = site.gates['out-1'];
      const at = site.folder;
      const start = site.now();
      stopSite();
      vi.clearAllTimers();
      expect(pulses).toBe(1);
      site = createTestSite({ folder: at, start });
      for (let minutes = 0; minutes < 40; minutes++) {
        site.wait(MINUTE_MS);
        vi.advanceTimersByTime(MINUTE_MS);
        await settled();
      }
      expect(site.gates['out-1'].pulses).toBe(0);
    }
  });
});

it('does not send a second command to a gate that it closes before that has come to rest', async () => {
  site = createTestSite({ folder, gateToggles: true });
  rig([{ acts: true, outcome: 'unknown' }], null, true);
  await site.read('out-1', 'ABX12');
  for (let seconds = 0; seconds < 29; seconds++) {
    site.wait(1000);
    vi.advanceTimersByTime(1000);
    await settled();
  }
  expect(site.gates['out-1'].pulses).toBe(1);
});

it('stops when a person has opened, and alerts people at the last try', async () => {
  site = createTestSite({ folder, settings: { helpPhone: '+354 555 0100' } });
  rig(
    Array.from({ length: 200 }, () => LOST),
    null,
  );
  await site.read('out-1', 'ABX12');
  await pass(40 * MINUTE_MS);
  expect(site.alerts()).toEqual(['needs-help']);
  expect(shown()).toBe('call-for-help');
  const { pulses } = site.gates['out-1'];
  expect(pulses).toBeGreaterThan(50);
  expect(pulses).toBeLessThan(100);

  await site.read('out-1', 'KZD82');
  rig([], null);
  const open = { id: '01a1fc93-bdd6-7682-9b18-8dd0566e2418', action: 'pulse', by: 'account:1' } as const;
  await site.execute({ ...open, laneId: 'out-1', reason: 'test' });
  const after = site.gates['out-1'].pulses;
  site.wait(10 * MINUTE_MS);
  vi.advanceTimersByTime(10 * MINUTE_MS);
  await settled();
  expect([site.gates['out-1'].pulses, shown()]).toEqual([after, null]);
});
