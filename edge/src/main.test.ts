import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { hashPin, makePin } from './base/pin-hash.ts';

const built = process.env['HLID_PROGRAMS_BUILT'];
/** The program as it is built before the tests, which starts sooner. */
const PROGRAM =
  built === undefined
    ? ['--conditions=source', '--import', 'tsx', fileURLToPath(new URL('main.ts', import.meta.url))]
    : [fileURLToPath(new URL(`../${built}/main.js`, import.meta.url))];

function startMain(environment: Record<string, string> = {}, more = '') {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-main-'));
  const open = "{ method: POST, url: 'http://127.0.0.1:9/' }";
  writeFileSync(
    join(folder, 'edge.yaml'),
    `site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK }
lanes: [{ id: in-1, name: In, direction: entry, gate: { kind: http, mode: pulse, open: ${open} } }]
${more}
`,
  );
  const child = spawn(process.execPath, PROGRAM, {
    env: {
      ...process.env,
      HLID_DATA_DIR: folder,
      HLID_EDGE_PORT: '0',
      HLID_CAMERA_PORT: '0',
      HLID_LOG_LEVEL: 'info',
      ...environment,
    },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  return { child, ended: once(child, 'close') };
}

test('the daemon prints its address when it is ready, and stops cleanly on a signal', async () => {
  const { child, ended } = startMain();
  const facts: Record<string, unknown>[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const fact = JSON.parse(line);
    facts.push(fact);
    if (fact.event !== 'edge.ready') continue;
    const health = await fetch(`${fact.localUrl}/health`);
    expect(await health.json()).toMatchObject({
      site: { name: 'Demo' },
      lanes: [{ id: 'in-1' }],
      link: null,
    });
    // The page is open meanwhile.
    const page = await fetch(`${fact.localUrl}/api/events`);
    expect(page.status).toBe(200);
    child.kill('SIGTERM');
  }
  // Its devices are found out about meanwhile.
  const course = facts.filter(({ event }) => String(event).startsWith('edge.'));
  expect(course.map(({ event }) => event)).toEqual(['edge.ready', 'edge.stopping', 'edge.stopped']);
  expect(course[0]).toMatchObject({ cameraUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  expect(await ended).toEqual([0, null]);
});

test('a port that is taken ends it with the setting to change', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const { child, ended } = startMain({ HLID_CAMERA_PORT: port });
  const [complaint] = await Promise.all([text(child.stderr), text(child.stdout)]);
  expect(complaint).toMatch(new RegExp(`Port ${port} .*taken.*HLID_CAMERA_PORT`));
  expect(await ended).toEqual([2, null]);
});

test('an address for cameras that is not there at boot keeps nothing else from working', async () => {
  const onSite = `{ network: { host: 198.51.100.7, port: 0 }, pin: "${await hashPin(makePin())}" }`;
  const { child, ended } = startMain({}, `cameraHost: 203.0.113.7\nonSite: ${onSite}`);
  const reasons: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const fact = JSON.parse(line);
    if (fact.event === 'listener.waiting') reasons.push(fact.reason);
    if (fact.event !== 'edge.ready') continue;
    expect((await fetch(`${fact.localUrl}/health`)).status).toBe(200);
    child.kill('SIGTERM');
  }
  expect(reasons.sort()).toEqual([
    expect.stringMatching(/198\.51\.100\.7 \(onSite\.network\.host\)/),
    expect.stringMatching(/203\.0\.113\.7 \(cameraHost\)/),
  ]);
  expect(await ended).toEqual([0, null]);
});

test('a configuration that is not right ends it with what is wrong', async () => {
  const { child, ended } = startMain({ HLID_EDGE_PORT: 'seventy' });
  const [complaint, log] = await Promise.all([text(child.stderr), text(child.stdout)]);
  expect(complaint).toMatch(/HLID_EDGE_PORT: a port/);
  expect(log).toBe('');
  expect(await ended).toEqual([2, null]);
});

test('a tool whose reader has seen enough ends without a word', async () => {
  const child = spawn(process.execPath, [...PROGRAM, '--help']);
  child.stdout.destroy();
  expect(await text(child.stderr)).toBe('');
});
