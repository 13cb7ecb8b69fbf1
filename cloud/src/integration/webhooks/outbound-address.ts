import { lookup as lookUp } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Fault } from '@hlid/protocol/base/fault';

/** Networks that no webhook leads to: this machine, its neighbours, and what only looks like an address. */
const INTERNAL = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  INTERNAL.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  INTERNAL.addSubnet(network, bits, 'ipv6');
}

/** Whether an IP address is of a private network, not of the internet. */
function isInternal(address: string): boolean {
  // BlockList sees an IPv4 address mapped into IPv6 as what it is.
  return INTERNAL.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

type AddressMistake = 'no-url' | 'https-needed' | 'password-in-url' | 'internal-address';

/** The mistake of an address to send to; null: none that can be seen without asking the DNS. */
export function addressMistake(url: string, allowInternal: boolean): AddressMistake | null {
  if (!URL.canParse(url)) return 'no-url';
  const { protocol, hostname, username, password } = new URL(url);
  if (protocol !== 'https:' && !(allowInternal && protocol === 'http:')) return 'https-needed';
  if (username !== '' || password !== '') return 'password-in-url';
  const host = hostname.replace(/^\[|\]$/g, '');
  if (allowInternal) return null;
  if (host === 'localhost' || (isIP(host) !== 0 && isInternal(host))) return 'internal-address';
  return null;
}

/**
 * Resolves names for a connection, and refuses one that leads to an internal network. The connection goes to
 * the very address that is checked, so that a name that changes its address in between does not help.
 */
export function outboundLookup(allowInternal: boolean): LookupFunction {
  return (hostname, options, done) => {
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const good = allowInternal ? found : found.filter(({ address }) => !isInternal(address));
      const [first] = good;
      if (first === undefined) {
        return done(new Fault('link-refused', `${hostname} leads into an internal network`), '');
      }
      return options.all === true ? done(null, good) : done(null, first.address, first.family);
    });
  };
}
