import { isIP } from 'node:net';
import { isPublicIp } from '../../lib/http/public-address.ts';

/** Where reports may be passed on to. */
export interface ForwardRules {
  /** Names of hosts; `.example.com` is all hosts of a domain, `*` any. */
  hosts: readonly string[];
  /** Whether the address may be on this machine: for trying it out. */
  allowsLoopback: boolean;
}

const maxLength = 1_000;

/** Reads what an admin typed, or what was stored under other settings. Returns the address, or why it cannot be one. */
export function readForwardAddress(typed: string, rules: ForwardRules): URL | { problem: string } {
  const text = typed.trim();
  const url = text.length > maxLength ? null : URL.parse(text);
  if (url === null) {
    return { problem: 'This does not look like an address: it begins with https://.' };
  }
  if (url.username || url.password || url.hash) {
    return { problem: 'The address cannot have a user name, a password or a # in it.' };
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isOnThisMachine = rules.allowsLoopback && isLoopback(host);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOnThisMachine)) {
    return { problem: 'The address begins with https://.' };
  }
  if (!isOnThisMachine && (isLoopback(host) || (isIP(host) !== 0 && !isPublicIp(host)))) {
    return { problem: 'The address is one of a private network, which reports are not passed on to.' };
  }
  if (!rules.hosts.some((allowed) => isAllowed(host, allowed))) {
    return {
      problem: 'The people who run Switchboard have not allowed this host. Ask them to add it.',
    };
  }
  return url;
}

function isAllowed(host: string, allowed: string): boolean {
  return allowed === '*' || host === allowed || (allowed.startsWith('.') && host.endsWith(allowed));
}

function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1)$/.test(host);
}
