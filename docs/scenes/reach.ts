import type { Stage } from './stage.ts';

/** Slackbot's answer to a check, and its draft of a message; then what watchers are set to. */
export async function reach({ pageUser, camera }: Stage): Promise<void> {
  const { page } = pageUser;
  await pageUser.be('Ada Obi');
  const open = (name: string) =>
    page.getByRole('navigation', { name: 'Channels' }).getByRole('button', { name }).first().click();
  await open('Slackbot');
  await page.getByLabel('Tool', { exact: true }).selectOption('check_numbers');
  await page.getByRole('textbox', { name: /^numbers / }).fill('+2348031234567, 0805 123 4567');
  await page.getByRole('button', { name: 'Ask Slackbot' }).click();
  await page.getByRole('article', { name: 'Slackbot: Check numbers' }).getByText('Checked by').waitFor();
  await page.getByLabel('Tool', { exact: true }).selectOption('draft_message');
  await page.getByRole('textbox', { name: /^to / }).fill('+2348031234567');
  await page.getByRole('textbox', { name: /^text / }).fill('Your order has left our shop');
  await page.getByRole('textbox', { name: /^sender / }).fill('PalmMarket');
  await page.getByRole('button', { name: 'Ask Slackbot' }).click();
  await page.getByText('Your draft is in your messages with Switchboard.').waitFor();
  await camera.page('slackbot');

  await open('support');
  await pageUser.be('Grace Bello');
  await pageUser.types('/switchboard ');
  await pageUser.presses('Change alerts');
  await page.getByRole('checkbox', { name: 'Post alerts to a channel' }).check();
  await pageUser.picks('Channel', 'support');
  await pageUser.fills('Balance below', '5,000');
  await camera.modal('watchers');
  await pageUser.leaves('Close this window');
}
