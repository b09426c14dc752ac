import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Database from 'better-sqlite3';
import type { CampaignHarness } from '../../support/campaign-harness.ts';
import { customers, limitedTeam } from '../../support/limit-days.ts';

/** Returns how many transactions wrote something while `act` ran. Each is one wait for the disk. */
async function commitsOf({ folder }: CampaignHarness, act: () => Promise<unknown>): Promise<number> {
  const read = () => {
    const data = new Database(join(folder, 'switchboard.db'), { readonly: true });
    try {
      return Number(data.prepare('select writes from installation').pluck().get());
    } finally {
      data.close();
    }
  };
  const before = read();
  await act();
  return read() - before;
}

/**
 * The draft of a message, or the code itself; the operation with what it takes of the limits, before the call; its ending
 * with the notice and the entry in the audit.
 */
describe('the commits', () => {
  it('of a message are three, and of a code', async (test) => {
    const { harness, send, sendCode } = await limitedTeam(test);
    const [first, second, third, fourth] = customers(4);
    assert.ok(first && second && third && fourth);
    // The first of a workspace makes its keys and its audit.
    await send('U0AGENT', [first]);
    await sendCode('U0AGENT', second);
    assert.equal(await commitsOf(harness, () => send('U0AGENT', [third])), 3);
    assert.equal(await commitsOf(harness, () => sendCode('U0AGENT', fourth)), 3);
  });
});
