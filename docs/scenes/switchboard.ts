import { giveRole } from '../../test/support/slack/role-steps.ts';
import { slackUserAt } from '../../test/support/slack/slack-user.ts';
import type { Stage } from './stage.ts';

export async function connecting({ pageUser, sandbox, camera }: Stage): Promise<void> {
  await pageUser.be('Grace Bello');
  await pageUser.types('/switchboard ');
  await pageUser.modal('Connect the provider').waitFor();
  await camera.modal('switchboard-connect');
  await pageUser.fills('API key', sandbox.provider.account.key);
  await pageUser.presses('Connect');
  await pageUser.sees('Connected');
  await pageUser.picks('Sender ID', 'PalmMarket');
  await pageUser.presses('Save');
  await pageUser.sees('Saved.');
  await camera.modal('switchboard-settings');
  await pageUser.presses('One-time codes');
  await pageUser.modal('One-time codes').waitFor();
  await pageUser.fills('Email configuration', 'palm-market-receipts-7c41');
  await pageUser.presses('Save');
  await pageUser.modal('One-time codes').getByText('Saved.').waitFor();
  await camera.modal('switchboard-codes');
  await pageUser.presses('Close');
  await pageUser.leaves('Close');
  const grace = slackUserAt(sandbox.slack, 'U0ADMIN');
  await giveRole(grace, 'Sender');
  await giveRole(grace, 'Buyer');
  await pageUser.be('Ada Obi');
}

export async function home({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.page.getByRole('button', { name: 'Switchboard' }).first().click();
  await pageUser.page.getByRole('tab', { name: 'Home' }).click();
  await pageUser.sees('Recent activity');
  await camera.home('home');
}
