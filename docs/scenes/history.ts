import type { Stage } from './stage.ts';

/** A search for what was sent to one number. */
export async function historySearch({ desk, camera }: Stage): Promise<void> {
  await desk.be('Grace Bello');
  await desk.types('/sms history 0803 123 4568');
  await desk.sees('went to');
  await camera.modal('history-search');
  await desk.leaves('Close');
  await desk.be('Ada Obi');
}

/** The do-not-contact list as an admin sees it, and its warning in a message. */
export async function doNotContact({ desk, camera }: Stage): Promise<void> {
  await desk.be('Grace Bello');
  await desk.types('/sms do-not-contact');
  await desk.presses('Add numbers');
  await desk.fills('Numbers to add', '0803 555 0101, 0805 555 0102');
  await desk.presses('Add');
  await desk.sees('2 numbers added.');
  await desk.presses('Import a CSV');
  await desk.modal('Import a CSV').waitFor();
  await desk.uploads(
    'opt-outs.csv',
    'Account;Mobile\n100042;0802 555 0103\n100043;0803 555 01\n100044;0803 555 0101\n',
  );
  await desk.presses('Import');
  await desk.sees('1 number added.');
  await camera.modal('do-not-contact-import');
  await desk.fills('Is a number on it?', '0805 555 0102');
  await desk.presses('Look up');
  await desk.sees('is on the list.');
  await camera.modal('do-not-contact');
  await desk.leaves('Close');
  await desk.be('Ada Obi');
  await desk.types('/sms 0805 555 0102 Our sale begins today.');
  await desk.sees('Do not contact.');
  await camera.message('do-not-contact-warning');
  await desk.presses('Cancel');
  await desk.sees('Cancelled. Nothing was sent.');
}
