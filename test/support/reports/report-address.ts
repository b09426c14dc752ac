import assert from 'node:assert/strict';
import type { TestWorkspace } from '../app/test-workspace.ts';
import type { SlackUser } from '../slack/slack-user.ts';

/** Returns what the modal shows. */
export async function opensReports(admin: SlackUser): Promise<string> {
  await admin.types('/switchboard');
  await admin.seesModal('Switchboard');
  await admin.presses('Open reports');
  const { view } = await admin.seesModal('Delivery reports');
  return JSON.stringify(view);
}

/** Makes the address as an admin does, and returns it whole. */
export async function makesReportAddress(app: TestWorkspace): Promise<string> {
  return `${app.url()}${await makesReportPath(app)}`;
}

/** The same without the origin, which another start of the app may change. */
export async function makesReportPath({ grace }: Pick<TestWorkspace, 'grace'>): Promise<string> {
  await opensReports(grace);
  await grace.presses('Create webhook URL');
  const { view } = await grace.seesModal('Delivery reports', 'Created. Enter it');
  const [path] = /\/provider\/reports\/[\w-]{43}/.exec(JSON.stringify(view)) ?? assert.fail('no address');
  await grace.closes();
  await grace.closes();
  return path;
}
