import type { TestWorkspace } from '../app/test-workspace.ts';
import type { SlackUser } from '../slack/slack-user.ts';
import { makesReportPath } from './report-address.ts';
import { postReport, reportEnv, reportHeader } from './signed-report.ts';

export const replyEnv = reportEnv;

/** Opens *Replies* as an admin does. */
export async function opensReplies({ grace }: TestWorkspace): Promise<void> {
  await grace.types('/switchboard');
  await grace.seesModal('Switchboard');
  await grace.presses('Change replies');
  await grace.seesModal('Replies');
}

/**
 * Connects the provider, and has it report to the app. Returns what reports a message that came in, to any sender and in
 * any words, and what enters the webhook again after a restart.
 */
export async function switchesOnReports(app: TestWorkspace) {
  const { provider } = app;
  await app.connect();
  const path = await makesReportPath(app);
  const entersWebhook = () =>
    provider.webhook.set({ url: `${app.url()}${path}`, header: reportHeader, held: true });
  entersWebhook();
  const reports = (message: Record<string, unknown>) => {
    const now = new Date().toISOString();
    const inbound = { type: 'inbound', received_at: now, status: 'Received', ...message };
    return postReport(`${app.url()}${path}`, JSON.stringify(inbound), provider.account);
  };
  return { reports, entersWebhook, address: () => `${app.url()}${path}` };
}

/** The same, and has messages that come in posted in a channel. */
export async function switchesOnReplies(
  app: TestWorkspace,
  { confirmation, channel = app.channels.support }: { confirmation?: string; channel?: string } = {},
) {
  const { grace } = app;
  const switched = await switchesOnReports(app);
  await opensReplies(app);
  await grace.fills('Incoming messages', ['Post to a channel']);
  await grace.fills('Channel', channel);
  if (confirmation !== undefined) {
    await grace.fills('Opt-outs', ['Confirm by SMS']);
    await grace.fills('Text of the SMS', confirmation);
  }
  await grace.submits();
  await grace.seesModal('Replies', 'Saved');
  await grace.closes();
  await grace.closes();
  return switched;
}

/** Answers the latest message that can be answered. */
export async function answers(person: SlackUser, text: string): Promise<void> {
  await person.presses('Reply');
  await person.seesModal('Reply');
  await person.fills('Message', text);
  await person.submits();
  await person.seesModal('Message review', text);
  await person.submits();
}
