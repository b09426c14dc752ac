import type { Stage } from './stage.ts';

const csv = `Phone,First name,Town
0803 200 1001,Bisi,Ibadan
0805 200 1002,Chidi,Enugu
0805 200 1002,Chidi,Enugu
0803,Dayo,Jos
0802 200 1003,Efe,Warri
`;

export async function contacts({ pageUser, sandbox, camera }: Stage): Promise<void> {
  const [phonebook] = sandbox.provider.account.phonebooks;
  await pageUser.be('Grace Bello');
  await pageUser.types('/contacts phonebooks');
  await pageUser.presses('Add a phonebook');
  await pageUser.fills('ID', phonebook?.id ?? '');
  await pageUser.fills('Name', 'Loyal customers');
  await camera.modal('contacts-phonebook');
  await pageUser.presses('Add');
  await pageUser.modal('Phonebooks').getByText('Loyal customers').first().waitFor();
  await camera.modal('contacts-phonebooks');
  await pageUser.leaves('Close');
  await pageUser.be('Ada Obi');

  await pageUser.types('/contacts ');
  await pageUser.modal('Contacts').getByText('total').waitFor();
  await pageUser.fills('Search contacts', '803 111 011');
  await pageUser.presses('Search');
  await pageUser.sees('found in 18 contacts');
  await camera.modal('contacts');
  await pageUser.modal('Contacts').getByRole('button', { name: 'Open' }).first().click();
  await pageUser.modal('Contact').getByText('Number').waitFor();
  await camera.modal('contacts-card');
  await pageUser.presses('Delete');
  const question = pageUser.page.getByRole('alertdialog');
  await question.waitFor();
  await camera.together('contacts-delete', [question]);
  await question.getByRole('button', { name: 'Keep' }).click();
  await question.waitFor({ state: 'detached' });
  await pageUser.leaves('Close');

  await pageUser.types('/contacts add 0803 123 4567');
  await pageUser.fills('First name', 'Ngozi');
  await pageUser.fills('Company', 'Blue Kite');
  await camera.modal('contacts-add');
  await pageUser.presses('Add');
  await pageUser.modal('Added').waitFor();
  await camera.modal('contacts-added');
  await pageUser.leaves('Close');

  await pageUser.types('/contacts upload');
  await pageUser.uploads('customers.csv', csv);
  await camera.modal('contacts-upload');
  await pageUser.presses('Check');
  await pageUser.modal('Upload preview').waitFor();
  await camera.modal('contacts-preview');
  await pageUser.presses('Upload');
  await pageUser.modal('Uploaded').waitFor();
  await camera.modal('contacts-uploaded');
  await pageUser.leaves('Close');
}
