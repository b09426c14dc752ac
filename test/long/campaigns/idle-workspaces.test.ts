import assert from 'node:assert/strict';
import { it } from 'node:test';
import { queryObjects } from 'node:v8';
import { WorkspaceQuota } from '../../../src/services/campaigns/sending/workspace-quota.ts';
import { joinTestApp } from '../../support/app/shared-app.ts';
import { compose, recipients, start } from '../../support/campaigns.ts';

const workspaces = 6;

it('an instance forgets the workspaces whose campaigns have ended', async (test) => {
  for (let sent = 0; sent < workspaces; sent += 1) {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await compose(ada, { pasted: recipients(2).join(' ') });
    await start(ada);
    await ada.sees('*Done:* 2 recipients');
  }
  // What it knows of a workspace goes when another one’s campaign starts: the last one is left, or the last two.
  const known = queryObjects(WorkspaceQuota, { format: 'count' });
  assert.ok(known >= 1 && known <= 2, `${known}`);
});
