import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../../../test/provider/description/description.ts';
import { get, provide, send } from '../client.ts';

test('bills pages of the described length, shorter with a special character', async (t) => {
  const provider = await provide(t);
  const pagesOf = async (sms: string) => {
    assert.equal((await send(provider, { sms })).status, 200);
    return provider.record.at(-1)?.pages;
  };
  const { characters, withSpecialCharacters } = limits.page;
  assert.equal(await pagesOf('a'.repeat(characters)), 1);
  assert.equal(await pagesOf('a'.repeat(characters + 1)), 2);
  assert.equal(await pagesOf('€'.padEnd(withSpecialCharacters, 'a')), 1);
  assert.equal(await pagesOf('€'.padEnd(withSpecialCharacters + 1, 'a')), 2);
});

test('lists pages of the described size by default', async (t) => {
  const provider = await provide(t);
  const { size, content } = await (
    await get(provider, '/api/sender-id', { api_key: provider.otherAccount.key })
  ).json();
  assert.deepEqual([size, content.length], [limits.pageSize, limits.pageSize]);
});

test('begins and ends quiet hours as described', async (t) => {
  const { from, to } = limits.quietHours;
  const at = (time: string) => new Date(`2026-03-02T${time}:00+01:00`);
  const minuteBefore = (moment: Date) => new Date(moment.getTime() - 60_000);
  const deliveryAt = async (moment: Date) => {
    const provider = await provide(t, { clock: () => moment });
    assert.equal((await send(provider, { channel: 'generic' })).status, 200);
    return provider.record[0]?.deliveries[0]?.delivery;
  };
  assert.equal(await deliveryAt(minuteBefore(at(from))), 'Delivered');
  assert.equal(await deliveryAt(at(from)), 'Failed');
  assert.equal(await deliveryAt(minuteBefore(at(to))), 'Failed');
  assert.equal(await deliveryAt(at(to)), 'Delivered');
});
