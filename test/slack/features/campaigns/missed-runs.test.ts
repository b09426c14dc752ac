import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forReaders } from '../../../../src/slack/block-kit/message.ts';
import { missedRunsMessage } from '../../../../src/slack/features/campaigns/progress/campaign-messages.ts';
import { wordsOf } from '../../../support/slack/slack-user.ts';
import { someCampaign } from '../examples/campaigns.ts';

const at = new Date(0);
const run = {
  ...someCampaign,
  retryOf: 'campaign',
  occurrence: { of: 1, at },
  startAt: at,
  state: 'missed',
} as const;
const { retryOf: _, ...edited } = { ...run, name: 'Sale' };

it('runs that were missed are told with those that somebody edited, and the command that lists them', () => {
  const next = { next: undefined, now: at, commandPrefix: 'acme-' };
  const words = (missed: Parameters<typeof missedRunsMessage>[1]) =>
    wordsOf(forReaders('person', missedRunsMessage(someCampaign, missed, next)));
  assert.doesNotMatch(words([run]), /Edited/);
  assert.match(
    words([run, edited]),
    /2 runs missed[\s\S]*Edited, but not sent: \*Sale\*\. To start it anyway, type `\/acme-sms bulk list`/,
  );
  assert.match(
    words([edited, { ...edited, name: 'Rest' }]),
    /Edited, but not sent: \*Sale\*, \*Rest\*\. To start them/,
  );
});
