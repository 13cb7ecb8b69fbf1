import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useDaemon } from '../../test/daemon.ts';
import { removeTechnicianKey } from '../local-api/technician-key.ts';

const daemon = useDaemon();
const { run, runInPipe } = daemon;

test('gate list shows every gate, for people and for scripts', async () => {
  daemon.site.moveGate('out-1', 'unknown', 'refused');
  const detail = 'it does not take user and password';
  daemon.site.changeDevice('gate', 'out-1', { state: 'login-refused', detail, alarm: true });
  const { code, printed } = await run('gate list');
  const trouble = `refuses the login (${detail})`;
  const rows = ['in-1   Entrance 1  entry  closed', `out-1  Exit 1      exit   unknown  ${trouble}`];
  expect([code, printed]).toEqual([0, rows]);
  const scripted = await runInPipe('gate list');
  expect(JSON.parse(scripted.printed.join(''))).toMatchObject({
    gates: [
      { laneId: 'in-1', state: 'closed', hold: null, health: 'ok', trouble: null },
      { laneId: 'out-1', lastError: 'refused', health: 'login-refused', trouble },
    ],
  });
});

test('gate pulse prints JSON in a pipe, and sends who and why to the daemon', async () => {
  const { code, printed } = await runInPipe('gate pulse in-1 --reason test');
  expect([code, printed]).toEqual([0, ['{"lanes":[{"laneId":"in-1","outcome":"done"}]}']]);
  expect(daemon.site.commands).toEqual([
    { action: 'open', laneId: 'in-1', reason: 'test', by: 'technician' },
  ]);
});

test('gate hold and release, of one and of all', async () => {
  expect(await run('gate hold --all')).toMatchObject({ code: 0, printed: ['in-1: done'] });
  expect(await run('gate release out-1')).toMatchObject({ code: 0, printed: ['out-1: done'] });
  expect(daemon.site.commands).toMatchObject([
    { action: 'hold', laneId: null },
    { action: 'release', laneId: 'out-1' },
  ]);
});

test('gate try-again logs in again at that gate, or wherever a login was refused', async () => {
  expect(await run('gate try-again out-1')).toMatchObject({ code: 0 });
  expect(await run('gate try-again')).toMatchObject({ code: 0 });
  expect(await run('gate try-again nobody')).toMatchObject({ code: 1 });
  expect(daemon.site.triedAgain).toEqual([
    { kind: 'gate', id: 'out-1' },
    null,
    { kind: 'gate', id: 'nobody' },
  ]);
});

test('an unknown lane, or no daemon, is reported', async () => {
  expect(await run('gate hold in-9')).toMatchObject({
    code: 1,
    printed: [],
    complaint: 'There is no lane in-9.',
  });
  await daemon.site.api.stop();
  expect(await run('gate list')).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/does not answer/),
  });
  removeTechnicianKey(daemon.folder);
  expect(await run('gate list')).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/No daemon runs/),
  });
});

test('the key is for its owner only', () => {
  expect(statSync(join(daemon.folder, 'local-api.json')).mode & 0o777).toBe(0o600);
});
