import { openSettings } from './open-settings.ts';
import type { SlackUser } from './slack-user.ts';

/** Opens *Roles* from the settings, as an admin. */
export async function openRoles(admin: SlackUser): Promise<void> {
  await openSettings(admin);
  await admin.presses('Change roles');
  await admin.seesModal('Roles', 'Add role');
}

/** Gives a role, as an admin, to whom the fields of the form say: to everyone by default. */
export async function giveRole(
  admin: SlackUser,
  role: string,
  to: Readonly<Record<string, string | readonly string[]>> = { 'All members': 'Everyone in this workspace' },
): Promise<void> {
  await openRoles(admin);
  await admin.presses('Add role');
  await admin.seesModal('New role');
  await admin.fills('Role', role);
  for (const [label, value] of Object.entries(to)) {
    await admin.fills(label, value);
  }
  await admin.submits();
  await admin.seesModal('Roles', 'Saved');
  await admin.closes();
  await admin.closes();
}
