import { startTestApp, type TestApp } from '../app/test-app.ts';
import { type SlackUser, support } from './slack-user.ts';

interface NeedsApproval {
  recipients?: string;
  price?: string;
  channel?: string;
}

/** Starts the app, connects the provider, and switches approvals on. */
export async function startWithApprovals(
  test: Parameters<typeof startTestApp>[0],
  needs: NeedsApproval,
  options: Parameters<typeof startTestApp>[1] = {},
): Promise<TestApp> {
  const testApp = await startTestApp(test, options);
  await testApp.connect();
  await switchOnApprovals(testApp.grace, needs);
  return testApp;
}

/** Switches approvals on as an admin: of campaigns to more recipients, and of purchases over a price. */
export async function switchOnApprovals(
  admin: SlackUser,
  { recipients, price, channel = support }: NeedsApproval,
): Promise<void> {
  await admin.types('/switchboard');
  await admin.presses('Approvals');
  await admin.seesModal('Approvals');
  if (recipients !== undefined) {
    await admin.fills('Needs approval', 'Large campaigns');
    await admin.fills('Campaigns with more recipients than', recipients);
  } else if (price !== undefined) {
    await admin.fills('Needs approval', 'eSIM purchases');
    await admin.fills('eSIM purchases over', price);
  }
  await admin.fills('Channel', channel);
  await admin.submits();
  await admin.seesModal('Approvals', 'Saved.');
  await admin.closes();
  await admin.closes();
}
