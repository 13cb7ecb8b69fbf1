import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createLog, type LogLevel } from './log.ts';

function logged(level: LogLevel, fields: object): unknown {
  const out = new PassThrough();
  createLog(level, out).info(fields);
  return JSON.parse(String(out.read()));
}

it('hides plates and secrets, wherever they stand', () => {
  const fields = { secret: 's', visit: { plate: 'ABX12', id: 'v1' }, reads: [{ plateRaw: 'ABX 12' }] };
  expect(logged('info', fields)).toMatchObject({
    level: 'info',
    program: 'cloud',
    secret: '[hidden]',
    visit: { plate: '[hidden]', id: 'v1' },
    reads: [{ plateRaw: '[hidden]' }],
  });
  const deep = {
    report: { sites: [{ lanes: [{ seen: { plates: ['ABX12'], secret: 's', at: new Date(0) } }] }] },
  };
  expect(JSON.stringify(logged('info', deep))).not.toMatch(/ABX12|"s"/);
  expect(JSON.stringify(logged('info', deep))).toContain('1970-01-01T00:00:00.000Z');
  expect(logged('info', { err: new Error('it is said') })).toMatchObject({ err: { message: 'it is said' } });
  expect(logged('debug', fields)).toMatchObject({ secret: '[hidden]', visit: { plate: 'ABX12' } });
});
