import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startTestApp, type TestApp } from './app/test-app.ts';
import { compose } from './campaigns.ts';
import { type SlackUser, wordsOf } from './slack/slack-user.ts';
import { runningClock } from './time/test-clock.ts';

/** Quiet hours start at 20:00 in Lagos. */
const fiveToEight = new Date('2030-03-05T18:55:00Z');
/** A number on MTN, which has quiet hours. */
export const mtn = '+2348031234568';
export const customers = [mtn, '+2348031234560'];

/** An app at five to eight in the evening in Lagos. */
export async function inTheEvening(test: TestContext, env = { CAMPAIGN_MESSAGES_PER_SECOND: '10000' }) {
  const { clock, pass } = runningClock(fiveToEight);
  const testApp = await startTestApp(test, { clock, env });
  await testApp.connect();
  return { ...testApp, pass };
}

/** Removes Palm Market from the provider's next list of sender IDs. Lists are cached for five minutes. */
export function deactivatePalmMarket(provider: TestApp['provider']): void {
  provider.orderFault({
    operation: 'senderIds.list',
    fault: {
      kind: 'reshape',
      body: (answer) => JSON.parse(JSON.stringify(answer).replaceAll('PalmMarket', 'AnotherName')),
    },
  });
}

/** Reviews a campaign to two MTN numbers on the Generic route. */
export async function reviewCampaign(person: SlackUser): Promise<void> {
  await compose(person, { pasted: customers.join(' '), route: 'Promotional (generic)' });
  assert.doesNotMatch(wordsOf((await person.seesModal('Campaign review')).view), /Quiet hours/);
}

/** Schedules a reviewed campaign for later today. */
export async function schedule(person: SlackUser, time: string, late?: string): Promise<void> {
  await person.fills('Start', 'Schedule');
  await person.fills('Date', '2030-03-05');
  await person.fills('Time', time);
  if (late !== undefined) {
    await person.fills('If delayed, still start within', late);
  }
}
