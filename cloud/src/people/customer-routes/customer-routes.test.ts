import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const RENTAL = {
  ssn: '530575-0209',
  name: 'Bílaleigan ehf.',
  email: 'Bokhald@Example.is',
  phone: '+354 555 0100',
  language: 'is',
};
const messages = ({ body }: { body: Record<string, unknown> }) => body['messages'];
const newCustomer = (customer: object = {}) =>
  api.made('/customers', { customer: { language: 'is', ...customer } });
const names = async (query: string, token?: string) => {
  const { body } = await api.call('GET', `/customers${query}`, token === undefined ? {} : { token });
  return (body['data'] as { name: string | null }[]).map(({ name }) => name);
};

describe('a new customer', () => {
  it('has where it is, and to where electronic invoices go, where that is given as Peppol writes it', async () => {
    const address = {
      street: 'Geirsgata 1',
      postcode: '101',
      city: 'Reykjavík',
      country: 'IS',
      electronicAddress: '0196:5305750209',
    };
    const customer = await newCustomer({ ...RENTAL, options: address });
    expect(customer).toMatchObject({ options: address });
    const path = `/customer/${customer.id}`;
    const wrong = { country: 'Iceland', electronicAddress: '0196:530575-0209' };
    const refused = await api.call('PUT', path, { body: { options: wrong } });
    expect([refused.status, messages(refused)]).toEqual([
      400,
      [expect.stringContaining('options.country'), expect.stringContaining('options.electronicAddress')],
    ]);
    const emptied = await api.call('PUT', path, { body: { options: { electronicAddress: null } } });
    expect(emptied.body).toMatchObject({ options: { ...address, electronicAddress: null } });
  });

  it('has what is given, the usual options, and no quota', async () => {
    const customer = await newCustomer({ ...RENTAL, options: { billingMethod: 'monthly', discount: 12.5 } });
    expect(customer).toEqual({
      ...RENTAL,
      id: expect.any(String),
      ssn: '5305750209',
      createdOn: api.now(),
      modifiedOn: api.now(),
      options: {
        sendInvoicesToEmail: false,
        sendInvoicesToPublishingSystem: false,
        billingMethod: 'monthly',
        billingSsn: null,
        discount: 12.5,
        street: null,
        postcode: null,
        city: null,
        country: null,
        electronicAddress: null,
      },
      quota: { total: 0, free: 0, used: 0, currentVisits: [] },
      actions: ['edit'],
    });
    const audited = (await api.audited()).find(({ action }) => action === 'customer.create');
    expect(audited).toMatchObject({ subject: 'customer', subjectId: customer.id, before: null });
  });

  it('needs no more than a language', async () => {
    expect(await newCustomer()).toMatchObject({ ssn: null, name: null, email: null, language: 'is' });
  });

  it('brings a new account, named after it', async () => {
    const answer = await api.call('POST', '/customers', {
      body: { account: { role: 'customer', status: 'active' }, customer: RENTAL },
    });
    expect([answer.status, answer.location]).toEqual([303, `/customer/${answer.body['id']}`]);
    const accounts = await api.call('GET', '/accounts?role=customer');
    expect(accounts.body['data']).toMatchObject([
      { name: 'Bílaleigan ehf.', customer: { id: answer.body['id'] } },
    ]);
  });

  it('is given to an account that is there', async () => {
    await api.account('partner', { id: 'anna' });
    const answer = await api.call('POST', '/customers', { body: { account: 'anna', customer: RENTAL } });
    expect((await api.call('GET', '/accounts/anna')).body).toMatchObject({
      customer: { id: answer.body['id'] },
    });
  });

  it('shows what is left of the units that it has paid for', async () => {
    const { id } = await newCustomer(RENTAL);
    const product = await api.made('/products', {
      type: 'quota',
      price: 1000,
      currency: 'ISK',
      vehicleCategory: 'light',
      productCode: 'Q10',
    });
    await api.made('/quotas', { customer: id, product: product.id, quantity: 10 });
    const quota = { total: 10, free: 10, used: 0, currentVisits: [] };
    expect((await api.call('GET', `/customer/${id}`)).body['quota']).toEqual(quota);
    expect((await api.call('GET', '/customers')).body['data']).toMatchObject([{ quota }]);
  });

  it('is refused with a national id that another has, however it is written', async () => {
    const { id } = await newCustomer(RENTAL);
    const again = await api.call('POST', '/customers', {
      body: { account: { role: 'customer', status: 'active' }, customer: { ...RENTAL, ssn: '5305750209' } },
    });
    expect([again.status, again.body['id']]).toEqual([422, id]);
    expect((await api.call('GET', '/accounts?role=customer')).body['total']).toBe(0);
  });

  it.each([
    ['nothing', {}, ['customer:']],
    ['no language', { customer: {} }, ['customer.language: is required']],
    [
      'nothing right',
      {
        account: { role: 'king' },
        customer: {
          ssn: '123',
          email: 'nobody',
          phone: 'none',
          language: 'fr',
          colour: 'red',
          options: { discount: 101, billingMethod: 'yearly', x: 1 },
        },
      },
      [
        'account: the id of an account',
        'customer.ssn:',
        'customer.email:',
        'customer.phone:',
        'customer.language:',
        'customer.options.billingMethod:',
        'customer.options.discount:',
        'customer.options:',
        'customer:',
      ],
    ],
    ['an account that is not there', { account: 'nobody', customer: RENTAL }, ['account: there is no such']],
  ])('of %s is refused, every mistake named', async (_what, body, places) => {
    const refused = await api.call('POST', '/customers', { body });
    expect(refused.status).toBe(400);
    expect([...(messages(refused) as string[])].sort()).toEqual(
      [...places].sort().map((place) => expect.stringContaining(place)),
    );
    expect(await names('')).toEqual([]);
  });
});

describe('customers', () => {
  it('are found by name, address, national id, and how they are billed', async () => {
    await newCustomer(RENTAL);
    api.wait(1);
    await newCustomer({ name: 'Ölgerðin', email: 'o@example.is', options: { billingMethod: 'monthly' } });
    api.wait(1);
    await newCustomer({ name: 'Bílasala', options: { billingMethod: 'daily' } });
    expect(await names('')).toEqual(['Bílasala', 'Ölgerðin', 'Bílaleigan ehf.']);
    expect(await names('?collection=latest')).toHaveLength(3);
    expect(await names('?collection=want-monthly-billing')).toEqual(['Ölgerðin']);
    expect(await names(`?name=${encodeURIComponent('bÍLA')}`)).toEqual(['Bílasala', 'Bílaleigan ehf.']);
    expect(await names(`?name=${encodeURIComponent('ÖLG')}`)).toEqual(['Ölgerðin']);
    expect(await names('?email=bokhald@EXAMPLE')).toEqual(['Bílaleigan ehf.']);
    expect(await names('?ssn=5305750209')).toEqual(['Bílaleigan ehf.']);
    expect(await names('?ssn=530575-0209&name=x')).toEqual([]);
  });

  it('come in pages', async () => {
    for (let n = 0; n < 53; n++) {
      await newCustomer({ name: `C${n}` });
      if (n % 3 === 0) api.wait(1);
    }
    const first = await api.call('GET', '/customers');
    expect(first.body['total']).toBe(53);
    const second = await api.call('GET', `/customers?next=${first.body['next']}`);
    const all = [first, second].flatMap(({ body }) =>
      (body['data'] as { name: string }[]).map((c) => c.name),
    );
    expect([all.length, new Set(all).size, second.body['next']]).toEqual([53, 53, null]);
  });

  it.each(['?collection=odd', '?ssn=12', '?next=x', '?colour=red'])(
    'are not asked for by %s',
    async (query) => {
      expect((await api.call('GET', `/customers${query}`)).status).toBe(400);
    },
  );

  it('that are others’ are not there', async () => {
    const [own, other] = [await newCustomer(RENTAL), await newCustomer({ name: 'Other' })];
    const token = await api.account('customer', { customerId: own.id });
    const loose = await api.account('customer');
    expect(await names('', token)).toEqual(['Bílaleigan ehf.']);
    expect(await names('?name=o', token)).toEqual([]);
    expect(await names('', loose)).toEqual([]);
    expect((await api.call('GET', `/customer/${own.id}`, { token })).status).toBe(200);
    for (const [id, by] of [
      [other.id, token],
      [own.id, loose],
      ['none', token],
      ['none', api.operator],
    ] as const) {
      expect((await api.call('GET', `/customer/${id}`, { token: by })).status).toBe(404);
      const put = await api.call('PUT', `/customer/${id}`, { token: by, body: { email: null } });
      expect(put.status).toBe(404);
    }
  });
});

describe('a change', () => {
  it('of what is given leaves the rest, and is audited', async () => {
    const { id } = await newCustomer({ ...RENTAL, options: { discount: 5 } });
    api.wait(1000);
    const changed = await api.call('PUT', `/customer/${id}`, {
      body: { id, phone: null, options: { billingMethod: 'daily', billingSsn: '1201603389' } },
    });
    expect([changed.status, changed.location]).toEqual([303, `/customer/${id}`]);
    expect(changed.body).toMatchObject({
      name: RENTAL.name,
      phone: null,
      modifiedOn: api.now(),
      options: { discount: 5, billingMethod: 'daily', billingSsn: '1201603389' },
    });
    expect((await api.audited())[0]).toMatchObject({
      action: 'customer.update',
      before: { phone: RENTAL.phone },
      after: { phone: null },
    });
    const count = (await api.audited()).length;
    await api.call('PUT', `/customer/${id}`, { body: { phone: null } });
    expect(await api.audited()).toHaveLength(count);
  });

  it('to another’s national id is refused, to another id too', async () => {
    const { id } = await newCustomer(RENTAL);
    const other = await newCustomer();
    const taken = await api.call('PUT', `/customer/${other.id}`, { body: { ssn: RENTAL.ssn } });
    expect([taken.status, taken.body['id']]).toEqual([422, id]);
    const moved = await api.call('PUT', `/customer/${id}`, { body: { id: other.id } });
    expect([moved.status, messages(moved)]).toEqual([400, ['id: it cannot be changed']]);
  });

  it('by its own people is of how it is reached', async () => {
    const own = await newCustomer(RENTAL);
    const token = await api.account('customer', { customerId: own.id });
    const put = (body: object) => api.call('PUT', `/customer/${own.id}`, { token, body });
    const good = { email: 'new@example.is', phone: '5550199', language: 'en' };
    // Unchanged fields may be sent along, as they were got.
    const changed = await put({
      ...good,
      name: RENTAL.name,
      options: { sendInvoicesToEmail: true, discount: 0 },
    });
    expect(changed.status).toBe(303);
    expect(changed.body).toMatchObject({ ...good, options: { sendInvoicesToEmail: true } });
    const refused = await put({
      ssn: null,
      name: 'X',
      email: 'x@example.is',
      options: {
        billingMethod: 'whitelist',
        billingSsn: '1201603389',
        discount: 100,
        sendInvoicesToPublishingSystem: true,
      },
    });
    expect([refused.status, messages(refused)]).toEqual([
      400,
      [
        'ssn: only operators may change it',
        'name: only operators may change it',
        'options.billingMethod: only operators may change it',
        'options.billingSsn: only operators may change it',
        'options.discount: only operators may change it',
        'options.sendInvoicesToPublishingSystem: only operators may change it',
      ],
    ]);
    expect((await api.call('GET', `/customer/${own.id}`)).body).toMatchObject(good);
  });
});
