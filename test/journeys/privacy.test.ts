import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { review } from '../support/sms.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { assertNothingPrivate, startWorkbench } from '../support/workbench.ts';

describe('what is private stays private', () => {
  it('keeps no key, number or text in the clear on disk or in the log', async (test) => {
    const folder = temporaryFolder(test);
    const text = 'Your parcel 7F3K waits at the green gate';
    const { ada, slack, provider, connect, log } = await startWorkbench(test, { dataDir: folder });
    await connect();
    for (const to of ['+2348031234567', '+2348030009400', '+2348030009003', '+2348030009500']) {
      await review(ada, { to, text });
      await ada.seesModal('Send this?');
      await ada.submits();
      await ada.seesModal(/sent|Not confirmed/i);
    }
    slack.fault('views.open', { status: 500 });
    await ada.types('/sms', '+2348031234567');
    await ada.sees('Something went wrong');

    const secrets = [provider.account.key, '2348031234567', '8031234567', '2348030009400', text];
    assert.equal(provider.record.length, 2);
    assertNothingPrivate(log(), secrets);
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      for (const secret of secrets) {
        assert.ok(!bytes.includes(secret), `${name} holds ${secret}`);
      }
    }
  });

  it('gives an unknown fault an id that the log has too', async (test) => {
    const { ada, slack, connect, log } = await startWorkbench(test);
    await connect();
    slack.fault('views.open', { status: 500 });
    await ada.types('/sms');
    const told = await ada.sees('Something went wrong');
    const fault = /fault `([0-9a-f]{8})`/.exec(JSON.stringify(told))?.[1];
    assert.ok(fault !== undefined && log().includes(`"fault":"${fault}"`));
  });
});
