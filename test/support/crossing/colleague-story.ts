import { send } from '../slack/sms-steps.ts';
import { closesAll, type Story } from './cast.ts';
import { numberOf, phonebookOf, senderIdOf } from './tenants.ts';

export const colleagueStory: Story = async ({ tenant, colleague }) => {
  const { word } = tenant;
  await colleague.seesHome('Connected');
  await send(colleague, {
    to: numberOf(tenant, 40),
    text: `${word} from a colleague`,
    from: senderIdOf(tenant),
  });
  await colleague.seesModal('Message accepted');
  await colleague.closes();
  await colleague.types('/sms', `history ${numberOf(tenant, 40)}`);
  await colleague.seesModal('History', `${word} from a colleague`);
  await colleague.closes();

  await colleague.types('/contacts');
  await colleague.seesModal('Contacts', '4 in all');
  await colleague.closes();
  await colleague.types('/contacts', `add ${numberOf(tenant, 41)}`);
  await colleague.seesModal('New contact');
  await colleague.fills('First name', `${word}ella`);
  await colleague.submits();
  await colleague.seesModal('Added');
  await colleague.closes();
  await colleague.types('/contacts', 'upload');
  await colleague.drops('File', `${word}.csv`, `phone,name\n${numberOf(tenant, 42)},${word}ina`);
  await colleague.submits();
  await colleague.seesModal('Upload preview');
  await colleague.submits();
  await colleague.seesModal('Uploaded');
  await colleague.closes();

  await colleague.types('/contacts');
  await colleague.seesModal('Contacts', numberOf(tenant, 0).slice(-3));
  await colleague.presses('Open');
  await colleague.seesModal('Contact');
  await colleague.presses('Delete');
  await colleague.seesModal('Deleted', phonebookOf(tenant).name);
  await closesAll(colleague);

  await colleague.types('/sender-id');
  await colleague.seesModal('Sender IDs', senderIdOf(tenant));
  await colleague.closes();
  await colleague.types('/sender-id', 'request');
  await colleague.fills('Sender ID', `${word}New`);
  await colleague.seesModal('Sender ID request', 'Looks good');
  await colleague.fills('Sample message', `${word} has arrived at our shop today`);
  await colleague.fills('Company', `${word} Limited`);
  await colleague.submits();
  await colleague.seesModal('Sender ID requested');
  await colleague.closes();

  await colleague.types('/sms', 'do-not-contact');
  await colleague.presses('Add numbers');
  await colleague.fills('Numbers to add', `${numberOf(tenant, 43)} ${numberOf(tenant, 44)}`);
  await colleague.submits();
  await colleague.seesModal('Do-not-contact list', '*2 numbers added.*');
  await colleague.closes();
  await colleague.types('/sms', 'bulk');
  await colleague.seesModal('New campaign');
  await colleague.fills('To', 'A phonebook');
  await colleague.seesModal('New campaign', 'Phonebook');
  await colleague.fills('Route', 'DND');
  await colleague.fills('Sender ID', senderIdOf(tenant));
  await colleague.fills('Message', `${word} to the phonebook`);
  await colleague.fills('Name', `${word} book`);
  await colleague.submits();
  await colleague.seesModal('Campaign review');
  await colleague.closes();
  await colleague.seesHome('SMS to');
};
