import type { Stage } from './stage.ts';

export async function connecting({ pageUser, sandbox, camera }: Stage): Promise<void> {
  await pageUser.be('Grace Bello');
  await pageUser.types('/switchboard ');
  await pageUser.modal('Provider connection').waitFor();
  await camera.modal('switchboard-connect');
  await pageUser.fills('API key', sandbox.provider.account.key);
  await pageUser.presses('Connect');
  await pageUser.sees('Connected');
  await pageUser.presses('Change defaults');
  await pageUser.picks('Sender ID', 'PalmMarket');
  await pageUser.presses('Save');
  await pageUser.sees('Saved.');
  await camera.modal('switchboard-settings');
  await pageUser.leaves('Close');
  await pageUser.be('Ada Obi');
}

/** Gives Ada what the later scenes need. */
export async function roles({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.be('Grace Bello');
  await pageUser.types('/switchboard ');
  await pageUser.modal('Switchboard').waitFor();
  await pageUser.presses('Change roles');
  for (const [role, person] of [
    ['Campaign manager: Everything an agent', '@ada'],
    ['Buyer', '@ada'],
    ['Approver', '@nneka'],
  ] as const) {
    await pageUser.modal('Roles').getByText('Everyone in this workspace').waitFor();
    await pageUser.presses('Add role');
    await pageUser.modal('New role').waitFor();
    await pageUser.picks('Role', role);
    await pageUser.picks('People', person);
    await pageUser.presses('Add');
    await pageUser.modal('Roles').getByText(person).last().waitFor();
  }
  await camera.modal('roles');
  await pageUser.leaves('Close this window');
  await pageUser.be('Ada Obi');
}

export async function limits({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.be('Grace Bello');
  await pageUser.types('/switchboard ');
  await pageUser.modal('Switchboard').waitFor();
  await pageUser.presses('Change limits');
  await pageUser.modal('Limits').waitFor();
  await pageUser.presses('Change page budget and countries');
  await pageUser.fills('Pages per day', '5,000');
  await pageUser.fills('For messages', 'Nigeria, Ghana, Kenya');
  await pageUser.presses('Save');
  await pageUser.modal('Limits').getByText('Saved.').waitFor();
  await camera.modal('limits');
  await pageUser.leaves('Close this window');
  await pageUser.be('Ada Obi');
}

export async function home({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.page.getByRole('button', { name: 'Switchboard' }).first().click();
  await pageUser.page.getByRole('tab', { name: 'Home' }).click();
  await pageUser.sees('Recent activity');
  await camera.home('home');
}
