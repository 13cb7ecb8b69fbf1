import type { IncomingMessage } from 'node:http';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { isAddressRange, limitedAddress } from '../ip-address.ts';
import { addressOf, clientAddress } from './address-of.ts';
import type { CloudEnv } from './cloud-env.ts';

describe('the address that limits of attempts count', () => {
  const NONE: string[] = [];
  const TRUSTED = ['10.0.0.0/8', '192.168.1.7', 'fd00::/8'];

  it.each<[string, string[], string, string | null, string]>([
    ['without a proxy, the peer', NONE, '203.0.113.5', null, '203.0.113.5'],
    [
      'without a trusted proxy, the peer, whatever it says',
      NONE,
      '203.0.113.5',
      '198.51.100.1',
      '203.0.113.5',
    ],
    ['of a stranger, the peer, whatever it says', TRUSTED, '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['behind a trusted proxy, the one before it', TRUSTED, '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['with something made up before it', TRUSTED, '10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['behind several proxies', TRUSTED, '192.168.1.7', '1.1.1.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['with nothing but proxies', TRUSTED, '10.1.2.3', '10.4.4.4', '10.4.4.4'],
    ['with nonsense', TRUSTED, '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
    ['of a proxy that says nothing', TRUSTED, '10.1.2.3', null, '10.1.2.3'],
    [
      'of a proxy as a socket for both kinds names it',
      TRUSTED,
      '::ffff:10.1.2.3',
      '198.51.100.1',
      '198.51.100.1',
    ],
    ['of IPv6 behind a proxy of IPv6', TRUSTED, 'fd00::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ])('%s', async (_what, trusted, peer, forwarded, expected) => {
    const app = new Hono<CloudEnv>();
    app.use(clientAddress(trusted));
    app.get('/', (c) => c.text(addressOf(c)));
    const incoming = { socket: { remoteAddress: peer } } as IncomingMessage;
    const headers = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
    expect(await (await app.request('/', { headers }, { incoming })).text()).toBe(expected);
  });

  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (address, counted) => {
    expect(limitedAddress(address)).toBe(counted);
  });

  it.each([
    ['10.0.0.1', true],
    ['10.0.0.0/8', true],
    ['fd00::/8', true],
    ['10.0.0.0/33', false],
    ['proxy.example', false],
    ['', false],
  ])('range %j: %s', (text, valid) => {
    expect(isAddressRange(text)).toBe(valid);
  });
});
