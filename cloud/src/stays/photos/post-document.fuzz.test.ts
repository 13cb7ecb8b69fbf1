import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { frame, group, survision } from '../../../test/sample-documents.ts';
import { ErrorBodySchema } from '../../platform/http/errors.ts';
import { NoReadSchema, PhotoSchema } from './photo.ts';

let api: TestApi;
let camera: string;

beforeAll(async () => {
  api = await createTestApi();
  camera = (await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-in' })).id;
});
afterAll(async () => await api.close());

/** Documents with some of their fields replaced by anything, at any depth. */
function spoilt(document: object): fc.Arbitrary<unknown> {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary', maxLength: 70 }),
    fc.constantFrom(
      '\u0000',
      'A\u0000B',
      '\ud800',
      'ÐÞ',
      '=1+1',
      1e308,
      -1,
      253_402_300_799_999,
      '9'.repeat(20),
    ),
  );
  const replaced = (value: unknown): fc.Arbitrary<unknown> => {
    if (typeof value !== 'object' || value === null)
      return fc.oneof({ weight: 9, arbitrary: fc.constant(value) }, anything);
    if (Array.isArray(value)) return fc.tuple(...value.map(replaced));
    const fields = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, replaced(field)]));
    return fc.oneof({ weight: 9, arbitrary: fc.record(fields, { requiredKeys: [] }) }, anything);
  };
  return replaced(document);
}

test('whatever a camera posts is stored, passed over or refused, in the form that is described', async () => {
  const documents = [
    ['open-alpr', frame('ABX12', api.now())],
    ['open-alpr', group('ABX12', api.now())],
    ['open-alpr-test', group('ABX12', api.now())],
    ['survision', survision('ABX12', api.now())],
  ] as const;
  const posted = fc.oneof(
    ...documents.map(([type, document]) => fc.tuple(fc.constant(type), spoilt(document))),
  );
  await fc.assert(
    fc.asyncProperty(posted, fc.nat(20_000), async ([type, document], waitMs) => {
      api.wait(waitMs);
      const body = JSON.stringify(document);
      const { status, body: answer } = await api.call('POST', `/photos/${type}?camera.id=${camera}`, {
        body,
      });
      expect([200, 303, 400, 422]).toContain(status);
      if (status === 200) NoReadSchema.parse(answer);
      if (status === 400) ErrorBodySchema.parse(answer);
      if (status === 303) {
        const photo = PhotoSchema.parse(answer);
        expect((await api.call('GET', `/photo/${photo.id}`)).body).toEqual(answer);
      }
    }),
    { numRuns: 300 },
  );
  for (const path of ['/photos', '/photos?collection=need-review', '/visits']) {
    expect((await api.call('GET', path)).status).toBe(200);
  }
});
