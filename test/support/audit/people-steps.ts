import { createEsim } from '../slack/esim-steps.ts';
import { openSettings } from '../slack/open-settings.ts';
import { codeReceived, verify } from '../slack/otp-steps.ts';
import { send } from '../slack/sms-steps.ts';
import { changeTemplate, createTemplate, openTemplate } from '../slack/template-steps.ts';
import { ada, first, grace, type Step } from './audit-steps.ts';

export const aboutPeople: Step[] = [
  {
    what: 'send a message by the form',
    act: async ({ ada: member }) => {
      await send(member, { to: first });
      await member.seesModal('Message sent');
      await member.closes();
    },
    said: [[ada, 'sms.send', 'accepted', 'modal', /^\+234805•••4500$/]],
  },
  {
    what: 'send one that is refused, by the button of a message',
    act: async ({ ada: member }) => {
      await member.types('/sms', '+2348030009400 Your parcel is here');
      await member.presses('Send');
      await member.sees('Rejected');
    },
    said: [[ada, 'sms.send', 'rejected', 'button', /^\+234803•••9400$/]],
  },
  {
    what: 'send a code',
    act: async ({ ada: member }) => {
      await member.types('/otp', first);
      await member.seesModal('One-time code');
      await member.submits();
      await member.seesModal('Code sent');
      await member.closes();
    },
    said: [[ada, 'otp.sms', 'accepted', 'modal', /^\+234805•••4500$/]],
  },
  {
    what: 'verify it',
    act: async ({ ada: member, provider }) => {
      await member.types('/otp', 'verify');
      await member.seesModal('Verification');
      await verify(member, codeReceived({ provider }));
      await member.seesModal('Verified');
      await member.closes();
    },
    said: [[ada, 'otp.verify', 'done', 'modal', /^\+234805•••4500$/]],
  },
  {
    what: 'mark an unconfirmed message as received',
    act: async ({ ada: member }) => {
      await send(member, { to: '+2348030009003' });
      await member.seesModal('Message unconfirmed');
      await member.presses('Mark as received');
      await member.seesModal('Message unconfirmed', 'Marked as received');
      await member.closes();
    },
    said: [
      [ada, 'sms.send', 'unconfirmed', 'modal', /^\+234803•••9003$/],
      [ada, 'sms.mark', 'done', 'modal', /^\+234803•••9003$/],
    ],
  },
  {
    what: 'be stopped by a limit, which is lifted',
    act: async ({ ada: member, grace: admin }) => {
      await member.types('/otp', first);
      await member.seesModal('One-time code');
      await member.submits();
      await member.seesTrouble('An admin can lift this');
      await member.closes();
      await openSettings(admin);
      await admin.presses('Change limits');
      await admin.seesModal('Limits', 'another code to');
      await admin.presses('Lift');
      await admin.seesModal('Limits', 'Lifted');
      await admin.presses('Change page budget and countries');
      await admin.fills('Pages per day', '1000');
      await admin.submits();
      await admin.seesModal('Limits', 'Saved.');
      await admin.closes();
    },
    said: [
      [grace, 'limits.lift', 'done', 'modal'],
      [grace, 'limits.change', 'done', 'modal'],
    ],
  },
  {
    what: 'look up a number',
    act: async ({ ada: member }) => {
      await member.types('/number', first);
      await member.sees('Route to use');
    },
    said: [[ada, 'lookup.number', 'done', 'command', /^\+234805•••4500$/]],
  },
  {
    what: 'check numbers for Do-Not-Disturb',
    act: async ({ ada: member }) => {
      await member.types('/dnd-check', `${first} +2348051234510`);
      await member.sees('on Do-Not-Disturb');
    },
    said: [[ada, 'lookup.dnd', 'done', 'command']],
  },
  {
    what: 'share what installs an eSIM',
    act: async (app) => {
      await createEsim(app);
      await app.ada.presses('Get QR image');
      await app.ada.seesModal('QR image', 'in your messages');
    },
    said: [
      [ada, 'esim.create', 'accepted', 'modal'],
      [ada, 'esim.share', 'done', 'modal', /•••/],
    ],
  },
  {
    what: 'add numbers to the do-not-contact list, import, export and remove',
    act: async ({ ada: member, grace: admin }) => {
      await member.types('/sms', 'do-not-contact');
      await member.presses('Add numbers');
      await member.fills('Numbers to add', '+2348021234567');
      await member.submits();
      await member.seesModal('Do-not-contact list', 'added');
      await admin.types('/sms', 'do-not-contact');
      await admin.presses('Import a CSV');
      await admin.drops('File', 'optouts.csv', '+2348021234568\n+2348021234569\n');
      await admin.submits();
      await admin.seesModal('Do-not-contact list', '*3 numbers* on');
      await admin.presses('Export as CSV');
      await admin.seesModal('Do-not-contact list', 'file is in your messages');
      await admin.closes();
      await admin.presses('Remove');
      await admin.seesModal('Do-not-contact list', '*1 number removed.*');
    },
    said: [
      [ada, 'suppression.add', 'done', 'modal', /^\+234802•••4567$/],
      [grace, 'suppression.import', 'done', 'modal', /^\+234802•••4568, \+234802•••4569$/],
      [grace, 'suppression.export', 'done', 'modal'],
      [grace, 'suppression.remove', 'done', 'modal', /^\+234802•••456\d$/],
    ],
  },
  {
    what: 'create, change and delete a template, whose text is in no entry',
    act: async ({ ada: member }) => {
      await createTemplate(member, { name: 'Ready, call 0805 123 4500', text: 'Your order is on its way' });
      await changeTemplate(member, 'Your parcel is here');
      await openTemplate(member);
      await member.presses('Delete');
      await member.seesModal('Templates', 'is deleted');
      await member.closes();
    },
    said: ['create', 'change', 'delete'].map((verb) => [ada, `template.${verb}`, 'done', 'modal']),
  },
];
