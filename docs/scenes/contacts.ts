import type { Stage } from './stage.ts';

const csv = `Phone,First name,Town
0803 200 1001,Bisi,Ibadan
0805 200 1002,Chidi,Enugu
0805 200 1002,Chidi,Enugu
0803,Dayo,Jos
0802 200 1003,Efe,Warri
`;

export async function contacts({ desk, sandbox, camera }: Stage): Promise<void> {
  const [phonebook] = sandbox.provider.account.phonebooks;
  await desk.be('Grace Bello');
  await desk.types('/contacts phonebooks');
  await desk.presses('Add a phonebook');
  await desk.fills('Id', phonebook?.id ?? '');
  await desk.fills('Name', 'Loyal customers');
  await camera.modal('contacts-phonebook');
  await desk.presses('Add');
  await desk.modal('Phonebooks').getByText('Loyal customers').first().waitFor();
  await camera.modal('contacts-phonebooks');
  await desk.leaves('Close');
  await desk.be('Ada Obi');

  await desk.types('/contacts ');
  await desk.modal('Contacts').getByText('in all').waitFor();
  await desk.fills('Search this page', '803 111 011');
  await desk.presses('Search');
  await desk.sees('on this page found');
  await camera.modal('contacts');
  await desk.modal('Contacts').getByRole('button', { name: 'Open' }).first().click();
  await desk.modal('Contact').getByText('Number').waitFor();
  await camera.modal('contacts-card');
  await desk.presses('Delete');
  const question = desk.page.getByRole('alertdialog');
  await question.waitFor();
  await camera.together('contacts-delete', [question]);
  await question.getByRole('button', { name: 'Keep it' }).click();
  await question.waitFor({ state: 'detached' });
  await desk.leaves('Close');

  await desk.types('/contacts add 0803 123 4567');
  await desk.fills('First name', 'Ngozi');
  await desk.fills('Company', 'Blue Kite');
  await camera.modal('contacts-add');
  await desk.presses('Add');
  await desk.modal('Added').waitFor();
  await camera.modal('contacts-added');
  await desk.leaves('Close');

  await desk.types('/contacts upload');
  await desk.uploads('customers.csv', csv);
  await camera.modal('contacts-upload');
  await desk.presses('Check');
  await desk.modal('Upload these?').waitFor();
  await camera.modal('contacts-preview');
  await desk.presses('Upload');
  await desk.modal('Uploaded').waitFor();
  await camera.modal('contacts-uploaded');
  await desk.leaves('Close');
}
