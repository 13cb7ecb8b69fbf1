import { expect, it } from 'vitest';
import { namedGatewaySchema } from '../gateway-kinds.ts';

const KEY = 'Test.b25seS1mb3ItdGVzdHM=';
const read = (entry: object, environment: Record<string, string> = { HLID_VALITOR_PAY_API_KEY: KEY }) =>
  namedGatewaySchema(environment).safeParse({ kind: 'valitor-pay', ...entry });

it('gets its key from the environment, and needs nothing else', () => {
  expect(read({}).data).toMatchObject({
    id: 'valitor-pay',
    config: { apiKey: KEY, url: 'https://valitorpay.com', acceptNotEnrolled: false },
  });
  const harbour = { HLID_VALITOR_PAY_API_KEY_HARBOUR: KEY };
  expect(read({ id: 'harbour' }, harbour).data).toMatchObject({ id: 'harbour', config: { apiKey: KEY } });
});

it.each([
  ['no key', {}, {}, 'API key'],
  ['a key with its word before it', {}, { HLID_VALITOR_PAY_API_KEY: `APIKey ${KEY}` }, 'no blanks'],
  ['an agreement without a terminal', { agreementNumber: '123456' }, undefined, 'belong together'],
  ['an unknown setting', { agreement: '123456' }, undefined, 'agreement'],
  ['an address that is none', { url: 'valitorpay.com' }, undefined, 'URL'],
  ['cards without encryption', { url: 'http://valitorpay.com' }, undefined, 'https'],
  ['a host that only looks local', { url: 'http://localhost.example.is' }, undefined, 'https'],
  ['a user that only looks local', { url: 'http://localhost:1@example.is' }, undefined, 'https'],
] as const)('refuses %s, without showing the key', (_what, entry, environment, reason) => {
  const { error } = read(entry, environment);
  expect(error?.message).toContain(reason);
  expect(error?.message).not.toContain(KEY);
});
