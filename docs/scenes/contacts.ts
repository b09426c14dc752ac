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
  await pageUser.presses('Add');
  await pageUser.modal('Phonebooks').getByText('Loyal customers').first().waitFor();
  await pageUser.leaves('Close');
  await pageUser.be('Ada Obi');

  await pageUser.types('/contacts ');
  await pageUser.modal('Contacts').getByText('total').waitFor();
  await pageUser.fills('Search contacts', '803 111 011');
  await pageUser.presses('Search');
  await pageUser.sees('found in 18 contacts');
  await camera.modal('contacts');
  await pageUser.leaves('Close');

  await pageUser.types('/contacts upload');
  await pageUser.uploads('customers.csv', csv);
  await pageUser.presses('Review');
  await pageUser.modal('Upload review').waitFor();
  await camera.modal('contacts-review');
  await pageUser.leaves('Close this window');
}
