import type { TestSendResult } from '../../../../services/campaigns/preflight/preflight.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import { notConnectedError } from '../../../middleware/not-connected.ts';
import { limitedError } from '../../../middleware/require-performed.ts';
import type { Router } from '../../../middleware/router/router.ts';
import {
  sendingTestView,
  testCallback,
  testFormView,
  testMetadata,
  testOutcomeView,
} from './preflight-views.ts';
import { previewGone } from './preview.ts';
import { previewActions } from './preview-view.ts';

/** *Send a test to myself* in a preview: the first example, to one number. */
export function registerTestSend(router: Router, context: AppContext): void {
  const { services, notifier } = context;
  const { campaigns, operations, workspaces } = services;

  router.action(previewActions.test, 'campaign', async (call) => {
    const { user, requestId, value: id } = call;
    const key = idempotencyKey(user.workspaceId, requestId, 'test');
    const { testNumber } = await workspaces.preferences(user.workspaceId, user.userId);
    await call.push(testFormView({ id, key }, testNumber));
  });

  router.submission(testCallback, 'campaign', async ({ user, values, metadata, beforeAckDeadline }) => {
    const { workspaceId, userId } = user;
    const number = values.number?.text ?? '';
    const sending = campaigns.sendTest({ workspaceId, userId, number, ...testMetadata.parse(metadata) });
    const early = await beforeAckDeadline(sending);
    if (early?.kind === 'fault') {
      return { errors: { number: early.fault } };
    }
    return {
      view: sendingTestView(),
      background: async () => {
        const result = await sending;
        if (result.kind === 'performed') {
          await workspaces.rememberPreferences(workspaceId, userId, { testNumber: number });
        }
        return showOutcome(result);
      },
    };
  });

  router.closed(testCallback, async ({ user, metadata }) => {
    await operations.cancel(user.workspaceId, testMetadata.parse(metadata).key, user.userId);
  });

  async function showOutcome(result: TestSendResult) {
    switch (result.kind) {
      case 'gone':
        throw new UserError(previewGone, { isFinal: true });
      case 'not_connected':
        throw notConnectedError('Nothing was sent.');
      case 'limited':
        throw limitedError(result.limit, 'Nothing was sent.');
      case 'cancelled':
        throw new UserError(mrkdwn`You cancelled this. Nothing was sent.`, { isFinal: true });
      case 'fault':
        throw new UserError(mrkdwn`*Nothing was sent.* ${result.fault}`);
      case 'performed':
        await notifier.notify(result.operation);
        return testOutcomeView(result.operation);
    }
  }
}
