import type { Stage } from './stage.ts';

export async function dndCheck({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/dnd-check +2348031234567 08051234568, 08021234567 08091234568 0803 765 4321');
  await pageUser.sees('2 of 5 on Do-Not-Disturb');
  await camera.message('dnd-check');
}

export async function number({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/number +2348031234567');
  await pageUser.sees('Route to use');
  await camera.message('number');
}

export async function senderId({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/sender-id ');
  await pageUser.sees('PalmMarket');
  await camera.modal('sender-id');
  await pageUser.leaves('Close');
}
