import { DAY_MS } from '@hlid/protocol/utc-time';
import { sqliteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { compactId, compactTime } from './compact-columns.ts';

const { id, at } = sqliteTable('some', { id: compactId('id'), at: compactTime('at') });

it('stores a UUID as 16 bytes and other ids as they are, from either driver', () => {
  const uuid = '01a1fc93-bdd6-7682-9b18-8dd0566e2411';
  const stored = id.mapToDriverValue(uuid);
  expect(stored).toHaveLength(16);
  expect(id.mapFromDriverValue(stored as Uint8Array)).toBe(uuid);
  // The remote driver answers with an ArrayBuffer.
  const remote = new Uint8Array(stored as Uint8Array).buffer;
  expect(id.mapFromDriverValue(remote as unknown as Uint8Array)).toBe(uuid);
  for (const other of ['camera/cam-1', uuid.toUpperCase(), `${uuid}-17`, '']) {
    expect(id.mapToDriverValue(other)).toBe(other);
    expect(id.mapFromDriverValue(other)).toBe(other);
  }
});

it('stores a time as milliseconds', () => {
  const time = '2026-11-23T08:30:00.123Z';
  expect(at.mapToDriverValue(time)).toBe(Date.parse(time));
  expect(at.mapFromDriverValue(Date.parse(time))).toBe(time);
  for (let ms = -3 * DAY_MS; ms < 3 * DAY_MS; ms += 7_654_321) {
    expect(at.mapFromDriverValue(ms)).toBe(new Date(ms).toISOString());
  }
});
