import assert from 'node:assert/strict';
import { it } from 'node:test';
import { campaignHarness, createdBy as userId, workspaceId } from '../../support/campaign-harness.ts';
import { reasonOf } from '../../support/refusals.ts';

it('a code by email is refused without an email configuration, and first of all without a key', async (test) => {
  const { otp, workspaces } = (await campaignHarness(test)).services;
  const life = { length: 6, minutes: 10, attempts: 3 };
  const code = { way: 'email', address: 'customer@example.com', ...life } as const;
  const send = async () =>
    otp.send({ workspaceId, userId, key: 'one', code, shown: await otp.shownOf(workspaceId, undefined) });
  assert.deepEqual(await reasonOf(send()), { kind: 'no_email_configuration' });
  await workspaces.disconnect(workspaceId);
  assert.deepEqual(await reasonOf(send()), { kind: 'not_connected' });
});
