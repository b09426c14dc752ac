import { lookup as lookUp } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that are not the internet: this machine, private, link-local, shared, for documentation, multicast (RFC 6890). */
const otherNetworks = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/** Within the internet’s part of IPv6: special, for documentation, and with an address of IPv4 in it. */
const otherNetworks6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

const refused = new BlockList();
for (const [network, prefix] of otherNetworks) {
  refused.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of otherNetworks6) {
  refused.addSubnet(network, prefix, 'ipv6');
}
const internet6 = new BlockList();
internet6.addSubnet('2000::', 3, 'ipv6');

/** Whether an address of IPv4 or IPv6 is one of the internet. */
export function isPublicIp(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) {
    return !refused.check(ip, 'ipv4');
  }
  return family === 6 && internet6.check(ip, 'ipv6') && !refused.check(ip, 'ipv6');
}

/** A name leads to an address that is none of the internet. */
class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'SWITCHBOARD_PRIVATE_ADDRESS';
}

/**
 * Resolves a name for the connection that is about to be made, so that no other answer of DNS can come in between. A name
 * with any address that is none of the internet is refused.
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, found) => {
    const [first] = found ?? [];
    if (error !== null || first === undefined) {
      callback(error ?? new Error('the name has no address'), []);
    } else if (!found.every(({ address }) => isPublicIp(address))) {
      callback(new PrivateAddressError('the name leads to a private address'), []);
    } else if (options.all) {
      callback(null, found);
    } else {
      callback(null, first.address, first.family);
    }
  });
};
