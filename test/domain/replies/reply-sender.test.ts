import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReplySender } from '../../../src/domain/replies/received-reply.ts';

const read = (receiver?: string, channel?: string) => readReplySender({ receiver, channel }, 'chatapp');

test('a number and a device can be answered from, a name and what is not named can’t', () => {
  assert.deepEqual(read('55019'), { senderId: '55019', isDevice: false });
  assert.deepEqual(read('+2347000000000', 'generic'), { senderId: '2347000000000', isDevice: false });
  assert.deepEqual(read('Shop phone', 'ChatApp'), { senderId: 'Shop phone', isDevice: true });
  for (const receiver of [undefined, '', '  ', 'PalmMarket', '12', '1'.repeat(16), '+']) {
    assert.equal(read(receiver, 'generic'), undefined);
  }
  assert.equal(read('x'.repeat(101), 'chatapp'), undefined);
});
