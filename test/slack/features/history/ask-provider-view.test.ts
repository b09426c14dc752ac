import assert from 'node:assert/strict';
import { it } from 'node:test';
import { campaignAnswerView } from '../../../../src/slack/features/history/ask-provider.ts';
import { readCampaignQuestion } from '../../../../src/slack/navigation/open-actions.ts';

const answer = { kind: 'answered', asked: 500, known: 499, error: undefined } as const;

it('offers to go on after the messages of a campaign that were asked about', () => {
  for (const after of [-1, 499]) {
    const view = JSON.stringify(campaignAnswerView('U1.sale:1', { ...answer, next: after }, new Date()));
    assert.match(view, /We asked about 500 messages of the campaign\. The provider knows 499/);
    const [, value = ''] = /"Ask about more".*"value":"([^"]*)"/.exec(view) ?? assert.fail(view);
    assert.deepEqual(readCampaignQuestion(value), { id: 'U1.sale:1', after });
  }
  const last = campaignAnswerView('U1.sale:1', { ...answer, next: undefined }, new Date());
  assert.doesNotMatch(JSON.stringify(last), /Ask about more/);
});
