import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { readSettings } from '../../src/config/settings.ts';
import { installationId } from '../../src/store/audit/audit-chain.ts';
import { openStore } from '../../src/store/store.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { entries, said } from '../support/audit/audit-steps.ts';
import { eventually } from '../support/campaigns.ts';
import { advanceUntil, steppedTimers } from '../support/stepped-timers.ts';

it('tells admins that data is re-encrypted with a new key, and when the old one can be removed', async (test) => {
  // The pauses between two transactions last until the test lets them end.
  const timers = steppedTimers({ from: 20 });
  const testApp = await startTestApp(test, { timers });
  const { ada, grace, env, connect, stopApp, startApp, log, url } = testApp;
  await connect();
  assert.doesNotMatch(await grace.seesHome('Team activity'), /encrypt/);

  await stopApp();
  const store = await openStore(await readSettings(env));
  for (let count = 0; count < 150; count += 1) {
    await store.keyv('T1', 'area').set(`key ${count}`, count);
  }
  await store.close();
  const old = env.ENCRYPTION_KEYS ?? '';
  const fresh = randomBytes(32).toString('base64');
  await startApp({ ENCRYPTION_KEYS: `${fresh},${old}` });
  const metrics = async () => (await fetch(`${url()}/metrics`)).text();
  await eventually(() => log().includes('stored values are being re-encrypted'), 'the re-encryption');
  await grace.seesHome(
    /\*Stored data is being re-encrypted with the new key\.\* \d+ values are left\. Keep the old/,
  );
  assert.doesNotMatch(await ada.seesHome('Recent activity'), /encrypt/);
  assert.match(await metrics(), /switchboard_encryption_keys\{state="reencrypting"\} 1/);
  assert.match(await metrics(), /switchboard_encryption_values_left \d/);

  const over = eventually(() => log().includes('everything is encrypted with the first key'), 'its end');
  await advanceUntil(over, () => timers.advance(20));
  await grace.seesHome('*The old encryption keys can be removed.* Leave only the first one');
  assert.doesNotMatch(await ada.seesHome('Recent activity'), /encrypt/);
  assert.match(await metrics(), /switchboard_encryption_keys\{state="removable"\} 1/);
  assert.match(await metrics(), /switchboard_encryption_values_left 0/);
  const [changed, ...others] = await entries(testApp, installationId);
  assert.deepEqual(changed && said(changed), [undefined, 'keys.rotate', 'done', 'background']);
  assert.deepEqual(others, []);

  await stopApp();
  await startApp({ ENCRYPTION_KEYS: fresh });
  await grace.seesHome(/^(?![\s\S]*encrypt)/);
});
