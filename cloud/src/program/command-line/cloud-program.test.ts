import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@hlid/protocol/command-line/program';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLOUD_PROGRAM } from './cloud-program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-cloud-program-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const dataDir = () => join(folder, 'data');

async function run(line: string, { isTerminal = false, environment = {} } = {}) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await runProgram(CLOUD_PROGRAM, line.split(' ').filter(Boolean), {
    print: (text) => void printed.push(text),
    complain: (text) => void complaints.push(text),
    environment: { HLID_DATA_DIR: dataDir(), ...environment },
    isTerminal,
  });
  return { code, printed: printed.join('\n'), complaint: complaints.join('\n') };
}

test.each([
  ['--help', { code: 0, printed: expect.stringContaining('Usage: npm run -s cloud -- [COMMAND]') }],
  ['--version', { code: 0, printed: expect.stringMatching(/^hlid-cloud\/\d/) }],
  ['config check --help', { code: 0, printed: expect.stringMatching(/^config check: /) }],
  [
    '--hepl',
    { code: 2, complaint: expect.stringMatching(/^there is no option --hepl; did you mean --help/) },
  ],
  ['config chek', { code: 2, complaint: expect.stringContaining('did you mean config check?') }],
  ['--port 80', { code: 2, complaint: expect.stringContaining('there is no option --port') }],
  ['serve', { code: 2, complaint: expect.stringContaining('there is no command "serve"') }],
])('%s starts nothing and makes no database', async (line, answer) => {
  expect(await run(line)).toMatchObject(answer);
  expect(existsSync(dataDir())).toBe(false);
});

test('config check shows what the configuration comes to, and no secret', async () => {
  const file = join(folder, 'cloud.yaml');
  const environment = { HLID_CLOUD_CONFIG: file };
  writeFileSync(
    file,
    'apiKey: swordfish-swordfish\nsmtp: { url: "smtps://me:swordfish@mail.example", from: p@x.is }\npublicUrl: https://me:swordfish@x.example\n',
  );
  const [people, scripts] = [
    await run('config check', { environment, isTerminal: true }),
    await run('config check', { environment }),
  ];
  expect(people).toMatchObject({ code: 0, complaint: expect.stringMatching(/mqtt\.host: .*without TLS/) });
  expect(people.printed).toMatch(/^.*cloud\.yaml is valid\.\n[\s\S]*mail +smtps:\/\/mail\.example\n/);
  expect(JSON.parse(scripts.printed)).toMatchObject({ ok: true, config: file, http: '0.0.0.0:8080' });
  expect(scripts.printed).toContain('"publicUrl":"https://x.example"');
  expect(people.printed + people.complaint + scripts.printed).not.toContain('swordfish');
  writeFileSync(
    file,
    'publicUrl: "http//me:swordfish@x.example"\nsmtp: { url: "http://me:swordfish@x.example", from: p@x.is }\n',
  );
  const wrong = await run('config check', { environment });
  expect(wrong.code).toBe(2);
  expect(wrong.complaint).not.toContain('swordfish');
  expect(existsSync(dataDir())).toBe(false);
});

test('gateway diagnose says how each gateway is, and fails where there is none', async () => {
  const file = join(folder, 'cloud.yaml');
  const environment = { HLID_CLOUD_CONFIG: file };
  writeFileSync(file, 'cardGateways: [{ kind: testing }]\ntestGateways: true\n');
  const shown = await run('gateway diagnose', { environment, isTerminal: true });
  expect(shown).toMatchObject({
    code: 0,
    printed: expect.stringContaining('testing (testing, the usual one)'),
  });
  const json = await run('gateway diagnose', { environment });
  expect(JSON.parse(json.printed)).toMatchObject({ ok: true, gateways: [{ id: 'testing', problem: null }] });
  writeFileSync(file, '');
  expect(await run('gateway diagnose', { environment, isTerminal: true })).toMatchObject({ code: 1 });
  expect(existsSync(dataDir())).toBe(false);
});

test('config check names every mistake, and so does the cloud, which does not start', async () => {
  const file = join(folder, 'cloud.yaml');
  const environment = { HLID_CLOUD_CONFIG: file };
  writeFileSync(file, 'logLevel: debgu\nretntion: { visitDays: 10 }\n');
  for (const line of ['config check', '']) {
    const { code, printed, complaint } = await run(line, { environment });
    expect([code, printed]).toEqual([2, '']);
    expect(complaint).toContain('line 1: logLevel: must be one of');
    expect(complaint).toContain('(written: “debgu”; did you mean “debug”?)');
    expect(complaint).toContain('line 2: retntion: there is no such setting; did you mean retention?');
  }
  expect(existsSync(dataDir())).toBe(false);
});

test('what cannot be done is said in a sentence, without the place in the code', async () => {
  mkdirSync(dataDir());
  writeFileSync(join(dataDir(), 'cloud.db'), 'not a database');
  const environment = { HLID_CLOUD_PORT: '0', HLID_MQTT_PORT: '0', HLID_LOG_LEVEL: 'silent' };
  expect(await run('', { environment })).toEqual({
    code: 1,
    printed: '',
    complaint: expect.stringMatching(/^.*cloud\.db cannot be used: file is not a database$/),
  });
});

test('a key that is written into a file is words, as restore and age read them', async () => {
  const { printed } = await run('backup key');
  expect(printed).toMatch(/^# public key: age1\w+\nAGE-SECRET-KEY-1\w+$/);
  expect(JSON.parse((await run('backup key --json')).printed)).toMatchObject({ ok: true });
});
