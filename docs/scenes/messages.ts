import type { Stage } from './stage.ts';

export async function sms({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.types('/dnd-check +2348031234567 0805 123 4568 0802 123 4567');
  await pageUser.sees('3 numbers:');
  await pageUser.types('/sms ');
  await pageUser.fills('To', '0803 123 4567, 0805 123 4568, 0802 765 4321');
  await pageUser.picks('Route', 'Promotional (generic)');
  await pageUser.fills('Message', 'Your order A7 — 3 boxes — is on its way… Please have ₦500 ready.');
  await pageUser.sees('Can’t be sent');
  await camera.modal('sms-form');
  await pageUser.presses('Replace with plain text');
  await pageUser.sees('1 page');
  await pageUser.presses('Review');
  await pageUser.sees('3 recipients');
  await camera.page('sandbox');
  await camera.modal('sms-review');
  await pageUser.presses('Send anyway');
  await pageUser.modal('Message sent').waitFor();
  await camera.modal('sms-sent');
  await pageUser.leaves('Close');
  await pageUser.types('/sms 0803 123 4568 Your parcel is at our counter.');
  await pageUser.sees('1 recipient, 1 page');
  await camera.message('sms-typed-review');
  await pageUser.presses('Send');
  await pageUser.sees('You’ll get a message if');
  await pageUser.types('/sms history');
  await pageUser.modal('History').waitFor();
  await camera.modal('sms-history');
  await pageUser.leaves('Close');
}

export async function otp({ pageUser, sandbox, camera }: Stage): Promise<void> {
  await pageUser.types('/otp +2348031234567');
  await pageUser.modal('One-time code').getByText('Text:').waitFor();
  await camera.modal('otp-sms');
  await pageUser.presses('Send code');
  await pageUser.modal('Code sent').waitFor();
  await camera.modal('otp-sent');
  await pageUser.presses('Verify');
  await pageUser.fills('Code from the customer', '000000');
  await pageUser.presses('Verify');
  await pageUser.sees('Wrong code');
  await camera.modal('otp-verify');
  const text = sandbox.provider.record.at(-1)?.text ?? '';
  await pageUser.fills('Code from the customer', /\d{6}/.exec(text)?.[0] ?? '');
  await pageUser.presses('Verify');
  await pageUser.modal('Verified').waitFor();
  await camera.modal('otp-match');
  await pageUser.leaves('Close');
}
