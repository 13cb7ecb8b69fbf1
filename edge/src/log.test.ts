import { expect, test } from 'vitest';
import { createLog, type LogLevel } from './log.ts';

function logged(level: LogLevel, fields: object): Record<string, unknown> {
  let line = '{}';
  createLog(level, { write: (text) => (line = text) }).info(fields);
  return JSON.parse(line);
}

test('plates and secrets are hidden in what is logged at info', () => {
  const line = logged('info', {
    event: 'x',
    plate: 'ABX12',
    camera: { token: 't' },
    reads: [{ plate: 'ABX12' }],
    lanes: [{ waiting: { vehicles: [{ plates: ['ABX12'] }] } }],
  });
  expect(line).toMatchObject({ level: 'info', event: 'x', program: 'edge' });
  expect(JSON.stringify(line)).not.toMatch(/ABX12|"t"/);
});

test('somebody who asks for debug sees plates, but no secret', () => {
  const line = logged('debug', { plate: 'ABX12', secret: 'swordfish' });
  expect(line).toMatchObject({ plate: 'ABX12', secret: '[hidden]' });
});
