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
  expect(logged('debug', fields)).toMatchObject({ secret: '[hidden]', visit: { plate: 'ABX12' } });
});
