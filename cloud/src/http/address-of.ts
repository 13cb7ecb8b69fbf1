import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import type { CloudEnv } from './cloud-env.ts';

/** From where a request comes, as far as limits of attempts are concerned. */
export function addressOf(c: Context<CloudEnv>): string {
  return c.get('address');
}

/** Who may put proxies before the cloud: addresses, or networks such as 10.0.0.0/8. */
export type TrustedProxies = readonly string[];

/**
 * Finds out from where each request comes: the peer of its connection, or, where that is a trusted proxy, the last
 * address in `X-Forwarded-For` that is none. What stands before it there, anybody may have written.
 */
export function clientAddress(trusted: TrustedProxies): MiddlewareHandler<CloudEnv> {
  const proxies = listOf(trusted);
  return async (c, next) => {
    const peer = c.env?.incoming?.socket.remoteAddress;
    const forwarded = trusted.length === 0 ? undefined : c.req.header('x-forwarded-for');
    c.set('address', peer === undefined ? 'unknown' : limitedAddress(clientOf(peer, forwarded, proxies)));
    await next();
  };
}

function clientOf(peer: string, forwarded: string | undefined, proxies: BlockList): string {
  let address = peer;
  for (const hop of forwarded?.split(',').reverse() ?? []) {
    if (!isListed(proxies, address)) break;
    const given = hop.trim();
    if (isIP(given) === 0) break;
    address = given;
  }
  return address;
}

/** Whether this names an address or a network. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const kind = isIP(address);
  return (
    kind !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 6 ? 128 : 32)))
  );
}

function listOf(ranges: TrustedProxies): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isListed(list: BlockList, address: string): boolean {
  const plain = withoutMapping(address);
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/**
 * What counts as one address: an IPv4 address, or the first 64 bits of an IPv6 address, since one household has all
 * that follow.
 */
export function limitedAddress(address: string): string {
  const plain = withoutMapping(address);
  if (!isIPv6(plain)) return plain;
  const [bare = ''] = plain.split('%');
  const [head = '', tail] = bare.split('::');
  const before = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...before, ...Array(Math.max(0, 8 - before.length - behind.length)).fill('0'), ...behind];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** IPv4 as sockets for both kinds write it. */
function withoutMapping(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
