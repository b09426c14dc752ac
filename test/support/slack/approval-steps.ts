import { joinTestApp } from '../app/shared-app.ts';
import type { TestWorkspace } from '../app/test-workspace.ts';
import type { SlackUser } from './slack-user.ts';

interface NeedsApproval {
  recipients?: string;
  price?: string;
  channel: string;
}

/** Joins the shared app, connects the provider, and switches approvals on, with *support* as their channel. */
export async function startWithApprovals(
  test: Parameters<typeof joinTestApp>[0],
  needs: Omit<NeedsApproval, 'channel'>,
): Promise<TestWorkspace> {
  const workspace = await joinTestApp(test);
  await workspace.connect();
  await switchOnApprovals(workspace.grace, { ...needs, channel: workspace.channels.support });
  return workspace;
}

/**
 * Switches approvals on as an admin: of campaigns to more recipients, and of purchases over a price.
 *
 * @param needs.invites whether Switchboard is not in the channel yet
 */
export async function switchOnApprovals(
  admin: SlackUser,
  { recipients, price, channel, invites = false }: NeedsApproval & { invites?: boolean },
): Promise<void> {
  await admin.types('/switchboard');
  await admin.presses('Change approvals');
  await admin.seesModal('Approvals');
  if (recipients !== undefined) {
    await admin.fills('Needs approval', 'Large campaigns');
    await admin.fills('Campaigns with more recipients than', recipients);
  } else if (price !== undefined) {
    await admin.fills('Needs approval', 'eSIM purchases');
    await admin.fills('eSIM purchases over', price);
  }
  await admin.fills('Channel', channel);
  if (invites) {
    await admin.presses('Invite');
    await admin.seesModal('Approvals', `Switchboard is in <#${channel}> now.`);
  }
  await admin.submits();
  await admin.seesModal('Approvals', 'Saved.');
  await admin.closes();
  await admin.closes();
}
