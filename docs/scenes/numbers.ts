import { manyNumbers } from '../../test/support/slack/number-files.ts';
import type { Stage } from './stage.ts';

export async function dndCheck({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/dnd-check ');
  await pageUser.modal('Do-Not-Disturb check').waitFor();
  await camera.modal('dnd-check-form');
  await pageUser.leaves('Close');
  await pageUser.types('/dnd-check +2348031234567 08051234568, 08021234567 08091234568 0803 765 4321');
  await pageUser.sees('2 of 5 on Do-Not-Disturb');
  await camera.message('dnd-check');
}

export async function dndCheckFile({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/dnd-check ');
  await pageUser.modal('Do-Not-Disturb check').waitFor();
  await pageUser.uploads('customers.csv', ['Phone', ...manyNumbers(240), '0803', 'none'].join('\n'));
  await pageUser.presses('Check');
  await pageUser.sees('in your messages with Switchboard');
  await camera.modal('dnd-check-file');
  await pageUser.leaves('Close');
}

export async function number({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/number ');
  await pageUser.modal('Number lookup').waitFor();
  await camera.modal('number-form');
  await pageUser.leaves('Close');
  await pageUser.types('/number +2348031234567');
  await pageUser.sees('Route to use');
  await camera.message('number');
}

export async function senderId({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/sender-id ');
  await pageUser.sees('PalmMarket');
  await camera.modal('sender-id');
  await pageUser.presses('Request a sender ID');
  await pageUser.fills('Sender ID', 'PalmPay');
  await pageUser.sees('Looks good');
  await pageUser.fills('Sample message', 'Your payment of 4,500 naira has arrived.');
  await pageUser.fills('Company', 'Palm Market Ltd');
  await camera.modal('sender-id-request');
  await pageUser.presses('Request');
  await pageUser.modal('Sender ID requested').waitFor();
  await camera.modal('sender-id-requested');
  await pageUser.presses('Close');
  await pageUser.modal('Sender IDs').waitFor();
  await pageUser.leaves('Close');
}
