import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { currentOrigin, withOrigin } from '../../src/lib/request-origin.ts';

test('follows the work, however late, and is the background without one', async () => {
  const seen = await withOrigin({ surface: 'command', channelId: 'C1' }, async () => {
    await setImmediate();
    const nested = withOrigin({ surface: 'background' }, currentOrigin);
    return [currentOrigin(), nested];
  });
  assert.deepEqual(seen, [{ surface: 'command', channelId: 'C1' }, { surface: 'background' }]);
  assert.deepEqual(currentOrigin(), { surface: 'background' });
});
