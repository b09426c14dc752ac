import type { Stage } from './stage.ts';

/** A search for what was sent to one number. */
export async function historySearch({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.be('Grace Bello');
  await pageUser.types('/sms history 0803 123 4568');
  await pageUser.sees('Sent to');
  await camera.modal('history-search');
  await pageUser.leaves('Close');
  await pageUser.be('Ada Obi');
}

/** The do-not-contact list as an admin sees it. */
export async function doNotContact({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.be('Grace Bello');
  await pageUser.types('/sms do-not-contact');
  await pageUser.presses('Add numbers');
  await pageUser.fills('Numbers to add', '0803 555 0101, 0805 555 0102');
  await pageUser.presses('Add');
  await pageUser.sees('2 numbers added.');
  await pageUser.fills('Check a number', '0805 555 0102');
  await pageUser.presses('Check');
  await pageUser.sees('has been on the list since');
  await camera.modal('do-not-contact');
  await pageUser.leaves('Close');
  await pageUser.be('Ada Obi');
}
