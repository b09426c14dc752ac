import type { MachineClocks } from '../../../src/lib/time/clock.ts';
import { runningClock } from '../time/test-clock.ts';
import type { Person } from './slack-user.ts';

/** Fills in the form and submits it for review. Default: the DND route. */
export async function review(
  person: Person,
  message: { to: string; text: string; route?: string; from?: string },
): Promise<void> {
  await person.types('/sms');
  await person.seesModal('Send an SMS');
  await person.fills('To', message.to);
  await person.fills('Route', message.route ?? 'DND');
  await person.fills(message.route === 'Chat app' ? 'Device' : 'Sender ID', message.from ?? 'PalmMarket');
  await person.fills('Message', message.text);
  await person.submits();
}

/** Fills in the form, confirms the review, and sends. */
export async function send(
  person: Person,
  message: { to: string; text?: string; route?: string; from?: string },
): Promise<void> {
  await review(person, { text: 'Your order is on its way', ...message });
  await person.seesModal('Send this?');
  await person.submits();
}

/** A running clock from the next such hour in Lagos; never in the past, where signatures would be too old. */
export function lagosAt(hour: number): MachineClocks {
  const start = new Date();
  const then = new Date(start);
  then.setUTCHours(hour - 1, 0, 0, 0);
  if (then < start) {
    then.setUTCDate(then.getUTCDate() + 1);
  }
  return runningClock(then).clock;
}

/** Sets the default sender ID as an admin, which the short form needs. */
export async function startFrom(admin: Person, senderId: string): Promise<void> {
  await admin.types('/switchboard');
  await admin.fills('Sender ID', senderId);
  await admin.submits();
  await admin.seesModal('Switchboard', 'Saved');
}
