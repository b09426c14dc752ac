import assert from 'node:assert/strict';
import type { ViewOutput } from '@slack/bolt';
import type { HomeView, ModalView } from '@slack/types';
import { validateView, viewIsTooLarge } from '../../../sandbox/slack/block-kit/surfaces.ts';
import { withIds } from '../../../sandbox/slack/workspace/block-ids.ts';
import { initialValues } from '../../../sandbox/slack/workspace/views.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { homeWithError, modalWithError } from '../../../src/slack/middleware/forms/refill-view.ts';

const trouble = { text: mrkdwn`${'Nothing was sent. '.repeat(200)}` };

/**
 * Asserts that Slack accepts the view, and the same view with an error added: with all values kept, and with
 * `notify_on_close` unchanged.
 */
export function assertSlackAccepts(view: HomeView | ModalView): void {
  assertTaken(view);
  const values = valuesOf(view);
  const sent = asSent(view, values);
  const again = view.type === 'home' ? homeWithError(sent, trouble) : modalWithError(sent, trouble);
  assertTaken(again);
  assert.deepEqual(valuesOf(again), values);
  assert.equal(tellsOfClose(again), tellsOfClose(view));
}

function tellsOfClose(view: HomeView | ModalView): boolean {
  return view.type === 'modal' && view.notify_on_close === true;
}

function assertTaken(view: HomeView | ModalView): void {
  assert.ok(!viewIsTooLarge(view), `${JSON.stringify(view).length} characters`);
  assert.deepEqual(validateView(view), []);
}

/** A view as Slack sends it after the user filled in every field, without initial values. */
function asSent(view: HomeView | ModalView, values: ReturnType<typeof valuesOf>): ViewOutput {
  const emptied = JSON.stringify({ ...view, blocks: withIds(blocksOf(view)) }, (key, value) =>
    key.startsWith('initial_') ? undefined : value,
  );
  return {
    submit: null,
    close: null,
    private_metadata: '',
    callback_id: '',
    ...JSON.parse(emptied),
    state: { values },
  };
}

function valuesOf(view: HomeView | ModalView) {
  return initialValues({ blocks: withIds(blocksOf(view)) }, undefined);
}

function blocksOf(view: HomeView | ModalView) {
  return JSON.parse(JSON.stringify(view.blocks));
}
