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
  await pageUser.presses('Review');
  await pageUser.modal('Campaign review').waitFor();
  await pageUser.marks('A channel');
  await pageUser.modal('Campaign review').getByText('Channel', { exact: true }).waitFor();
  await camera.modal('campaign-review');
  await pageUser.presses('Send to 902');
  await pageUser.modal('Started').waitFor();
  await pageUser.leaves('Close');
  await pageUser.sees(/░ [3-6]\d%/);
  await camera.message('campaign-progress');
  await pageUser.sees('Done:');
  await camera.message('campaign-summary');
}

/** A list whose reading is in doubt: two rows of headings, and a column of accounts. */
export async function listReading({ pageUser, camera }: Stage): Promise<void> {
  const rows = names.map((name, index) => `${name} Obi,80555500${index}0,08031100${index}10`);
  await pageUser.types('/sms bulk');
  await pageUser.uploads(
    'members.csv',
    ['Palm Market members,,', 'Member,Account number,Phone', ...rows].join('\n'),
  );
  await pageUser.fills('Message', 'Our shop in Yaba opens on Saturday at nine.');
  await pageUser.picks('Sender ID', 'PalmMarket');
  await pageUser.presses('Review');
  await pageUser.modal('Campaign review').getByText('Another column has mobile numbers too').waitFor();
  await camera.modal('campaign-reading');
  await pageUser.presses('Discard');
  await pageUser.modal('Discard campaign').waitFor();
  await pageUser.presses('Discard');
  await pageUser.modal('Campaigns').waitFor();
  await pageUser.leaves('Close this window');
}

/** A follow-up to those whom the last campaign did not reach. */
export async function followUp({ pageUser, camera }: Stage): Promise<void> {
  const form = pageUser.modal('Follow-up');
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
  await pageUser.presses('Review');
  await pageUser.modal('Campaign review').waitFor();
  await pageUser.marks('Repeat');
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
