import type { Stage } from './stage.ts';

/** A template with its price. */
export async function templates({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.be('Grace Bello');
  await pageUser.page.getByRole('button', { name: 'Switchboard' }).first().click();
  await pageUser.page.getByRole('tab', { name: 'Home' }).click();
  await pageUser.presses('Open costs');
  await pageUser.presses('Open prices');
  await pageUser.presses('Add price');
  await pageUser.fills('Price of a page', '4.25');
  await pageUser.presses('Save');
  await pageUser.modal('Prices').getByText('₦4.25 a page').waitFor();
  await pageUser.leaves('Close this window');
  await pageUser.page.getByRole('button', { name: 'support' }).first().click();
  await pageUser.be('Ada Obi');

  await pageUser.types('/sms template');
  await pageUser.presses('New template');
  // The list has a field whose label has this one's in it.
  await pageUser.modal('New template').waitFor();
  await pageUser.fills('Name', 'Order ready');
  await pageUser.fills('Message', 'Hello {{first_name|there}}, your order is ready at our shop in Yaba.');
  await pageUser.picks('Route', 'Transactional (DND)');
  await pageUser.picks('Sender ID', 'PalmMarket');
  await pageUser.presses('Save');
  await pageUser.modal('Template').getByText('Saved.').waitFor();
  await camera.modal('template');
  await pageUser.leaves('Close this window');
}
