import type { Stage } from './stage.ts';

const names = ['Ada', 'Bola', 'Chidi', 'Dayo', 'Efe'];

/** A CSV file of `count` customers who can be sent to, and one for each kind of problem. */
function customers(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `${names[index % names.length]},0${index % 3 === 0 ? 803 : 805}${4_100_000 + index * 10}`,
  );
  return [
    'First name,Phone',
    ...rows,
    'Halima,+2348030009422',
    'Ike,+2348030009601',
    'Femi,0803',
    'Gbenga,8.03E+09',
    rows[0],
  ].join('\n');
}

export async function campaign({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.page.getByRole('button', { name: 'support' }).first().click();
  await pageUser.types('/sms bulk');
  await pageUser.uploads('loyal-customers.csv', customers(900));
  await pageUser.fills('Message', 'Hello {{first_name|there}}, our shop in Yaba opens on Saturday at nine.');
  await pageUser.picks('Sender ID', 'PalmMarket');
  await pageUser.modal('New campaign').getByText('1 page · 56 characters').waitFor();
  await camera.modal('campaign-form');
  await pageUser.presses('Preview');
  await pageUser.modal('Campaign review').waitFor();
  await pageUser.marks('A channel');
  await pageUser.modal('Campaign review').getByText('Channel', { exact: true }).waitFor();
  await camera.modal('campaign-preview');
  await pageUser.presses('Send to 902');
  await pageUser.modal('Started').waitFor();
  await pageUser.leaves('Close');
  await pageUser.sees(/░ [3-6]\d%/);
  await camera.message('campaign-progress');
  await pageUser.sees('Done:');
  await camera.message('campaign-summary');
  await pageUser.types('/sms bulk list');
  await pageUser.modal('Campaigns').waitFor();
  await camera.modal('campaign-list');
  await pageUser.leaves('Close');
}

/** A follow-up to those whom the last campaign did not reach. */
export async function followUp({ pageUser, camera }: Stage): Promise<void> {
  const form = pageUser.modal('Follow up');
  await pageUser.presses('Follow up…');
  await pageUser.marks('Rejected');
  await pageUser.marks('Edited text');
  await form.getByRole('textbox', { name: 'Message' }).waitFor();
  await pageUser.fills(
    'Message',
    'Hello {{first_name|there}}, we could not reach you before: we are open now.',
  );
  await form.getByText('1 page · 60 characters').waitFor();
  await camera.modal('campaign-follow-up');
  await pageUser.leaves('Cancel');
}

/** A campaign that repeats every week: its review, and its message. */
export async function repeatingCampaign({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/sms bulk');
  await pageUser.uploads('members.csv', customers(40));
  await pageUser.fills('Message', 'Hello {{first_name|there}}, our market is open on Saturday from nine.');
  await pageUser.picks('Sender ID', 'PalmMarket');
  await pageUser.presses('Preview');
  await pageUser.modal('Campaign review').waitFor();
  await pageUser.marks('Again and again');
  await pageUser.modal('Campaign review').getByText('Until', { exact: true }).waitFor();
  await pageUser.marks('A channel');
  await pageUser.modal('Campaign review').getByText('Channel', { exact: true }).waitFor();
  await camera.modal('campaign-repeat-form');
  await pageUser.presses('Schedule for 42');
  await pageUser.modal('Scheduled').waitFor();
  await pageUser.leaves('Close');
  await pageUser.sees('Repeats every week');
  await camera.message('campaign-repeats');
}
