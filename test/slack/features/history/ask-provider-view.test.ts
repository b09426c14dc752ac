import assert from 'node:assert/strict';
import { it } from 'node:test';
import { answerView, campaignAnswerView } from '../../../../src/slack/features/history/ask-provider.ts';
import { readCampaignQuestion } from '../../../../src/slack/navigation/open-actions.ts';

const answer = { asked: 500, known: 499, unreadable: 2, error: undefined } as const;

it('offers to go on after the messages of a campaign that were asked about', () => {
  for (const after of [-1, 499]) {
    const view = JSON.stringify(campaignAnswerView('U1.sale:1', { ...answer, next: after }, new Date()));
    assert.match(view, /We asked about 500 messages\. The provider knows 499/);
    assert.match(view, /2 entries can’t be read and aren’t shown\./);
    const [, value = ''] = /"Ask about more".*"value":"([^"]*)"/.exec(view) ?? assert.fail(view);
    assert.deepEqual(readCampaignQuestion(value), { id: 'U1.sale:1', after });
  }
  const last = campaignAnswerView('U1.sale:1', { ...answer, next: undefined }, new Date());
  assert.doesNotMatch(JSON.stringify(last), /Ask about more/);
});

it('says that entries of an answer could not be read, also where nothing else is known', () => {
  for (const asked of [
    { kind: 'asked_about_reports', messages: 3, unreadable: 1 },
    { kind: 'answered', isOwn: true, records: [], unreadable: 1 },
  ] as const) {
    const view = JSON.stringify(answerView(asked, new Date()));
    assert.match(view, /1 entry can’t be read and isn’t shown\./);
    assert.doesNotMatch(view, /doesn’t know this message/);
  }
});
