import type { SlackUser } from './slack-user.ts';

const orderText = 'Hi {{first_name|there}}, your order is ready';

/** Makes a template in its form, on the DND route, and closes what is open then. */
export async function createTemplate(
  user: SlackUser,
  {
    name = 'Order ready',
    text = orderText,
    from = 'PalmMarket',
  }: { name?: string; text?: string; from?: string } = {},
): Promise<void> {
  await user.types('/sms', 'template');
  await user.presses('New template');
  await user.seesModal('New template');
  await user.fills('Name', name);
  await user.fills('Message', text);
  await user.fills('Route', 'Transactional (DND)');
  await user.fills('Sender ID', from);
  await user.submits();
  await user.seesModal('Template', 'Saved.');
  await user.closes();
  await user.closes();
}

/** Opens the only template of the workspace. */
export async function openTemplate(user: SlackUser): Promise<void> {
  await user.types('/sms', 'template');
  await user.seesModal('Templates');
  await user.presses('Open');
  await user.seesModal('Template');
}

/** Gives the only template of the workspace another text, and closes what is open then. */
export async function changeTemplate(user: SlackUser, text: string): Promise<void> {
  await openTemplate(user);
  await user.presses('Change');
  await user.seesModal('Template', 'Save');
  await user.fills('Message', text);
  await user.submits();
  await user.seesModal('Template', text);
  await user.closes();
  await user.closes();
}
