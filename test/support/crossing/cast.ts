import type { TestApp } from '../app/test-app.ts';
import type { SlackUser } from '../slack/slack-user.ts';
import type { Tenant } from './tenants.ts';

/** The people of a tenant, with what they act on. */
export interface Cast {
  tenant: Tenant;
  testApp: TestApp;
  admin: SlackUser;
  agent: SlackUser;
  approver: SlackUser;
  colleague: SlackUser;
}

export type Story = (cast: Cast) => Promise<void>;

export async function opensSettings(admin: SlackUser, button: string): Promise<void> {
  await admin.types('/switchboard');
  await admin.seesModal('Switchboard', 'Connected');
  await admin.presses(button);
}

export async function closesAll(person: SlackUser): Promise<void> {
  while (person.modal() !== undefined) {
    await person.closes();
  }
}
