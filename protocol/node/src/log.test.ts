import { expect, test } from 'vitest';
import { createLog, type LogLevel } from './log.ts';

function logged(level: LogLevel, fields: object): Record<string, unknown> {
  let line = '{}';
  createLog('edge', level, { write: (text) => (line = text) }).info(fields);
  return JSON.parse(line);
}

test('plates and secrets are hidden at info, at every depth', () => {
  const line = logged('info', {
    event: 'x',
    secret: 's',
    visit: { plate: 'ABX12', id: 'v1' },
    reads: [{ plateRaw: 'ABX12' }],
    report: { sites: [{ lanes: [{ seen: { plates: ['ABX12'], apiKey: 's', at: new Date(0) } }] }] },
  });
  expect(line).toMatchObject({
    level: 'info',
    program: 'edge',
    event: 'x',
    secret: '[hidden]',
    visit: { plate: '[hidden]', id: 'v1' },
    reads: [{ plateRaw: '[hidden]' }],
  });
  expect(JSON.stringify(line)).not.toMatch(/ABX12|"s"/);
  expect(JSON.stringify(line)).toContain('1970-01-01T00:00:00.000Z');
});

test('debug shows plates, but no secret', () => {
  const line = logged('debug', { plate: 'ABX12', secret: 'swordfish' });
  expect(line).toMatchObject({ plate: 'ABX12', secret: '[hidden]' });
});

test('an error keeps its message, and a circular value ends', () => {
  const ring: Record<string, unknown> = {};
  ring['self'] = ring;
  expect(logged('info', { err: new Error('it failed'), ring })).toMatchObject({
    err: { message: 'it failed' },
    ring: { self: {} },
  });
});

test('the login of an address is in no line, wherever the address stands', () => {
  const url = 'https://me:swordfish@parking.example/a';
  const line = logged('debug', { url, deep: [{ url }], err: new Error(`cannot reach ${url}`) });
  expect(line).toMatchObject({
    url: 'https://parking.example/a',
    deep: [{ url: 'https://parking.example/a' }],
  });
  expect(JSON.stringify(line)).not.toContain('swordfish');
});
