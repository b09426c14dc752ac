import assert from 'node:assert/strict';
import { it } from 'node:test';
import { noOthers } from '../../../../src/lib/broadcast.ts';
import { createLatestActions } from '../../../../src/slack/middleware/router/views.ts';

it('what a person does in a modal is later than its opening, whose answer from Slack may be read only then', () => {
  const actions = createLatestActions(noOthers);
  const isLatest = actions.acted('T1', 'V1', '1795950028.000100');
  const isStillOpening = actions.opened('T1', 'V1');
  assert.equal(isLatest(), true);
  assert.equal(isStillOpening(), false);
});

it('what is opened may be filled in until a person acts in it', () => {
  const actions = createLatestActions(noOthers);
  const isOpening = actions.opened('T1', 'V1');
  assert.equal(isOpening(), true);
  actions.acted('T1', 'V1', '1795950028.000100');
  assert.equal(isOpening(), false);
});
