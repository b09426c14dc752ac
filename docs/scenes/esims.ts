import type { Stage } from './stage.ts';

export async function esim({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/esim Nigeria');
  await pageUser.modal('eSIM plans').getByText('total').waitFor();
  await camera.modal('esim-plans');
  await pageUser.page.getByRole('button', { name: 'Create an eSIM: Nigeria 1 GB, 7 days' }).click();
  await pageUser.modal('New eSIM').waitFor();
  await pageUser.presses('Create');
  await pageUser.modal('eSIM created').waitFor();
  await camera.modal('esim-created');
  await pageUser.presses('Get QR image');
  await pageUser.sees('in your messages with Switchboard');
  await pageUser.leaves('Close this window');
}

export async function esimStatus({ pageUser, sandbox, camera }: Stage): Promise<void> {
  const inUse = sandbox.provider.account.sims.find(({ productId }) => productId === 'gb-1gb-7d');
  await pageUser.types(`/esim-status ${inUse?.iccid}`);
  await pageUser.sees('As of');
  await camera.modal('esim-status');
  await pageUser.leaves('Close');
}
