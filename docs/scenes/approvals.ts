import type { Stage } from './stage.ts';

const customers = ['First name,Phone', 'Ada,08054123456', 'Bola,08054123457', 'Chidi,08054123458'].join('\n');

/** A campaign that waits in a channel for an approver, who approves it. */
export async function approval({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.page.getByRole('button', { name: 'support' }).first().click();
  await pageUser.be('Grace Bello');
  await pageUser.types('/switchboard ');
  await pageUser.modal('Switchboard').waitFor();
  await pageUser.presses('Change approvals');
  const settings = pageUser.modal('Approvals');
  await settings.getByRole('checkbox', { name: 'Large campaigns' }).check();
  await settings.getByText('Campaigns with more recipients than').waitFor();
  await pageUser.fills('Campaigns with more recipients than', '2');
  await pageUser.picks('Channel', 'support');
  await camera.modal('approvals');
  await pageUser.presses('Save');
  await settings.getByText('Saved.').waitFor();
  await pageUser.leaves('Close this window');

  await pageUser.be('Ada Obi');
  await pageUser.types('/sms bulk');
  await pageUser.uploads('saturday.csv', customers);
  await pageUser.fills('Message', 'Hello {{first_name|there}}, our shop in Yaba opens on Saturday at nine.');
  await pageUser.picks('Sender ID', 'PalmMarket');
  await pageUser.presses('Review');
  await pageUser.modal('Campaign review').waitFor();
  await pageUser.presses('Ask for approval');
  await pageUser.modal('Approval').waitFor();
  await pageUser.leaves('Close');
  await pageUser.be('Nneka Eze');
  await pageUser.sees('Waiting for approval');
  await camera.message('approval', 'Waiting for approval');
  await pageUser.presses('Approve');
  await pageUser.sees('Approved by');
  await pageUser.be('Ada Obi');
}
