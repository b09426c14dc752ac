import { switchOnApprovals } from '../slack/approval-steps.ts';
import { giveRole } from '../slack/role-steps.ts';
import { startFrom } from '../slack/sms-steps.ts';
import { opensSettings, type Story } from './cast.ts';
import { mailOf, phonebookOf, senderIdOf } from './tenants.ts';

/** More recipients than this need approval. */
const maxUnapproved = 4;

/** Connects the account, and sets everything that an admin can set. */
export const settingUp: Story = async ({ tenant, admin }) => {
  const { word, key, channel, digit } = tenant;
  await admin.types('/switchboard', 'connect');
  await admin.fills('API key', key);
  await admin.submits();
  await admin.seesModal('Switchboard', 'Connected');
  await admin.closes();
  await startFrom(admin, senderIdOf(tenant));
  await admin.closes();

  await opensSettings(admin, 'Change one-time codes');
  await admin.seesModal('One-time codes');
  await admin.fills('Sender ID', senderIdOf(tenant));
  await admin.fills('Email configuration', mailOf(tenant));
  await admin.fills('Text of the SMS', `${word}: <code>, for <minutes> minutes`);
  await admin.submits();
  await admin.seesModal('One-time codes', 'Saved.');
  await admin.closes();
  await admin.closes();

  await opensSettings(admin, 'Change limits');
  await admin.seesModal('Limits');
  await admin.presses('Change page budget and countries');
  await admin.fills('Pages per day', `${digit}000`);
  await admin.submits();
  await admin.seesModal('Limits', 'Saved.');
  await admin.closes();
  await admin.closes();

  await admin.types('/contacts');
  await admin.seesModal('New phonebook');
  await admin.fills('ID', phonebookOf(tenant).id);
  await admin.fills('Name', phonebookOf(tenant).name);
  await admin.submits();
  await admin.seesModal('Phonebooks', 'added');
  await admin.closes();
  await giveRole(admin, 'Approver', { People: tenant.colleague });
  await switchOnApprovals(admin, { recipients: String(maxUnapproved), channel });
};
