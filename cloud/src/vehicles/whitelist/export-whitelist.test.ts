import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const IMPORT = '/visit/whitelist/import';
const EXPORT = '/visit/whitelist/export';
const CSV = { 'content-type': 'text/csv' };

const read = (body: string, { query = '', ...options }: { query?: string; token?: string } = {}) =>
  api.call('POST', `${IMPORT}${query}`, { body, headers: CSV, ...options });

async function exported(query = '', token = api.operator): Promise<string> {
  const answer = await api.app.request(`${EXPORT}${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
}

const entries = async (query = '') =>
  (await api.call('GET', `/visit/whitelist${query}`)).body['data'] as Json[];

describe('an export', () => {
  it('has the entries of its filters, in the list’s order', async () => {
    await api.made('/visit/whitelist', { plate: 'AB1', reason: 'Staff', collection: 'staff' });
    api.wait(1000);
    const rules = [
      { weekdays: [1, 2], from: '08:00', to: '17:00' },
      { weekdays: [7], from: '22:00', to: '06:00' },
    ];
    await api.made('/visit/whitelist', { plate: 'AB2', reason: 'Say "hi", staff', rules });
    await api.made('/visit/whitelist', { plate: 'AB3', reason: 'Gone', status: 'paused' });
    expect(await exported('?status=active')).toBe(
      [
        'plate,reason,activeFrom,expireOn,objectType,collection,status,weekdays,hours,siteId,type,visitId',
        'AB2,"Say ""hi"", staff",,,allow,,active,1 2 | 7,08:00-17:00 | 22:00-06:00,,permanent,',
        'AB1,Staff,,,allow,staff,active,,,,permanent,',
        '',
      ].join('\r\n'),
    );
    expect((await exported('?collection=staff&bom=true&separator=semicolon')).split('\r\n')).toEqual([
      '\uFEFFplate;reason;activeFrom;expireOn;objectType;collection;status;weekdays;hours;siteId;type;visitId',
      'AB1;Staff;;;allow;staff;active;;;;permanent;',
      '',
    ]);
    expect((await exported('?plate=AB9')).split('\r\n')).toHaveLength(2);
  });

  it('quotes what another separator would split', async () => {
    await api.made('/visit/whitelist', { plate: 'AB1', reason: 'Staff; and, guests\t' });
    await api.made('/visit/whitelist', { plate: 'AB2', reason: 'One;two' });
    for (const separator of ['comma', 'semicolon']) {
      const file = await exported(`?separator=${separator}`);
      expect(file).toContain('"Staff; and, guests"');
      expect(file).toContain('"One;two"');
    }
  });

  it('says what it is, and refuses a filter that is none', async () => {
    const { headers } = await api.call('GET', EXPORT);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="whitelist.csv"');
    for (const query of ['?status=gone', '?next=x', '?separator=tab']) {
      expect((await api.call('GET', `${EXPORT}${query}`)).status).toBe(400);
    }
    const kiosk = await api.roleToken('kiosk');
    expect((await api.call('GET', EXPORT, { token: kiosk })).status).toBe(403);
  });

  it('has the caller’s own entries only', async () => {
    const token = await api.account('customer', { customerId: 'c1' });
    await api.made('/visit/whitelist', { plate: 'AB1', reason: 'x' }, { token });
    await api.made('/visit/whitelist', { plate: 'AB2', reason: 'x' });
    expect((await exported('', token)).match(/AB\d/g)).toEqual(['AB1']);
  });

  it('reads back as it was, to the letter, formulas among them', async () => {
    const visit = await api.visit({ plate: 'AB7' });
    await api.call('POST', `/visit/${visit.id}/whitelist`, { body: { reason: 'Guest' } });
    const odd = [
      '=1+1',
      "'=1+1",
      "''@x",
      '+354',
      '-1',
      '@here',
      '\ttab',
      '\rx',
      "'quoted'",
      ' spaces ',
      'a;b,c',
    ];
    for (const [n, collection] of odd.entries()) {
      const expireOn = n % 2 === 0 ? null : '2026-12-24T18:00:00.000Z';
      await api.made('/visit/whitelist', {
        plate: `AB${n}`,
        reason: `=HYPERLINK("x${n}")\n;y`,
        collection,
        expireOn,
      });
    }
    const before = await entries();
    for (const query of ['', '?separator=semicolon&bom=true']) {
      const file = await exported(query);
      const cells = file.split(/\r\n|[,;]/);
      expect(cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell))).toEqual([]);
      expect((await read(file)).body).toEqual({
        dryRun: false,
        added: 0,
        unchanged: 12,
        refused: [],
        refusedMore: 0,
      });
      for (const { id } of before) await api.call('DELETE', `/visit/whitelist/${id}`);
      expect((await read(file)).body).toMatchObject({ added: 12, unchanged: 0, refused: [], refusedMore: 0 });
      const kept = (entry: Json) => {
        const { id: _id, createdOn: _created, modifiedOn: _modified, ...same } = entry;
        return JSON.stringify(same);
      };
      expect((await entries()).map(kept).sort()).toEqual(before.map(kept).sort());
      for (const { id } of before) await api.call('DELETE', `/visit/whitelist/${id}`);
      for (const { id } of await entries()) await api.call('DELETE', `/visit/whitelist/${id}`);
      for (const { id } of before) {
        await api.call('PUT', `/visit/whitelist/${id}`, { body: { status: 'active' } });
      }
    }
  });

  it('goes over any number of pages', async () => {
    const lines = Array.from({ length: 1203 }, (_, n) => `AB${n},Staff`);
    await read(`plate,reason\n${lines.join('\n')}\n`);
    const plates = (await exported()).match(/AB\d+/g) ?? [];
    expect(new Set(plates).size).toBe(1203);
    expect(plates).toHaveLength(1203);
  });
});
