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
    'Halima,+2348030009400',
    'Ike,+2348030009601',
    'Femi,0803',
    'Gbenga,8.03E+09',
    rows[0],
  ].join('\n');
}

export async function campaign({ desk, camera }: Stage): Promise<void> {
  await desk.page.getByRole('button', { name: 'support' }).first().click();
  await desk.types('/sms bulk');
  await desk.uploads('loyal-customers.csv', customers(900));
  await desk.marks('Generic');
  await desk.picks('Sender ID', 'PalmMarket');
  await desk.fills('Message', 'Hello {{first_name|there}}, our shop in Yaba opens on Saturday at nine.');
  await camera.modal('campaign-form');
  await desk.presses('Read the recipients');
  await desk.modal('Send to these?').waitFor();
  await desk.marks('In a channel');
  await desk.modal('Send to these?').getByText('Channel', { exact: true }).waitFor();
  await camera.modal('campaign-preview');
  await desk.presses('Start (902)');
  await desk.modal('Started').waitFor();
  await desk.leaves('Close');
  await desk.sees(/░ [3-6]\d %/);
  await camera.message('campaign-progress');
  await desk.sees('Done:');
  await camera.message('campaign-summary');
  await desk.types('/sms bulk list');
  await desk.modal('Campaigns').waitFor();
  await camera.modal('campaign-list');
  await desk.leaves('Close');
}
