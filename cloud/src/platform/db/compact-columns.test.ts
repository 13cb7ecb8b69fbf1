import { DAY_MS } from '@hlid/protocol/base/durations';
import Database from 'better-sqlite3';
import { SQLiteSyncDialect, sqliteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  compactId,
  compactSiteId,
  compactTime,
  compactWord,
  shownId,
  shownTime,
  siteIdOf,
} from './compact-columns.ts';
import { type SQL, sql } from './sql.ts';

const { id, siteId, at, kind } = sqliteTable('some', {
  id: compactId('id'),
  siteId: compactSiteId('site_id'),
  at: compactTime('at'),
  kind: compactWord<string>('kind', ['a', 'b']),
});

it('stores a UUID as 16 bytes and other ids as they are, from either driver', () => {
  const uuid = '01a1fc93-bdd6-7682-9b18-8dd0566e2411';
  const stored = id.mapToDriverValue(uuid);
  expect(stored).toHaveLength(16);
  expect(id.mapFromDriverValue(stored as Uint8Array)).toBe(uuid);
  // The remote driver answers with an ArrayBuffer.
  const remote = new Uint8Array(stored as Uint8Array).buffer;
  expect(id.mapFromDriverValue(remote as unknown as Uint8Array)).toBe(uuid);
  for (const other of ['camera/cam-1', uuid.toUpperCase(), `${uuid}-07`, '']) {
    expect(id.mapToDriverValue(other)).toBe(other);
    expect(id.mapFromDriverValue(other)).toBe(other);
  }
});

it('stores the id of a site as its number, and other ids as they are', () => {
  for (const number of [0, 1, 14_975, 99_999_999]) {
    const site = siteIdOf(number);
    expect(z.uuid().parse(site)).toBe(site);
    expect(siteId.mapToDriverValue(site)).toBe(number);
    expect(siteId.mapFromDriverValue(number)).toBe(site);
  }
  for (const other of ['site-a', '*', '14975', '01a1fc93-bdd6-7682-9b18-8dd0566e2411', `${siteIdOf(1)}0`]) {
    expect(siteId.mapToDriverValue(other)).toBe(other);
    expect(siteId.mapFromDriverValue(other)).toBe(other);
  }
});

it('stores the id of an event as bytes', () => {
  const event = '01a1fc93-bdd6-7682-9b18-8dd0566e2411-70000';
  const stored = id.mapToDriverValue(event);
  expect(stored).toHaveLength(19);
  expect(id.mapFromDriverValue(stored)).toBe(event);
  expect(id.mapFromDriverValue(new Uint8Array(stored as Uint8Array).buffer)).toBe(event);
  for (const other of ['gate-1', `${event}-tailgating`, event.replace('70000', '07')]) {
    expect(id.mapToDriverValue(other)).toBe(other);
  }
});

it('stores a word as a number, and one without a number as it is', () => {
  expect(kind.mapToDriverValue('b')).toBe(1);
  expect(kind.mapFromDriverValue(1)).toBe('b');
  expect(kind.mapToDriverValue('new')).toBe('new');
  expect(kind.mapFromDriverValue('new')).toBe('new');
});

it('shows in SQL what the columns hold', () => {
  const db = new Database(':memory:');
  const shown = (fragment: SQL) => {
    const { sql: text, params } = new SQLiteSyncDialect().sqlToQuery(fragment);
    return db
      .prepare(`SELECT ${text}`)
      .pluck()
      .get(...params);
  };
  const uuid = '01a1fc93-bdd6-7682-9b18-8dd0566e2411';
  expect(shown(shownId(sql`${sql.param(uuid, id)}`))).toBe(uuid);
  expect(shown(shownId(sql`${sql.param('site-a', id)}`))).toBe('site-a');
  const site = siteIdOf(7);
  // A parameter is a floating-point number there, and a stored one is not.
  expect(shown(shownId(sql`CAST(${sql.param(site, siteId)} AS INTEGER)`))).toBe(site);
  const time = '2026-11-23T08:30:00.007Z';
  expect(shown(shownTime(sql`${sql.param(time, at)}`))).toBe(time);
});

it('stores a time as milliseconds', () => {
  const time = '2026-11-23T08:30:00.123Z';
  expect(at.mapToDriverValue(time)).toBe(Date.parse(time));
  expect(at.mapFromDriverValue(Date.parse(time))).toBe(time);
  for (let ms = -3 * DAY_MS; ms < 3 * DAY_MS; ms += 7_654_321) {
    expect(at.mapFromDriverValue(ms)).toBe(new Date(ms).toISOString());
  }
});
