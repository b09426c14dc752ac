import type { SlackView } from '../app/test-workspace.ts';
import { slackUserAt } from './slack-user.ts';

/** Connects the provider as an admin. */
export async function connectAs(slack: SlackView, adminId: string, key: string): Promise<void> {
  const admin = slackUserAt(slack, adminId);
  await admin.types('/switchboard', 'connect');
  await admin.fills('API key', key);
  await admin.submits();
  await admin.seesModal('Switchboard', 'Connected');
  await admin.closes();
}

/** Looks up a number, which shows that the app serves the person. */
export async function looksUp(slack: SlackView, personId: string): Promise<void> {
  const person = slackUserAt(slack, personId);
  await person.types('/number', '+2348031234567');
  await person.sees('Do-Not-Disturb');
}
