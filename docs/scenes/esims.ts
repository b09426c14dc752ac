import type { Stage } from './stage.ts';

export async function esim({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/esim Nigeria');
  await pageUser.modal('eSIM plans').getByText('total').waitFor();
  await camera.modal('esim-plans');
  await pageUser.page.getByRole('button', { name: 'Create an eSIM: Nigeria 1 GB, 7 days' }).click();
  await pageUser.modal('New eSIM').waitFor();
  await camera.modal('esim-create');
  await pageUser.presses('Create');
  await pageUser.modal('eSIM created').waitFor();
  await camera.modal('esim-created');
  await pageUser.presses('QR image');
  await pageUser.sees('in your messages with Switchboard');
  await camera.modal('esim-qr-sent');
  await pageUser.presses('Share in a channel…');
  await pageUser.modal('Share QR image').waitFor();
  await camera.modal('esim-qr-channel');
  await pageUser.presses('Cancel');
  await pageUser.modal('eSIM created').waitFor();
  await pageUser.presses('Install details');
  await pageUser.sees('SM-DP+ address');
  await camera.modal('esim-install');
  await pageUser.presses('Close');
  await pageUser.modal('eSIM created').waitFor();
  await pageUser.presses('Close');
  await pageUser.modal('eSIM plans').waitFor();
  await pageUser.leaves('Close');

  await pageUser.types('/esim list');
  await pageUser.modal('eSIMs').getByText('total').waitFor();
  await camera.modal('esim-list');
  await pageUser.leaves('Close');
  await pageUser.types('/esim countries');
  await pageUser.modal('Countries with plans').getByText('of 20').waitFor();
  await camera.modal('esim-countries');
  await pageUser.leaves('Close');
}

export async function esimStatus({ pageUser, sandbox, camera }: Stage): Promise<void> {
  await pageUser.types('/esim-status ');
  await pageUser.modal('eSIM status').waitFor();
  await camera.modal('esim-status-pick');
  await pageUser.leaves('Cancel');
  const inUse = sandbox.provider.account.sims.find(({ productId }) => productId === 'gb-1gb-7d');
  await pageUser.types(`/esim-status ${inUse?.iccid}`);
  await pageUser.sees('As of');
  await camera.modal('esim-status');
  await pageUser.presses('Top up');
  await pageUser.modal('Top-up plans').getByText('total').waitFor();
  await pageUser.page.getByRole('button', { name: 'Top up: United Kingdom 5 GB, 30 days' }).click();
  await pageUser.modal('eSIM top-up').waitFor();
  await camera.modal('esim-top-up');
  await pageUser.presses('Top up');
  await pageUser.modal('eSIM topped up').waitFor();
  await camera.modal('esim-topped-up');
  await pageUser.leaves('Close this window');
}
