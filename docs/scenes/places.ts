import type { Stage } from './stage.ts';

const question = 'Please call Mrs Adeyemi back on 0803 123 4567, or at her shop: 0805 123 4568.';

/** The menu of a message, and the result of each shortcut in it. */
export async function shortcuts({ desk, camera }: Stage): Promise<void> {
  await desk.be('Grace Bello');
  await desk.types(question);
  await desk.sees(question);
  await desk.be('Ada Obi');
  const asked = desk.page.locator('.message', { hasText: question }).last();
  const menu = asked.getByRole('menu');
  const open = async () => {
    await asked.hover();
    await asked.getByRole('button', { name: 'More actions' }).click();
    await menu.waitFor();
  };
  await open();
  await camera.together('shortcuts', [asked, menu]);
  await menu.getByRole('menuitem', { name: 'Check numbers' }).click();
  await desk.sees('2 numbers: 1 on Do-Not-Disturb, 1 not');
  await camera.message('shortcut-check');
  await open();
  await menu.getByRole('menuitem', { name: 'Send SMS to…' }).click();
  await desk.modal('Send an SMS').waitFor();
  await camera.modal('shortcut-send');
  await desk.leaves('Cancel');
}

/** Results that everyone in the channel sees. */
export async function inChannel({ desk, camera }: Stage): Promise<void> {
  const results = desk.page.locator('.message', { hasText: 'with Switchboard' });
  const before = await results.count();
  await desk.types('/sms +2348031234567, +2348051234568');
  await desk.fills('Message', 'Your order is on its way.');
  await desk.marks('In a channel');
  await desk.modal('Send an SMS').getByRole('combobox', { name: 'Channel' }).waitFor();
  await desk.presses('Review');
  await desk.presses('Send');
  await results.nth(before).waitFor();
  await desk.leaves('Close');
  await desk.types('/number ');
  await desk.fills('Phone number', '0803 123 4567');
  await desk.marks('In a channel');
  await desk.modal('Look up a number').getByRole('combobox', { name: 'Channel' }).waitFor();
  await desk.presses('Look up');
  await results.nth(before + 1).waitFor();
  await desk.leaves('Close');
  await camera.together('in-channel', (await results.all()).slice(before));
}

/** Files in the conversation with the app. */
export async function appMessages({ desk, camera }: Stage): Promise<void> {
  await desk.page
    .getByRole('button', { name: /^Switchboard/ })
    .first()
    .click();
  await desk.page.getByRole('tab', { name: 'Messages' }).click();
  await desk.sees('QR image of the eSIM');
  await camera.message('esim-qr', 'QR image of the eSIM');
  await camera.message('dnd-check-csv', 'Do-Not-Disturb check');
}
