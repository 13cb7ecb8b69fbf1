import { afterEach, beforeEach, expect, it } from 'vitest';
import { API_KEY, createTestApi, type TestApi } from '../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

it('answers pings: to anyone, with an API key, with a token', async () => {
  const pong = { message: 'pong', at: api.now() };
  expect((await api.call('GET', '/ping', { token: null })).body).toEqual(pong);
  const keyed = { token: null, headers: { 'x-api-key': API_KEY } };
  expect((await api.call('GET', '/ping/api-key', keyed)).body).toEqual(pong);
  expect((await api.call('GET', '/ping/token')).body).toEqual(pong);
});

it.each([
  ['malformed JSON', { body: '{"name":' }, 400],
  ['JSON that is no object', { body: '[]' }, 400],
  ['another content type', { body: 'name=x', headers: { 'content-type': 'text/plain' } }, 415],
  ['a body of two megabytes', { body: JSON.stringify({ name: 'x'.repeat(2_000_000) }) }, 413],
  ['no body', {}, 400],
])('%s is refused in the one shape', async (_what, options, status) => {
  const answer = await api.call('POST', '/zones', options);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({
    exception: { message: expect.any(String) },
    messages: [expect.any(String)].concat(answer.body['messages']).slice(1),
    codes: answer.body['codes'],
  });
});

it.each(['/nowhere', '/zones/a/b', '/visitx/1', '/openapixjson'])(
  'GET %s is 404 in the one shape',
  async (path) => {
    const answer = await api.call('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.body['messages']).toEqual(['There is nothing at this address.']);
  },
);

it.each([
  ['PATCH', '/zones', 'GET, HEAD, POST'],
  ['DELETE', '/zones', 'GET, HEAD, POST'],
  ['POST', '/zones/some-id', 'DELETE, GET, HEAD, PUT'],
  ['GET', '/auth/login', 'POST'],
  ['OPTIONS', '/visit/some-id', 'GET, HEAD, PUT'],
])('%s %s is 405, and Allow names what the path takes', async (method, path, allow) => {
  for (const token of [api.operator, null]) {
    const answer = await api.call(method, path, { token });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(answer.body).toEqual({
      exception: { message: 'Method not allowed' },
      messages: [`${method} is not taken at this address; it takes ${allow}.`],
      codes: [{ code: 'method-not-allowed', path: [], params: { method, allowed: allow.split(', ') } }],
    });
  }
});

const LOG_IN = 'Log in, and send the access token as: Authorization: Bearer <token>.';

it.each([
  [
    'POST',
    '/photos/open-alpr',
    ['token: send the token of the camera in the address: ?token=<token>.', LOG_IN],
  ],
  [
    'POST',
    '/photos/open-alpr?token=x',
    ['token: the token in the address is not good, or no longer.', LOG_IN],
  ],
  ['GET', '/visit/v', [LOG_IN]],
  [
    'GET',
    '/visit/v?access_token=x',
    ['access_token: the token in the address is not good, or no longer.', LOG_IN],
  ],
  ['GET', '/visits', [LOG_IN]],
  [
    'GET',
    '/edge/changes',
    ['Send the credentials of the site as: Authorization: Bearer <site id>.<secret>.'],
  ],
  ['POST', '/auth/login', ['Send a valid API key in the header x-api-key.']],
])('%s %s from nobody says what is missing', async (method, path, messages) => {
  const answer = await api.call(method, path, { token: null });
  expect([answer.status, answer.body['messages']]).toEqual([401, messages]);
});

it('a fault of ours says nothing but where it is logged', async () => {
  await api.db.close();
  const answer = await api.call('GET', '/visits');
  expect(answer.status).toBe(500);
  const requestId = answer.headers.get('x-request-id');
  expect(answer.body).toEqual({
    exception: { message: 'Internal error' },
    messages: [`Something went wrong here. It is logged as ${requestId}.`],
    codes: [{ code: 'internal-error', path: [], params: { requestId } }],
  });
});

it('every answer has an id and the headers that keep browsers safe', async () => {
  const { headers } = await api.call('GET', '/visits');
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('cache-control')).toBe('no-store');
  const kept = await api.call('GET', '/ping', { headers: { 'x-request-id': 'caller-1234' } });
  expect(kept.headers.get('x-request-id')).toBe('caller-1234');
  for (const given of ['a b\tc', '5555555555554444']) {
    const replaced = await api.call('GET', '/ping', { headers: { 'x-request-id': given } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  }
});
