import { manyNumbers } from '../../test/support/slack/number-files.ts';
import type { Stage } from './stage.ts';

export async function dndCheck({ desk, camera }: Stage): Promise<void> {
  await desk.types('/dnd-check ');
  await desk.modal('Do-Not-Disturb check').waitFor();
  await camera.modal('dnd-check-form');
  await desk.leaves('Close');
  await desk.types('/dnd-check +2348031234567 08051234568, 08021234567 08091234568 0803 765 4321');
  await desk.sees('5 numbers: 2 on Do-Not-Disturb, 3 not');
  await camera.message('dnd-check');
}

export async function dndCheckFile({ desk, camera }: Stage): Promise<void> {
  await desk.types('/dnd-check ');
  await desk.modal('Do-Not-Disturb check').waitFor();
  await desk.uploads('customers.csv', ['Phone', ...manyNumbers(240), '0803', 'none'].join('\n'));
  await desk.presses('Check');
  await desk.sees('in your messages with Switchboard');
  await camera.modal('dnd-check-file');
  await desk.leaves('Close');
}

export async function number({ desk, camera }: Stage): Promise<void> {
  await desk.types('/number ');
  await desk.modal('Look up a number').waitFor();
  await camera.modal('number-form');
  await desk.leaves('Close');
  await desk.types('/number +2348031234567');
  await desk.sees('Route to use');
  await camera.message('number');
}

export async function senderId({ desk, camera }: Stage): Promise<void> {
  await desk.types('/sender-id ');
  await desk.sees('PalmMarket');
  await camera.modal('sender-id');
  await desk.presses('Request a sender ID');
  await desk.fills('Sender ID', 'PalmPay');
  await desk.sees('it can be one');
  await desk.fills('What you will send', 'Your payment of 4,500 naira has arrived.');
  await desk.fills('Company', 'Palm Market Ltd');
  await camera.modal('sender-id-request');
  await desk.presses('Request');
  await desk.modal('Requested').waitFor();
  await camera.modal('sender-id-requested');
  await desk.presses('Close');
  await desk.modal('Sender IDs').waitFor();
  await desk.leaves('Close');
}
