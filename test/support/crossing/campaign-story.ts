import assert from 'node:assert/strict';
import { type Bulk, compose, downloads, start } from '../campaigns.ts';
import { resultOf } from '../slack/number-files.ts';
import type { SlackUser } from '../slack/slack-user.ts';
import type { Story } from './cast.ts';
import { numberOf, senderIdOf, type Tenant } from './tenants.ts';

export function campaignOf(tenant: Tenant, [from, to]: [number, number], name: string): Bulk {
  const rows = Array.from({ length: to - from + 1 }, (_, index) => numberOf(tenant, from + index));
  return {
    file: ['Name,Phone', ...rows.map((number, index) => `${tenant.word}ia ${index},${number}`)].join('\n'),
    text: `Hello {{name}}, says ${tenant.word}`,
    from: senderIdOf(tenant),
    name: `${tenant.word} ${name}`,
  };
}

/** The provider answers a message to it when the test lets it. */
const slowNumber = '+2348030009603';

/** The recipients of a campaign that the provider holds: as many as need no approval. */
export function heldNumbers(tenant: Tenant, from: number): string[] {
  return [slowNumber, ...Array.from({ length: 3 }, (_, index) => numberOf(tenant, from + index))];
}

/** Starts a campaign whose first message the provider holds. */
export async function startHeld(
  agent: SlackUser,
  tenant: Tenant,
  { from, name }: { from: number; name: string },
): Promise<void> {
  const numbers = heldNumbers(tenant, from);
  const file = ['Name,Phone', ...numbers.map((number) => `${tenant.word},${number}`)].join('\n');
  await compose(agent, { ...campaignOf(tenant, [0, 0], name), file });
  await start(agent, tenant.channel);
  await agent.seesModal('Started');
  await agent.closes();
}

/** Pauses a campaign that is under way; somebody else resumes it. It ends once the provider answers. */
export const steeringStory: Story = async ({ tenant, agent, approver }) => {
  const name = `${tenant.word} steered`;
  await startHeld(agent, tenant, { from: 70, name: 'steered' });
  await agent.sees(new RegExp(`${name}[\\s\\S]*\\*Sending:\\*`));
  await agent.presses('Pause');
  await agent.sees(new RegExp(`${name}[\\s\\S]*Paused by <@${agent.id}>`));
  await approver.presses('Resume');
  await agent.sees(new RegExp(`${name}[\\s\\S]*Resumed by <@${approver.id}>`));
};

async function schedules(agent: SlackUser): Promise<void> {
  await agent.seesModal('Campaign review');
  await agent.fills('Start', 'Schedule');
  await agent.fills('Date', '2077-07-05');
  await agent.fills('Time', '10:30');
  await agent.submits();
  await agent.seesModal('Scheduled');
  await agent.closes();
}

export const campaignStory: Story = async ({ tenant, agent, approver, testApp }) => {
  const { word, channel } = tenant;
  await compose(agent, campaignOf(tenant, [20, 25], 'festival'));
  await agent.seesModal('Campaign review', `Needs approval in <#${channel}>`);
  await agent.presses('Check Do-Not-Disturb');
  await agent.seesModal('Do-Not-Disturb', '6 recipients');
  await agent.closes();
  await agent.presses('Send a test to myself');
  await agent.fills('Your phone number', numberOf(tenant, 13));
  await agent.submits();
  await agent.seesModal('Test message', 'Test sent');
  await agent.closes();
  await start(agent, channel);
  await agent.seesModal('Approval', 'Waiting for approval');
  await agent.closes();
  await approver.seesHome(new RegExp(`${word} festival[\\s\\S]*needs your decision`));
  await approver.presses('Approve');
  await agent.sees(new RegExp(`${word} festival[\\s\\S]*Approved by`));
  await agent.sees(new RegExp(`${word} festival[\\s\\S]*\\*Done:\\* 6 recipients`));
  await downloads(agent, 'Download all (6)');
  const rows = await resultOf(testApp.slack, await agent.sees('All results'));
  assert.equal(rows.length, 7);

  await compose(agent, campaignOf(tenant, [26, 27], 'later'));
  await schedules(agent);
  await agent.types('/sms', 'bulk list');
  await agent.seesModal('Campaigns', `${word} later`);
  await agent.closes();
};
