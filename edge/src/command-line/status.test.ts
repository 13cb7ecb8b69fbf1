import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useDaemon } from '../../test/daemon.ts';
import { runAtTerminal } from '../../test/shell.ts';

const daemon = useDaemon();
const { run, runInPipe } = daemon;

test('all is well: what works, and nothing to do', async () => {
  const { code, printed } = await run('status');
  expect(code).toBe(0);
  expect(printed[0]).toBe('Bílastæðið: all is well.');
  const text = printed.join('\n');
  expect(text).toContain('\n  Gate in-1: in order, closed');
  expect(text).toContain('\n  Camera cam-out-1: in order');
  expect(text).not.toContain('Needs attention');
});

test('problems come first, with advice', async () => {
  daemon.site.changeDevice('camera', 'cam-in-1', {
    state: 'unreachable',
    detail: 'connect ECONNREFUSED',
    since: '2026-11-21T08:10:00.000Z',
  });
  const { code, printed } = await run('status');
  expect(code).toBe(1);
  expect(printed.slice(0, 1)).toEqual(['Bílastæðið: it works, but something needs attention.']);
  const at = printed.indexOf('Needs attention:');
  expect(printed.slice(at + 1, at + 3)).toEqual([
    '  Camera cam-in-1: cannot be reached since 2026-11-21T08:10:00.000Z (connect ECONNREFUSED)',
    '      Check its power, its network cable and its address.',
  ]);
  expect(printed.indexOf('Works:')).toBeGreaterThan(at);
  expect(printed.join('\n').match(/cam-in-1/g)).toHaveLength(1);
});

test('problems that are no alarm yet, and gates that are held by hand, are shown too', async () => {
  daemon.site.moveGate('out-1', 'unknown', 'no answer');
  const { code, printed } = await run('status');
  expect([code, printed]).toEqual([1, expect.arrayContaining(['  Gate out-1: no answer'])]);
});

test('a daemon that cannot write its database is failing', async () => {
  daemon.site.breakDisk('database or disk is full');
  const { code, printed } = await run('status');
  expect(code).toBe(1);
  expect(printed[0]).toBe('Bílastæðið: it does not work.');
  expect((await runInPipe('status')).printed.join('')).toContain('"status":"failing"');
  expect(printed).toEqual(
    expect.arrayContaining(['Broken:', '  the database cannot be written: database or disk is full']),
  );
});

test('a way to pay that does not work is reported, by config check too', async () => {
  const open = "{ kind: http, open: { url: 'http://127.0.0.1:9/' } }";
  writeFileSync(
    join(daemon.folder, 'edge.yaml'),
    `site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK, settings: { helpPhone: '555', payOnline: 'https://pay.example' } }
lanes: [{ id: out-1, name: Out, direction: exit, gate: ${open} }]
cameras: [{ id: cam-1, lane: out-1, token: swordfish-1 }]
`,
  );
  expect((await run('config check')).complaint).toBe('');
  daemon.site.addDevice('payment', {
    state: 'failing',
    alarm: true,
    detail: 'the card gateway of the cloud is off',
  });
  const problem = /Ways to pay: .*card gateway of the cloud is off.*open by hand/;
  expect((await run('status')).printed.join(' ')).toMatch(problem);
  expect(await run('config check')).toMatchObject({ code: 0, complaint: expect.stringMatching(problem) });
  const { warnings } = JSON.parse((await runInPipe('config check')).printed[0] ?? '');
  expect(warnings).toEqual([expect.stringMatching(problem)]);
  await daemon.site.api.stop();
  expect((await run('config check')).complaint).toBe('');
});

test('scripts get the daemon’s answer, and the same exit codes', async () => {
  const { code, printed } = await runInPipe('status');
  expect([code, JSON.parse(printed.join(''))]).toMatchObject([
    0,
    { status: 'ok', site: { name: 'Bílastæðið' } },
  ]);
});

test('no daemon, and one that was killed, are reported', async () => {
  const nobody = await runAtTerminal(['status'], {
    environment: { HLID_DATA_DIR: join(daemon.folder, 'other') },
  });
  expect(nobody).toMatchObject({
    code: 1,
    printed: [],
    complaint: expect.stringMatching(/No daemon runs[\s\S]*Start it/),
  });
  await daemon.site.api.stop();
  const gone = await run('status --json');
  expect(gone).toMatchObject({ code: 1, printed: ['{"status":"not-running"}'] });
  expect(gone.complaint).toMatch(/does not answer/);
});

test('camera try-again makes the daemon log in again', async () => {
  const { code, printed } = await run('camera try-again cam-in-1');
  expect([code, printed]).toEqual([0, ['camera cam-in-1: trying; status shows the result']]);
  expect((await run('camera try-again --json')).printed).toEqual([
    '{"devices":[{"kind":"camera","id":"cam-in-1"}]}',
  ]);
  expect(daemon.site.triedAgain).toEqual([{ kind: 'camera', id: 'cam-in-1' }, null]);
  const refused = await run('camera try-again nobody');
  expect(refused).toMatchObject({ code: 1, complaint: expect.stringContaining('is no device of this site') });
});
