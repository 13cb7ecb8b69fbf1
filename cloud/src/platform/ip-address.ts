import { BlockList, isIP, isIPv6 } from 'node:net';

/** The proxies that the cloud trusts: addresses, or networks such as 10.0.0.0/8. */
export type TrustedProxies = readonly string[];

/** Whether this names an address or a network. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const kind = isIP(address);
  return (
    kind !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 6 ? 128 : 32)))
  );
}

/** A list of addresses and networks, to look one address up in. */
export function addressList(ranges: TrustedProxies): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

export function isListed(list: BlockList, address: string): boolean {
  const plain = withoutMapping(address);
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/**
 * The address that a request comes from. It is the peer of the connection or, if that is a trusted proxy, the
 * last address in `X-Forwarded-For` that is no trusted proxy. Earlier addresses there may be forged.
 *
 * @param forwarded the value of `X-Forwarded-For`
 */
export function clientOf(peer: string, forwarded: string | undefined, proxies: BlockList): string {
  let address = peer;
  for (const hop of forwarded?.split(',').reverse() ?? []) {
    if (!isListed(proxies, address)) break;
    const given = hop.trim();
    if (isIP(given) === 0) break;
    address = given;
  }
  return address;
}

/**
 * The unit that limits count: an IPv4 address, or the first 64 bits of an IPv6 address, since one household
 * has all that follow.
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
