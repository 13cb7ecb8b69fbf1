import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { sampleCustomer, sampleQuotaProduct } from '../../../test/sample-quota.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

/** Settings of one kind of thing: how to make one, and what an edit changes. */
interface Sample {
  field: string;
  make(settings: Json): Promise<string>;
  first: Json;
  /** Changes one of them. */
  edit: Json;
  /** Takes another away. */
  removal: Json;
  /** The document after the last edit. */
  left: Json;
}

const seller = { name: 'Hlið ehf.', ssn: '530575-0209' };

const SAMPLES: Record<string, Sample> = {
  'PUT /sites/{id}': {
    field: 'settings',
    make: async (settings) => {
      const body = { name: randomUUID(), timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings };
      const { id } = (await api.call('POST', '/sites', { body })).body;
      return `/sites/${id}`;
    },
    first: { seller, helpPhone: '555 1234', capacity: 120, exitGraceMinutes: 30 },
    edit: { capacity: 130 },
    removal: { helpPhone: null, exitGraceMinutes: null },
    left: { seller, capacity: 130, exitGraceMinutes: 15 },
  },
  'PUT /zones/{id}': {
    field: 'settings',
    make: async (settings) => {
      const body = { name: randomUUID(), settings, siteId: api.site.id };
      return `/zones/${(await api.made('/zones', body)).id}`;
    },
    first: { capacity: 10, lanes: ['in-1'], level: -1 },
    edit: { capacity: 12 },
    removal: { lanes: null, level: null },
    left: { capacity: 12 },
  },
  'PUT /cameras/{id}': {
    field: 'config',
    make: async (config) => {
      const fields = { name: 'In', location: 'entrance', remoteId: randomUUID(), siteId: api.site.id };
      return `/cameras/${(await api.made('/cameras', { ...fields, config })).id}`;
    },
    first: { minimumOcrScore: 0.9, filters: ['EXIT*'] },
    edit: { filters: ['IN*'] },
    removal: { minimumOcrScore: null },
    left: { minimumOcrScore: 0.7, filters: ['IN*'] },
  },
  'PUT /customer/{id}': {
    field: 'options',
    make: async (options) => {
      const made = await api.made('/customers', { customer: { language: 'is', options } });
      return `/customer/${made.id}`;
    },
    first: { billingMethod: 'monthly', discount: 10, sendInvoicesToEmail: true },
    edit: { discount: 12 },
    removal: { billingMethod: null, sendInvoicesToEmail: null },
    left: { discount: 12, billingMethod: null, sendInvoicesToEmail: false },
  },
  'PUT /accounts/{id}': {
    field: 'options',
    make: async (options) => {
      const made = await api.made('/accounts', { account: { role: 'partner', status: 'active', options } });
      return `/accounts/${made.id}`;
    },
    first: { expireTime: 60, maxPermits: 5, 'free-parking-time': 30 },
    edit: { maxPermits: 6 },
    removal: { expireTime: null },
    left: { maxPermits: 6, 'free-parking-time': 30 },
  },
  'PUT /products/{id}': {
    field: 'config',
    make: async (config) => {
      const fields = { type: 'visit', price: 500, vehicleCategory: 'light', productCode: randomUUID() };
      return `/products/${(await api.made('/products', { ...fields, config })).id}`;
    },
    first: { startTime: '08:00', endTime: '17:59' },
    edit: { startTime: '09:00' },
    removal: { endTime: null },
    left: { startTime: '09:00', endTime: '23:59' },
  },
  'PUT /quotas/{id}': {
    field: 'config',
    make: async (config) => {
      const product = await sampleQuotaProduct(api, { productCode: randomUUID() });
      const customer = await sampleCustomer(api);
      return `/quotas/${(await api.made('/quotas', { customer, product, quantity: 5, config })).id}`;
    },
    first: { startTime: '08:00', endTime: '17:59' },
    edit: { startTime: '09:00' },
    removal: { endTime: null },
    left: { startTime: '09:00', endTime: '23:59' },
  },
};

describe.each(Object.entries(SAMPLES))('%s', (_route, { field, make, first, edit, removal, left }) => {
  it('changes the settings that are given, and takes away those that are null', async () => {
    const path = await make(first);
    const put = async (body: Json) => {
      expect((await api.call('PUT', path, { body })).status).toBe(303);
      return (await api.call('GET', path)).body[field];
    };
    expect(await put({ [field]: edit })).toMatchObject({ ...first, ...edit });
    expect(await put({ [field]: {} })).toMatchObject({ ...first, ...edit });
    const after = await put({ [field]: removal });
    expect(after).toMatchObject(left);
    for (const name of Object.keys(removal)) {
      if (!(name in left)) expect(after).not.toHaveProperty(name);
    }
  });
});

/** An object in these bodies is one value: who pays, how a file is read, which accounts there are. */
const OTHER_OBJECTS = [
  'PUT /bank/{id}',
  'PUT /bookkeeping-accounts',
  'PUT /claim/{id}',
  'PUT /invoice/{id}',
  'PUT /money-accounts/{id}',
  'PUT /sites/{id}/bookkeeping-accounts',
];

it('every PUT that changes settings is among them', async () => {
  const { body } = await api.call('GET', '/openapi.json');
  const Schema = z.looseObject({
    $ref: z.string().optional(),
    type: z.unknown().optional(),
    properties: z.record(z.string(), z.looseObject({ $ref: z.string().optional() })).optional(),
  });
  const { paths, components } = z
    .looseObject({
      paths: z.record(z.string(), z.looseObject({ put: z.unknown().optional() })),
      components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
    })
    .parse(body);
  const resolved = (schema: z.infer<typeof Schema> | undefined) =>
    schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  const Put = z.looseObject({
    requestBody: z.looseObject({
      content: z.looseObject({ 'application/json': z.looseObject({ schema: Schema }) }),
    }),
  });
  const found = Object.entries(paths).flatMap(([path, { put }]) => {
    const parsed = Put.safeParse(put);
    if (!parsed.success) return [];
    const edit = resolved(parsed.data.requestBody.content['application/json'].schema);
    const nested = Object.values(edit?.properties ?? {}).map((property) => resolved(Schema.parse(property)));
    return nested.some((property) => property?.properties !== undefined) ? [`PUT ${path}`] : [];
  });
  expect(found.sort()).toEqual([...Object.keys(SAMPLES), ...OTHER_OBJECTS].sort());
});

it('a setting that is wrong is named with its place', async () => {
  const path = await SAMPLES['PUT /sites/{id}']?.make({});
  const settings = { capacity: -1 };
  const wrong = await api.call('PUT', path ?? '', { body: { settings } });
  expect(wrong.body['messages']).toEqual([expect.stringMatching(/^settings\.capacity: /)]);
  const account = await SAMPLES['PUT /accounts/{id}']?.make({ expireTime: 60 });
  const both = await api.call('PUT', account ?? '', { body: { options: { permitWithoutEnd: true } } });
  expect(both.body['messages']).toEqual(['options.permitWithoutEnd: not beside expireTime']);
});
