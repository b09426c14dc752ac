import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { isPublicIp, lookUpPublic } from '../../../src/lib/http/public-address.ts';

describe('an address of the internet', () => {
  it('is none of a private, link-local, loopback or other special network', () => {
    for (const ip of [
      '8.8.8.8',
      '172.15.255.255',
      '172.32.0.0',
      '169.253.1.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ]) {
      assert.equal(isPublicIp(ip), true, ip);
    }
    const others = [
      '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1',
      '192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255',
      ':: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 64:ff9b::7f00:1 fc00::1 fd12::1 fe80::1 ff02::1 2001:db8::1 2002:7f00:1::',
      '2001::1 localhost 8.8.8 hooks.example.com',
    ].flatMap((line) => line.split(' '));
    for (const ip of others) {
      assert.equal(isPublicIp(ip), false, ip);
    }
  });

  it('is asked for when the connection is made, so that a name that leads elsewhere is refused', async () => {
    const lookUp = promisify(lookUpPublic);
    for (const options of [{}, { all: true }, { family: 4 }]) {
      await assert.rejects(lookUp('localhost', options), { code: 'SWITCHBOARD_PRIVATE_ADDRESS' });
    }
  });
});
