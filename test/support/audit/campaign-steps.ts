import { compose, downloads, recipients, start } from '../campaigns.ts';
import { support } from '../slack/slack-user.ts';
import { ada, first, grace, recorded, type Step } from './audit-steps.ts';

export const aboutCampaigns: Step[] = [
  {
    what: 'prepare a campaign, edit it, discard it',
    act: async ({ ada: member }) => {
      await compose(member, { pasted: first, name: 'Harvest' });
      await member.seesModal('Campaign review');
      await member.presses('Edit');
      await member.seesModal('New campaign');
      await member.submits();
      await member.seesModal('Campaign review');
      await member.presses('Discard');
      await member.seesModal('Discard campaign');
      await member.submits();
      await member.seesModal('Campaigns');
    },
    said: [
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.edit', 'done', 'modal'],
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.discard', 'done', 'modal'],
    ],
  },
  {
    what: 'test and start a campaign, which ends, and download who got it',
    act: async (testApp) => {
      const { ada: member } = testApp;
      await compose(member, { pasted: `${first} +2348030009422`, name: 'Harvest' });
      await member.seesModal('Campaign review');
      await member.presses('Send a test to myself');
      await member.seesModal('Test message');
      await member.fills('Your phone number', first);
      await member.submits();
      await member.seesModal('Test message', 'Test sent');
      await member.closes();
      await start(member, support);
      await member.sees(/\*Done:\*/);
      await recorded(testApp, 'campaign.end');
      await member.closes();
      await downloads(member, 'Download all (2)');
      await member.seesModal('Download', '*results.csv* is in your messages');
    },
    said: [
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.test', 'accepted', 'modal', /^\+234805•••4500$/],
      [ada, 'campaign.start', 'done', 'modal'],
      [undefined, 'campaign.end', 'done', 'background'],
      [ada, 'campaign.export', 'done', 'modal'],
    ],
  },
  {
    what: 'schedule a campaign, make it a draft, schedule it again, cancel it',
    act: async ({ ada: member }) => {
      await compose(member, { pasted: first, name: 'Later' });
      const schedule = async () => {
        await member.seesModal('Campaign review');
        await member.fills('Start', 'Schedule');
        await member.fills('Date', '2100-01-01');
        await member.submits();
        await member.seesModal('Scheduled');
        await member.types('/sms', 'bulk list');
        await member.seesModal('Campaigns');
        await member.presses('Open');
        await member.seesModal('Campaign', 'Scheduled');
      };
      await schedule();
      await member.presses('Edit');
      await member.seesModal('Edit campaign');
      await member.submits();
      await member.seesModal('New campaign');
      await member.submits();
      await schedule();
      await member.presses('Cancel campaign');
      await member.seesModal('Cancel campaign');
      await member.submits();
      await member.seesModal('Campaign', 'Cancelled');
    },
    said: [
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.schedule', 'done', 'modal'],
      [ada, 'campaign.unschedule', 'done', 'modal'],
      [ada, 'campaign.edit', 'done', 'modal'],
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.schedule', 'done', 'modal'],
      [ada, 'campaign.cancel', 'done', 'modal'],
      [undefined, 'campaign.end', 'done', 'background'],
    ],
  },
  {
    what: 'let a campaign repeat, skip a run, stop it',
    act: async ({ ada: member }) => {
      await compose(member, { pasted: first, name: 'Weekly' });
      await member.seesModal('Campaign review');
      await member.fills('Start', 'Repeat');
      await member.fills('Date', '2100-01-01');
      await member.fills('Until', '2100-03-01');
      await member.submits();
      await member.seesModal('Scheduled');
      await member.types('/sms', 'bulk list');
      await member.seesModal('Campaigns');
      await member.presses('Open');
      await member.seesModal('Campaign', 'Repeats every week');
      await member.presses('Skip next run');
      await member.seesModal('Skip next run');
      await member.submits();
      await member.seesModal('Campaign', 'Repeats every week');
      await member.presses('Stop repeating');
      await member.seesModal('Stop repeating');
      await member.submits();
      await member.seesModal('Campaign', 'Stopped repeating');
    },
    said: [
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.repeat', 'done', 'modal'],
      [ada, 'campaign.skip', 'done', 'modal'],
      [ada, 'campaign.cancel', 'done', 'modal'],
      [undefined, 'campaign.end', 'done', 'background'],
    ],
  },
  {
    what: 'have a campaign refused, change its sender ID, and leave a country out',
    act: async ({ ada: member, provider }) => {
      const fault = { kind: 'status', status: 400, message: 'Invalid Sender Id' } as const;
      provider.orderFault({ path: '/api/sms/send/bulk', fault });
      await compose(member, { pasted: `${first} +233241009400`, name: 'Ripe' });
      await start(member, support);
      await member.sees(/\*Paused:\* 2 recipients[\s\S]*Change sender ID/);
      await member.closes();
      await member.presses('Change sender ID');
      await member.fills('Sender ID', 'PalmCare');
      await member.submits();
      await member.seesModal('Resume campaign');
      await member.submits();
      await member.closes();
      await member.sees(/Ghana is not active/);
      await member.presses('Skip this number');
      await member.sees(/\*Done:\* 2 recipients[\s\S]*1 sent · 1 rejected/);
    },
    said: [
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.start', 'done', 'modal'],
      [undefined, 'campaign.pause', 'done', 'background'],
      [ada, 'campaign.change_sender', 'done', 'modal'],
      [ada, 'campaign.resume', 'done', 'modal'],
      [undefined, 'campaign.pause', 'done', 'background'],
      [ada, 'campaign.leave_out', 'done', 'button'],
      [undefined, 'campaign.end', 'done', 'background'],
    ],
  },
  {
    what: 'have a campaign paused for the balance, and resume it',
    act: async ({ ada: member, grace: admin, provider }) => {
      provider.setBalance(0);
      await compose(member, { pasted: recipients(2).join(' '), name: 'Poor' });
      await start(member, support);
      await member.sees('The balance is too low');
      await member.closes();
      provider.setBalance(1_000_000);
      await admin.presses('Resume');
      await member.sees('*Done:* 2 recipients');
    },
    said: [
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.start', 'done', 'modal'],
      [undefined, 'campaign.pause', 'done', 'background'],
      [grace, 'campaign.resume', 'done', 'button'],
      [undefined, 'campaign.end', 'done', 'background'],
    ],
  },
];
