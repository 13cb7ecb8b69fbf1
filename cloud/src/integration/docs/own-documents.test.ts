import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { rowMakerOf, seedForFuzz } from '../../../test/fuzz/seed.ts';
import { openApiDocument } from './openapi-document.ts';

const described = await createTestApi();
const { paths = {} } = openApiDocument(described.app);
await described.close();

/** It moves a login to another account, and is no update of the list that is read there. */
const ACTS: readonly string[] = ['/accounts/{id}/logins'];
/** The fields that a change needs beside the changed ones, such as its reason. */
const SAID: Readonly<Record<string, object>> = { '/zones/{id}/occupancy': { reason: 'Counted again' } };

/** The resources that are read and updated at the same address. */
const resources = Object.entries(paths)
  .filter(
    ([path, { get, put }]) =>
      !ACTS.includes(path) && get?.responses?.['200'] !== undefined && put?.requestBody !== undefined,
  )
  .map(([path, { put }]) => ({ path, isVersioned: put?.responses?.['412'] !== undefined }));

/** The fields that an update stamps. */
const STAMPS = ['modifiedOn', 'modifiedBy', 'lastModifiedOn', 'updatedOn', 'outcome', 'nextTryOn'];

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
  await seedForFuzz(api);
});
afterAll(() => api.close());

/** A row for this test alone, and its address. */
async function rowAt(path: string) {
  const row = await rowMakerOf('PUT', path)?.(api, 0);
  if (row === undefined) throw new Error(`${path} has no row in test/fuzz/seed.ts`);
  const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(row.path?.[name] ?? ''));
  return { at, options: row.headers === undefined ? {} : { token: null, headers: row.headers } };
}

function withoutStamps(body: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !STAMPS.includes(name)));
}

describe.each(resources)('PUT $path', ({ path, isVersioned }) => {
  it('takes what GET has given, and changes nothing by it', async () => {
    const { at, options } = await rowAt(path);
    const read = await api.call('GET', at, options);
    expect(read.status, JSON.stringify(read.body)).toBe(200);
    const put = await api.call('PUT', at, { ...options, body: { ...read.body, ...SAID[path] } });
    expect(put.status, JSON.stringify(put.body)).toBe(303);
    const after = await api.call('GET', at, options);
    expect(withoutStamps(after.body)).toEqual(withoutStamps(read.body));
  });

  it('refuses a field that is not known as before', async () => {
    const { at, options } = await rowAt(path);
    const { body } = await api.call('GET', at, options);
    const put = await api.call('PUT', at, {
      ...options,
      body: { ...body, ...SAID[path], nobodyKnowsThis: 1 },
    });
    expect(put.status).toBe(400);
  });

  it.runIf(isVersioned)('keeps what it promises of If-Match', async () => {
    const { at, options } = await rowAt(path);
    const read = await api.call('GET', at, options);
    const tag = read.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    const put = async (ifMatch: string) => {
      const headers = { ...('headers' in options ? options.headers : {}), 'if-match': ifMatch };
      return await api.call('PUT', at, { ...options, headers, body: read.body });
    };
    expect((await put('"another"')).status).toBe(412);
    const good = await put(tag);
    expect(good.status).toBe(303);
    expect(good.headers.get('etag')).toMatch(/^"[\w-]+"$/);
  });
});
