import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInShell } from '@hlid/edge/test/shell';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { startEdge } from '../harness/edge-program.ts';
import { waitFor } from '../harness/wait.ts';
import { startZvtTerminal, type ZvtTerminal } from './zvt-terminal.ts';

let sim: ZvtTerminal;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-zvt-'));
  sim = await startZvtTerminal();
});
afterEach(async () => {
  await sim.close();
  rmSync(folder, { recursive: true, force: true });
});

function writeConfig() {
  const config = {
    site: { name: 'Miðbær', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} },
    lanes: [
      {
        id: 'out-1',
        name: 'Út',
        direction: 'exit',
        gate: { kind: 'http', open: { url: 'http://127.0.0.1:9/' } },
      },
    ],
    terminal: { id: 'pos-1', ...sim.config },
  };
  writeFileSync(join(folder, 'edge.yaml'), stringify(config));
  return config;
}

async function run(verb: string, ...options: string[]) {
  writeConfig();
  const words = ['terminal', verb, ...options];
  const { code, printed, complaint } = await runInShell(words, { environment: { HLID_DATA_DIR: folder } });
  return { code, answer: printed.map((line) => JSON.parse(line))[0], complaint };
}

it('terminal status --direct queries the terminal itself', async () => {
  expect(await run('status', '--direct')).toMatchObject({
    code: 0,
    answer: { id: 'pos-1', connection: 'CONNECTED', problem: null },
    complaint: '',
  });
  expect(sim.received.at(-1)).toBe('0602');
});

it('terminal status --direct reports why a terminal accepts no payments', async () => {
  sim.faults.refusesLogin = true;
  expect(await run('status', '--direct')).toMatchObject({
    code: 1,
    answer: { connection: 'LOGINFAILED', code: '83' },
  });
});

it('terminal status fails if no daemon runs', async () => {
  expect(await run('status')).toMatchObject({ code: 1, complaint: expect.stringContaining('No daemon') });
});

it('terminal diagnose tests what a site depends on, and moves no money', async () => {
  expect(await run('diagnose')).toMatchObject({
    code: 0,
    answer: { ok: true, connection: 'CONNECTED', reportsNewest: true, newest: '0001.000001' },
  });
  expect(sim.received).toContain('0670');
  expect(sim.received).not.toContain('0601');
});

it('terminal diagnose finds a terminal that does not keep its last result', async () => {
  sim.faults.hidesNewest = true;
  expect(await run('diagnose')).toMatchObject({ code: 1, answer: { ok: false, reportsNewest: false } });
});

it('terminal status queries the daemon if one runs, and not the terminal', async () => {
  const config = writeConfig();
  const edge = await startEdge({ folder, document: { ...config, cameras: [] } });
  try {
    const status = await waitFor(
      async () => {
        const reported = await run('status');
        return reported.answer?.state === 'ok' && reported;
      },
      { what: 'a daemon whose terminal is ready' },
    );
    expect(status).toMatchObject({ code: 0, answer: { kind: 'terminal', id: 'pos-1' } });
    const words = ['terminal', 'status', '--text'];
    const { printed } = await runInShell(words, { environment: { HLID_DATA_DIR: folder } });
    expect(printed[0]).toMatch(/^Card terminal pos-1: in order since /);
    expect(await run('diagnose')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('one connection at a time'),
    });
    expect(sim.received.filter((control) => control === '0600')).toHaveLength(1);
  } finally {
    await edge.stop();
  }
});
