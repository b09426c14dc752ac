import type { Time } from '../../../src/lib/time/clock.ts';
import { runningClock } from '../time/test-clock.ts';
import type { SlackUser } from './slack-user.ts';

/** Fills in the form and submits it for review. Default: the DND route. */
export async function review(
  user: SlackUser,
  message: { to: string; text: string; route?: string; from?: string },
): Promise<void> {
  await user.types('/sms');
  await user.seesModal('New message');
  await user.fills('To', message.to);
  await user.fills('Route', message.route ?? 'Transactional (DND)');
  await user.fills(message.route === 'Chat app' ? 'Device' : 'Sender ID', message.from ?? 'PalmMarket');
  await user.fills('Message', message.text);
  await user.submits();
}

/** Opens the review of a message whose result goes to a channel. */
export async function reviewForChannel(person: SlackUser): Promise<void> {
  await person.types('/sms');
  await person.fills('To', '+2348031234567');
  await person.fills('Sender ID', 'PalmMarket');
  await person.fills('Message', 'Hello');
  await person.fills('Who sees the result', 'In a channel');
  await person.submits();
  await person.seesModal('Message review');
}

/** Returns the outcomes of accepted messages visible to a person. */
export const outcomes = (person: SlackUser) =>
  person.messages().filter(({ text }) => text.includes('*Sent* to'));

/** Fills in the form, confirms the review, and sends. */
export async function send(
  user: SlackUser,
  message: { to: string; text?: string; route?: string; from?: string },
): Promise<void> {
  await review(user, { text: 'Your order is on its way', ...message });
  await user.seesModal('Message review');
  await user.submits();
}

/** A running clock from the next such hour in Lagos; never in the past, where signatures would be too old. */
export function lagosAt(hour: number): Time {
  const start = new Date();
  const then = new Date(start);
  then.setUTCHours(hour - 1, 0, 0, 0);
  while (then < start) {
    then.setUTCDate(then.getUTCDate() + 1);
  }
  return runningClock(then).clock;
}

/** Sets the default sender ID as an admin, which the short form needs. */
export async function startFrom(admin: SlackUser, senderId: string): Promise<void> {
  await admin.types('/switchboard');
  await admin.presses('Change defaults');
  await admin.fills('Sender ID', senderId);
  await admin.submits();
  await admin.seesModal('Switchboard', 'Saved');
}
