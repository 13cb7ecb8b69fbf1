import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runProgram } from '@hlid/protocol/command-line/program';
import { deadline } from '@hlid/protocol/test/deadline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestBoard } from '../../test/board.ts';
import { runInShell } from '../../test/shell.ts';
import { writeTechnicianKey } from '../local-api/technician-key.ts';
import { EDGE_PROGRAM } from './edge-program.ts';

const gate = "{ kind: http, mode: pulse, open: { method: POST, url: 'http://127.0.0.1:9/' } }";
const CONFIG = `site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK }
cameras: [{ id: cam-in-1, lane: in-1, token: swordfish-1 }]
lanes: [{ id: in-1, name: In, direction: entry, gate: ${gate} }]
`;

/** The timeout suits a busy machine. */
const PATIENCE_MS = 20_000;

const pressCtrlC = () => process.emit('SIGINT');

test('the passages of all lanes of a camera are shown, each with its lane', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = `site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK }
cameras: [{ id: cam-both, token: swordfish-1, lanes: [{ lane: in-1, zone: 1 }, { lane: out-1, zone: 2 }] }]
lanes:
  - { id: in-1, name: In, direction: entry, gate: ${gate} }
  - { id: out-1, name: Out, direction: exit, gate: ${gate} }
`;
  writeFileSync(join(folder, 'edge.yaml'), config);
  const board = createTestBoard();
  const { url } = await board.api.start();
  onTestFinished(() => board.api.stop());
  writeTechnicianKey(folder, { url, secret: 'the-secret' });
  const printed: string[] = [];
  const watching = runProgram(EDGE_PROGRAM, ['camera', 'watch', 'cam-both', '--text'], {
    input: Readable.from([]),
    output: new PassThrough(),
    print: (line) => void printed.push(line),
    complain: () => undefined,
    environment: { HLID_DATA_DIR: folder },
    isTerminal: false,
  });
  const seen = (laneId: 'in-1' | 'out-1', plate: string) =>
    vi.waitUntil(
      () => {
        board.pass(laneId, { plate });
        return printed.some((line) => line.includes(`passage ${plate} at ${laneId}`));
      },
      { timeout: deadline(PATIENCE_MS), interval: 20 },
    );
  await seen('in-1', 'ABX12');
  await seen('out-1', 'KZD82');
  pressCtrlC();
  expect(await watching).toBe(0);
});

test('reads and passages of a camera that posts are shown, over a restart of the daemon', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'edge.yaml'), CONFIG);
  const environment = { HLID_DATA_DIR: folder };
  const nobody = await runInShell(['camera', 'watch', 'cam-in-1', '--seconds', '9'], { environment });
  expect(nobody).toMatchObject({ code: 1, complaint: expect.stringContaining('No daemon runs') });

  const begin = async () => {
    const board = createTestBoard();
    const { url } = await board.api.start();
    writeTechnicianKey(folder, { url, secret: 'the-secret' });
    return board;
  };
  const printed: string[] = [];
  const complaints: string[] = [];
  const first = await begin();
  const watching = runProgram(EDGE_PROGRAM, ['camera', 'watch', 'cam-in-1'], {
    input: Readable.from([]),
    output: new PassThrough(),
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
    environment,
    isTerminal: false,
  });
  const seen = (board: typeof first, plate: string) =>
    vi.waitUntil(
      () => {
        board.pass('out-1', { plate: 'OTHER1' });
        board.pass('in-1', { plate });
        return printed.some((line) => line.includes(plate));
      },
      { timeout: deadline(PATIENCE_MS), interval: 20 },
    );
  await seen(first, 'ABX12');
  first.read('in-1', { cameraId: 'cam-other', plate: 'OTHER2' });
  first.read('in-1', { plate: 'OLD123', standing: 'late' });
  first.read('in-1', { plate: 'GRP123', standing: 'late', reason: 'a group; see opensOnGroup' });
  first.read('in-1', { plate: null, score: 0, standing: 'refused', reason: 'not XML' });
  for (const gate of ['wanted', 'refused', 'wanted', 'refused'] as const) {
    first.pass('in-1', { plate: 'GATE1', id: 'passage-x', gate });
  }
  await vi.waitUntil(() => printed.some((line) => line.includes('"gate":"refused"')), {
    timeout: deadline(PATIENCE_MS),
  });
  await first.api.stop();
  const second = await begin();
  await seen(second, 'KZD82');
  pressCtrlC();
  expect(await watching).toBe(0);
  await second.api.stop();
  const lines = printed.map((line) => JSON.parse(line));
  expect(printed.join()).not.toContain('OTHER');
  const gates = lines.filter(({ plate }) => plate === 'GATE1').map(({ gate = null }) => gate);
  expect(gates).toEqual([null, 'refused']);
  expect(lines).toContainEqual(
    expect.objectContaining({ what: 'plate', cameraId: 'cam-in-1', plate: 'OLD123', standing: 'late' }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ plate: 'GRP123', reason: 'a group; see opensOnGroup' }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ what: 'refused', reason: 'not XML' }));
  const passage = { what: 'passage', plate: 'ABX12', open: true, reason: 'permit' };
  expect(lines).toContainEqual(expect.objectContaining(passage));
  expect(complaints).toEqual(['The daemon is away; waiting for it.', 'The daemon is back.']);
});
