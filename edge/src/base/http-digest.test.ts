import { expect, test } from 'vitest';
import { chooseChallenge, digestAuthorization } from './http-digest.ts';

/** The example of RFC 7616, section 3.9.1. */
const EXAMPLE = {
  realm: 'http-auth@example.org',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
};
const challengeOf = (algorithm: string) =>
  `Digest realm="${EXAMPLE.realm}", qop="auth, auth-int", algorithm=${algorithm}, nonce="${EXAMPLE.nonce}", opaque="${EXAMPLE.opaque}"`;

test.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ['MD5-sess', 'e783283f46242139c486a698fec7211d'],
  ['SHA-256-sess', '2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7'],
])('answers as the example of RFC 7616, with %s', (algorithm, response) => {
  const challenge = chooseChallenge([challengeOf(algorithm)]);
  const header =
    challenge &&
    digestAuthorization(
      challenge,
      { user: 'Mufasa', password: 'Circle of Life' },
      {
        method: 'GET',
        target: '/dir/index.html',
        count: 1,
        cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
      },
    );
  expect(header).toContain(`response="${response}"`);
  expect(header).toContain(`algorithm=${algorithm}`);
});

test('takes the stronger of several, in one header or in two', () => {
  const both = [challengeOf('MD5'), challengeOf('SHA-256')];
  expect(chooseChallenge(both)?.algorithm).toBe('SHA-256');
  expect(chooseChallenge([`Basic realm="x", ${both.join(', ')}`])?.algorithm).toBe('SHA-256');
});

test('reads what devices really send', () => {
  expect(
    chooseChallenge(['Digest qop="auth", realm="IP Camera", nonce="39:65", stale="FALSE"']),
  ).toMatchObject({
    realm: 'IP Camera',
    nonce: '39:65',
    algorithm: 'MD5',
    algorithmNamed: false,
    stale: false,
  });
  expect(chooseChallenge(['digest realm=x,nonce="a b=c, d",stale=TRUE'])).toMatchObject({
    nonce: 'a b=c, d',
    qop: false,
    stale: true,
  });
});

test('the oldest form where nothing is offered', () => {
  const challenge = chooseChallenge(['Digest realm="r", nonce="n"']);
  const header =
    challenge &&
    digestAuthorization(challenge, { user: 'u', password: 'p' }, { method: 'GET', target: '/', count: 1 });
  expect(header).not.toMatch(/qop|cnonce|nc=|algorithm/);
});

test.each([
  [['Basic realm="x"']],
  [['Digest realm="x"']],
  [['Digest realm="x", nonce="n", algorithm=SHA-512']],
  [['Digest realm="x", nonce="n", qop="auth-int"']],
  [[]],
])('%s cannot be met', (headers) => {
  expect(chooseChallenge(headers)).toBeNull();
});
