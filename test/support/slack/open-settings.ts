import type { SlackUser } from './slack-user.ts';

/** Opens the workspace's settings from Home, as an admin, who first closes what lies over it. */
export async function openSettings(admin: SlackUser): Promise<void> {
  while (admin.modal() !== undefined) {
    await admin.closes();
  }
  await admin.seesHome('Open settings');
  await admin.presses('Open settings');
  await admin.seesModal('Switchboard');
}
