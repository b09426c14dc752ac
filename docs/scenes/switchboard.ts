import type { Stage } from './stage.ts';

export async function connecting({ desk, sandbox, camera }: Stage): Promise<void> {
  await desk.be('Grace Bello');
  await desk.types('/switchboard ');
  await desk.modal('Connect the provider').waitFor();
  await camera.modal('switchboard-connect');
  await desk.fills('API key', sandbox.provider.account.key);
  await desk.presses('Connect');
  await desk.sees('Connected');
  await desk.picks('Sender ID', 'PalmMarket');
  await desk.fills('E-mail configuration', 'mail-config-1');
  await desk.presses('Save');
  await desk.sees('Saved.');
  await camera.modal('switchboard-settings');
  await desk.leaves('Close');
  await desk.be('Ada Obi');
}

export async function home({ desk, camera }: Stage): Promise<void> {
  await desk.page.getByRole('button', { name: 'Switchboard' }).first().click();
  await desk.page.getByRole('tab', { name: 'Home' }).click();
  await desk.sees('Your last operations');
  await camera.home('home');
}
