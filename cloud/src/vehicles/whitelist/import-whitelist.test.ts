import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { IMPORT_BYTES } from '../../platform/http/limit-bodies.ts';
import { MAX_REFUSED_NAMED } from './import-whitelist.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const IMPORT = '/visit/whitelist/import';
const MANY_SERVED = 11;
const CSV = { 'content-type': 'text/csv' };

const read = (body: string, { query = '', ...options }: { query?: string; token?: string } = {}) =>
  api.call('POST', `${IMPORT}${query}`, { body, headers: CSV, ...options });

const entries = async (query = '') =>
  (await api.call('GET', `/visit/whitelist${query}`)).body['data'] as Json[];

describe('an import', () => {
  it('adds what its lines say, and the sites know it', async () => {
    const file = [
      'plate,reason,activeFrom,expireOn,objectType,collection,status,weekdays,hours,siteId',
      'ab-x 12,Staff,,,,staff,,,,',
      `mkj45,"Night, guard",2026-11-22T10:00:00+02:00,2026-12-22T08:00:00Z,allow,,paused,1-5 | 6 7,22:00-06:00 | 20:00-08:00,${api.site.id}`,
      'BAD66,Theft,,,block,,,,,',
    ].join('\r\n');
    const answer = await read(file);
    expect([answer.status, answer.body]).toEqual([
      200,
      { dryRun: false, added: 3, unchanged: 0, refused: [], refusedMore: 0 },
    ]);
    const byPlate = Object.fromEntries((await entries()).map((entry) => [entry['plate'], entry]));
    expect(byPlate).toMatchObject({
      ABX12: {
        reason: 'Staff',
        collection: 'staff',
        expireOn: null,
        status: 'active',
        author: { id: 'the-operator' },
      },
      MKJ45: {
        reason: 'Night, guard',
        activeFrom: '2026-11-22T08:00:00.000Z',
        expireOn: '2026-12-22T08:00:00.000Z',
        status: 'paused',
        siteId: api.site.id,
        rules: [
          { weekdays: [1, 2, 3, 4, 5], from: '22:00', to: '06:00' },
          { weekdays: [6, 7], from: '20:00', to: '08:00' },
        ],
      },
      BAD66: { objectType: 'block' },
    });
    const permits = (await api.changes()).filter(({ kind }) => kind === 'permit');
    expect(permits).toHaveLength(3);
    expect((await api.audited()).filter(({ action }) => action === 'whitelist.create')).toHaveLength(3);
  });

  it('names every wrong line, and adds the others; given again, it changes nothing', async () => {
    const file = [
      '\uFEFFReason;Plate;Weekdays;Hours;SiteId;ObjectType;ExpireOn',
      'Staff;AB123;;;;;',
      ';;;;;;',
      'Guest;--;8;noon;;permit;soon',
      'Guest;MK456;1 2|3;08:00-09:00|10:00-11:00|12:00-13:00;;;',
      '',
      'Guest;MK456;;;nowhere;;',
      'Guest;MK456;5-1;;;;;',
      'Twice;AB 123;;;;;',
      'Guest;MK456;6-1;08:00–09:00;;;',
    ].join('\n');
    const refused = [
      { line: 3, messages: ['plate: is required', 'reason: is required'] },
      {
        line: 4,
        messages: [
          'plate: a plate has a letter or a digit',
          expect.stringMatching(/^expireOn: /),
          expect.stringMatching(/^objectType: /),
          'weekdays: are numbers from 1 (Monday) to 7, such as 1 2 3 or 1-5',
          'hours: are such as 08:00-18:00',
        ],
      },
      { line: 5, messages: ['hours: there are 3 for 2 of weekdays'] },
      { line: 7, messages: ['siteId: there is no such site'] },
      { line: 8, messages: ['Has 8 cells for 7 columns.'] },
    ];
    const tried = await read(file, { query: '?dryRun=true' });
    expect(tried.body).toMatchObject({ dryRun: true, added: 2, unchanged: 1, refused, refusedMore: 0 });
    expect(await entries()).toEqual([]);
    expect((await read(file)).body).toMatchObject({
      dryRun: false,
      added: 2,
      unchanged: 1,
      refused,
      refusedMore: 0,
    });
    expect(await entries('?plate=MK456')).toMatchObject([
      { rules: [{ weekdays: [6, 7, 1], from: '08:00', to: '09:00' }] },
    ]);
    const changes = await api.changes();
    expect((await read(file)).body).toMatchObject({ added: 0, unchanged: 3 });
    expect(await api.changes()).toEqual(changes);
  });

  it('of lines that are no CSV, or no UTF-8, names them', async () => {
    const latin = Buffer.concat([
      Buffer.from('plate,reason\nAB1,St'),
      Buffer.from([0xe6]),
      Buffer.from('ði\nAB2,Fine\nAB3,"Open quote\nAB4,lost\n'),
    ]);
    const answer = await api.app.request(IMPORT, {
      method: 'POST',
      headers: { ...CSV, authorization: `Bearer ${api.operator}` },
      body: latin,
    });
    expect(await answer.json()).toMatchObject({
      dryRun: false,
      added: 1,
      unchanged: 0,
      refused: [
        { line: 2, messages: ['Has letters that are not UTF-8; save the file as UTF-8.'] },
        { line: expect.any(Number), messages: ['Is not CSV: a quote is never closed.'] },
      ],
      refusedMore: 0,
    });
  });

  it('a line without end does not end the import in a fault', async () => {
    const answer = await read(`plate,reason\nAB1,Fine\nAB2,"${'x'.repeat(200_000)}\nAB3,Fine\n`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ refused: expect.arrayContaining([expect.anything()]) });
  });

  it.each([
    ['commas', ',', ['Has more than 32000 bytes: from here on nothing was read.']],
    ['lines of commas', `${','.repeat(7000)}\n`, ['Has 7001 cells for 2 columns.']],
    ['quotes', '"', ['Has more than 32000 bytes: from here on nothing was read.']],
    ['cells', '","', ['Has more than 32000 bytes: from here on nothing was read.']],
    [
      'long lines',
      `${'x'.repeat(20_000)}\n`,
      ['Is not CSV: a line has more than 8000 characters, or a quote is never closed.'],
    ],
    ['short lines', 'x\n', ['A file has at most 100000 lines: from here on nothing was read.']],
  ])('of 20 MB of %s reads what it may, while other requests are served', async (_what, filling, last) => {
    const unit = Buffer.from(filling);
    const body = Buffer.alloc(Math.floor((IMPORT_BYTES - 20) / unit.length) * unit.length, unit);
    const file = Buffer.concat([Buffer.from('plate,reason\n'), body]);
    let served = 0;
    let over = false;
    const importing = api.call('POST', `${IMPORT}?dryRun=true`, { body: file, headers: CSV });
    importing.finally(() => {
      over = true;
    });
    for (; !over; served++) await setImmediate();
    const answer = await importing;
    expect(answer).toMatchObject({ status: 200, body: { added: 0, unchanged: 0 } });
    const refused = answer.body['refused'] as { line: number; messages: string[] }[];
    expect(refused.at(-1)?.messages).toEqual(last);
    expect(refused.length).toBeLessThanOrEqual(MAX_REFUSED_NAMED + 1);
    // A turn for others after each piece.
    const lines = refused.at(-1)?.line ?? 0;
    const bytesRead = answer.body['refusedMore'] === 0 ? lines * unit.length : 100_000 * unit.length;
    expect(served).toBeGreaterThan(Math.min(bytesRead, body.length) / 1024 / 2);
  });

  it('of a header with many mistakes names some', async () => {
    const answer = await read(`plate,reason,${'x,'.repeat(1000)}${'y'.repeat(1000)}\n`);
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toHaveLength(20);
  });

  it.each([
    ['nothing', '', ['The file has no header.']],
    ['no plates', 'reason,colour\nx,red\n', ['“colour” is no column', 'plate: the column is missing']],
    ['a column twice', 'plate,reason,Plate\n', ['plate: the column is there twice']],
  ])('of %s is refused', async (_what, file, messages) => {
    const answer = await read(file);
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toEqual(messages.map((message) => expect.stringContaining(message)));
  });

  it('that does not say that it is CSV is refused; so is a wrong query, and a file that is too long', async () => {
    const json = await api.call('POST', IMPORT, { body: { plate: 'ABX12' } });
    expect([json.status, json.body['messages']]).toEqual([
      400,
      ['Send CSV, and say so: Content-Type: text/csv.'],
    ]);
    expect((await read('plate,reason\n', { query: '?dryRun=perhaps' })).status).toBe(400);
    const long = await api.app.request(IMPORT, {
      method: 'POST',
      headers: {
        ...CSV,
        authorization: `Bearer ${api.operator}`,
        'content-length': String(21 * 1024 * 1024),
      },
      body: 'plate,reason\n',
    });
    expect(long.status).toBe(413);
  });

  it('takes a file larger than other bodies, while other requests are served', async () => {
    const lines = Array.from({ length: 2600 }, (_, n) => `AB${n % 400},${'x'.repeat(420)}`);
    const importing = read(`plate,reason\n${lines.join('\n')}\n`);
    let served = 0;
    let over = false;
    importing.then(() => {
      over = true;
    });
    while (!over && served < MANY_SERVED) {
      await api.call('GET', '/visit/whitelist?plate=AB1');
      served++;
      // The pause is that of a socket: without it a request here is over before anything else gets a turn.
      await setImmediate();
    }
    expect((await importing).body).toEqual({
      dryRun: false,
      added: 400,
      unchanged: 2200,
      refused: [],
      refusedMore: 0,
    });
    expect(served).toBe(MANY_SERVED);
  });

  it('may be repeated by its key, also where it has been read for that', async () => {
    const file = 'plate,reason\nAB1,Fine\n';
    const headers = { ...CSV, 'idempotency-key': 'the-file-of-monday' };
    const once = await api.call('POST', IMPORT, { body: file, headers });
    const again = await api.call('POST', IMPORT, { body: file, headers });
    expect([once.body, again.body]).toMatchObject([{ added: 1 }, { added: 1 }]);
    expect(await entries()).toHaveLength(1);
  });

  it('adds the caller’s own, with the caller’s rights and usual expiry', async () => {
    const token = await api.account('whitelist', { customerId: 'c1', options: { expireTime: 60 } });
    await api.made('/visit/whitelist', { plate: 'AB1', reason: 'of the operator' });
    const file = 'plate,reason,objectType\nAB1,Mine,\nAB2,Mine,block\n';
    expect((await read(file, { token })).body).toMatchObject({
      added: 1,
      refused: [{ line: 3, messages: ['objectType: only operators may block a plate'] }],
    });
    const list = await api.call('GET', '/visit/whitelist', { token });
    expect(list.body['data']).toMatchObject([{ plate: 'AB1', expireOn: '2026-11-21T13:00:00.000Z' }]);
    const forEver = await read('plate,reason,expireOn\nAB3,Mine,\n', { token });
    expect(forEver.body).toMatchObject({
      added: 0,
      refused: [{ messages: ['expireOn: your account gives 60 minutes, until 2026-11-21T13:00:00.000Z'] }],
    });
    const kiosk = await api.roleToken('kiosk');
    expect((await read(file, { token: kiosk })).status).toBe(403);
    expect((await api.call('POST', IMPORT, { body: file, headers: CSV, token: null })).status).toBe(401);
  });
});
