import { Fault } from '@hlid/protocol/base/fault';
import { expect, it } from 'vitest';
import { DrizzleQueryError } from './sql.ts';
import { withoutValues } from './sqlite-fault.ts';

it('takes the values of a statement out of the error that names them, and begins with its cause', () => {
  const cause = new Error('database or disk is full');
  const error = withoutValues(new DrizzleQueryError('insert into "visit" values (?)', ['QXZ77'], cause));
  expect(error).toMatchObject({
    message: 'database or disk is full, in: insert into "visit" values (?)',
    cause,
  });
  if (!(error instanceof Error)) throw new TypeError('no error');
  expect(JSON.stringify([error, String(error), error.stack])).not.toContain('QXZ77');
});

it('leaves other errors as they are', () => {
  const fault = new Fault('no-room', 'no room');
  expect(withoutValues(fault)).toBe(fault);
});
