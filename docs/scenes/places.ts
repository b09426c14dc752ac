import type { Stage } from './stage.ts';

const question = 'Please call Mrs Adeyemi back on 0803 123 4567, or at her shop: 0805 123 4568.';

/** The menu of a message, with both shortcuts. */
export async function shortcuts({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.be('Grace Bello');
  await pageUser.types(question);
  await pageUser.sees(question);
  await pageUser.be('Ada Obi');
  const asked = pageUser.page.locator('.message', { hasText: question }).last();
  const menu = asked.getByRole('group', { name: 'More actions' });
  await asked.hover();
  await asked.getByRole('button', { name: 'More actions' }).click();
  await menu.waitFor();
  await camera.together('shortcuts', [asked, menu]);
  await pageUser.page.keyboard.press('Escape');
}

/** Results that everyone in the channel sees. */
export async function inChannel({ pageUser, camera }: Stage): Promise<void> {
  const results = pageUser.page.locator('.message', { hasText: 'with Switchboard' });
  const before = await results.count();
  await pageUser.types('/sms +2348031234567, +2348051234568');
  await pageUser.fills('Message', 'Your order is on its way.');
  await pageUser.picks('Route', 'Transactional (DND)');
  await pageUser.marks('In a channel');
  await pageUser.modal('New message').getByRole('combobox', { name: 'Channel' }).waitFor();
  await pageUser.presses('Review');
  await pageUser.presses('Send');
  await results.nth(before).waitFor();
  await pageUser.leaves('Close');
  await pageUser.types('/number ');
  await pageUser.fills('Phone number', '0803 123 4567');
  await pageUser.marks('In a channel');
  await pageUser.modal('Number lookup').getByRole('combobox', { name: 'Channel' }).waitFor();
  await pageUser.presses('Look up');
  await results.nth(before + 1).waitFor();
  await pageUser.leaves('Close');
  await camera.together('in-channel', (await results.all()).slice(before));
}

/** A file in the conversation with the app. */
export async function appMessages({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.page
    .getByRole('button', { name: /^Switchboard/ })
    .first()
    .click();
  await pageUser.page.getByRole('tab', { name: 'Messages' }).click();
  await pageUser.sees('QR image of the eSIM');
  await camera.message('esim-qr', 'QR image of the eSIM');
}
