import type { Stage } from './stage.ts';

export async function esim({ desk, camera }: Stage): Promise<void> {
  await desk.types('/esim Nigeria');
  await desk.modal('eSIM plans').getByText('in all').waitFor();
  await camera.modal('esim-plans');
  await desk.page.getByRole('button', { name: 'Create an eSIM: Nigeria 1 GB, 7 days' }).click();
  await desk.modal('Create this eSIM?').waitFor();
  await camera.modal('esim-create');
  await desk.presses('Create');
  await desk.modal('Created').waitFor();
  await camera.modal('esim-created');
  await desk.presses('QR image');
  await desk.sees('in your messages from Switchboard');
  await camera.modal('esim-qr-sent');
  await desk.presses('Share in a channel…');
  await desk.modal('Share in a channel?').waitFor();
  await camera.modal('esim-qr-channel');
  await desk.presses('Cancel');
  await desk.modal('Created').waitFor();
  await desk.presses('Install details');
  await desk.sees('SM-DP+ address');
  await camera.modal('esim-install');
  await desk.presses('Close');
  await desk.modal('Created').waitFor();
  await desk.presses('Close');
  await desk.modal('eSIM plans').waitFor();
  await desk.leaves('Close');

  await desk.types('/esim list');
  await desk.modal('eSIMs').getByText('in all').waitFor();
  await camera.modal('esim-list');
  await desk.leaves('Close');
  await desk.types('/esim countries');
  await desk.modal('Countries with plans').getByText('of 20').waitFor();
  await camera.modal('esim-countries');
  await desk.leaves('Close');
}

export async function esimStatus({ desk, sandbox, camera }: Stage): Promise<void> {
  await desk.types('/esim-status ');
  await desk.modal('eSIM status').waitFor();
  await camera.modal('esim-status-pick');
  await desk.leaves('Cancel');
  const inUse = sandbox.provider.account.sims.find(({ productId }) => productId === 'gb-1gb-7d');
  await desk.types(`/esim-status ${inUse?.iccid}`);
  await desk.sees('As of');
  await camera.modal('esim-status');
  await desk.presses('Top up');
  await desk.modal('Top up an eSIM').getByText('in all').waitFor();
  await desk.page.getByRole('button', { name: 'Top up: Nigeria 5 GB, 30 days' }).click();
  await desk.modal('Top up this eSIM?').waitFor();
  await camera.modal('esim-top-up');
  await desk.presses('Top up');
  await desk.modal('Topped up').waitFor();
  await camera.modal('esim-topped-up');
  await desk.leaves('Close this window');
}
