import type { Stage } from './stage.ts';

export async function sms({ desk, camera }: Stage): Promise<void> {
  await desk.types('/dnd-check +2348031234567 0805 123 4568 0802 123 4567');
  await desk.sees('3 numbers:');
  await desk.types('/sms ');
  await desk.fills('To', '0803 123 4567, 0805 123 4568, 0802 765 4321');
  await desk.marks('Generic');
  await desk.fills('Message', 'Your order {A7} is on its way. Our driver calls before she arrives.');
  await desk.sees('70 to a page because of { }');
  await camera.modal('sms-form');
  await desk.presses('Review');
  await desk.sees('3 recipients');
  await camera.page('sandbox');
  await camera.modal('sms-review');
  await desk.presses('Send anyway');
  await desk.modal('Sent').waitFor();
  await camera.modal('sms-sent');
  await desk.leaves('Close');
  await desk.types('/sms 0803 123 4568 Your parcel is at our counter.');
  await desk.sees('1 recipient, 1 page');
  await camera.message('sms-preview');
  await desk.presses('Send');
  await desk.sees('The provider accepted the message');
  await desk.types('/sms history');
  await desk.sees('Your history');
  await camera.message('sms-history');
}

export async function otp({ desk, sandbox, camera }: Stage): Promise<void> {
  await desk.types('/otp +2348031234567');
  await desk.modal('One-time code').waitFor();
  await camera.modal('otp-sms');
  await desk.marks('Voice call');
  await desk.sees('Ask the customer to read it back');
  await camera.modal('otp-voice');
  await desk.presses('Send the code');
  await desk.modal('Done').waitFor();
  await camera.modal('otp-sent');
  await desk.presses('Verify');
  await desk.fills('What the customer reads back', '000000');
  await desk.presses('Verify');
  await desk.sees('Wrong:');
  await camera.modal('otp-verify');
  const call = sandbox.provider.arrivals.findLast(({ operation }) => operation === 'tokens.call');
  await desk.fills('What the customer reads back', /"code":"?(\d+)/.exec(call?.text ?? '')?.[1] ?? '');
  await desk.presses('Verify');
  await desk.modal('It matches').waitFor();
  await camera.modal('otp-match');
  await desk.leaves('Close');
  await desk.types('/otp +2348031234567');
  await desk.marks('In-app token');
  await desk.presses('Show the code');
  await desk.modal('Done').waitFor();
  await camera.modal('otp-in-app');
  await desk.leaves('Close');
}
