import type { SlackUser } from './slack-user.ts';

/** Opens the workspace's settings, as an admin. */
export async function openSettings(admin: SlackUser): Promise<void> {
  await admin.types('/switchboard');
  await admin.seesModal('Switchboard');
}
