import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { codeForms, formsIn, numberForms } from '../harness/secret-forms.ts';
import { CARDS } from '../sim/zvt-cards.ts';
import { cardNumbersIn } from './card-numbers.ts';

const { number } = CARDS.unmasked;
/** A number that no simulated card has. */
const ANOTHER = '5105105105105100';

describe('the search for card numbers finds', () => {
  it.each([
    ['a bare one', `card ${ANOTHER} was used`],
    ['one in groups', '{"text":"5105 1051 0510 5100"}'],
    ['one with dashes', '5105-1051-0510-5100'],
    ['one in groups that begin as those of an id', '4556-8375-8689-9853'],
    ['one of 13 digits', '4222222222222'],
    ['one of 19 digits', '6304000000000000000'],
    ['one in the middle of other digits', `00${number}500`],
    ['one in base64', Buffer.from(`${number}=3012`).toString('base64')],
  ])('%s', (_what, text) => {
    expect(cardNumbersIn(text)).not.toEqual([]);
  });

  it('a packed number, as terminals send it', () => {
    expect(cardNumbersIn(Buffer.from(`22f1f8${number}29`, 'hex'))).not.toEqual([]);
    expect(cardNumbersIn(Buffer.from(`22f1f5${CARDS.amex.number}f29`, 'hex'))).not.toEqual([]);
  });

  it('a number in a database and in its write-ahead log', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hlid-planted-'));
    try {
      const db = new Database(join(folder, 'site.sqlite'));
      db.pragma('journal_mode = WAL');
      db.exec('CREATE TABLE planted (a TEXT, b TEXT)');
      db.prepare('INSERT INTO planted VALUES (?, ?)').run('500', number);
      expect(cardNumbersIn(readFileSync(join(folder, 'site.sqlite-wal')))).not.toEqual([]);
      db.close();
      expect(cardNumbersIn(readFileSync(join(folder, 'site.sqlite')))).not.toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the search for card numbers ignores', () => {
  it.each([
    ['a masked one', 'Karte: **** **** **** 4242'],
    ['a number whose check digit is wrong', '5105105105105101'],
    ['an id', '01a1fea8-1234-7182-8446-424242424242'],
    ['an id without its beginning', '\0\x1f2-7280-9106-5791ab0c1d2e'],
    ['an id without its end', '41606542-9843-4103\0'],
    ['a hash', 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3'],
    ['a moment', '2026-11-21T15:10:34.885Z 1795360234885'],
    ['a fraction', '0.4222222222222'],
    ['a longer run', '51051051051051000000000'],
  ])('%s', (_what, text) => {
    expect(cardNumbersIn(text)).toEqual([]);
  });
});

describe('the search for one card finds its number and its code', () => {
  const card = { number: '378282246310005', ccv: '0739', expire: '12/35' };
  const body = JSON.stringify({ payment: 'a', card });
  const searched = { number: numberForms(card.number), code: codeForms(card.ccv) };
  it.each<[string, Uint8Array]>([
    ['a body', Buffer.from(body)],
    ['a body in a string', Buffer.from(JSON.stringify({ body }))],
    ['a form', Buffer.from(new URLSearchParams({ ...card, last: '1' }).toString())],
    ['UTF-16', Buffer.from(body, 'utf16le')],
    ...[0, 1, 2].map((shift): [string, Uint8Array] => [
      `base64 after ${shift} signs`,
      Buffer.from(Buffer.from(' '.repeat(shift) + body).toString('base64')),
    ]),
    ['hexadecimal digits', Buffer.from(Buffer.from(body).toString('hex'))],
  ])('in %s', (_what, content) => {
    expect(formsIn(content, searched.number)).not.toEqual([]);
    expect(formsIn(content, searched.code)).not.toEqual([]);
  });

  it('finds them with separators, and not in another number', () => {
    for (const text of ['3782 822463 10005', '3782-822463-10005', '3782%20822463%2010005']) {
      expect(formsIn(Buffer.from(text), searched.number)).not.toEqual([]);
    }
    const other = Buffer.from('{"lastFour":"0005","pid":10739,"id":"07393782-8224-6310-0050-0739"}');
    expect(formsIn(other, [...searched.number, ...searched.code])).toEqual([]);
  });
});
