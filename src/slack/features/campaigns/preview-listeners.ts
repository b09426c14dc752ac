import type { TestSendResult } from '../../../services/campaigns/preflight/preflight.ts';
import type { StartResult } from '../../../services/campaigns/steering.ts';
import { inBothZones } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import { pushModal } from '../../middleware/open-modal.ts';
import type { Router, User } from '../../middleware/requests.ts';
import { showProgress } from '../../notifier/progress.ts';
import type { FormCache } from './form-cache.ts';
import {
  checkedView,
  preflightView,
  sendingTestView,
  testCallback,
  testedView,
  testMetadata,
  testView,
} from './preflight-views.ts';
import { type Previews, previewGone, readWhen } from './preview.ts';
import { campaignPreviewCallback, previewActions, previewMetadata, startedView } from './preview-view.ts';
import { lateLimitOf, readStartForm, startActions } from './start-inputs.ts';
import { campaignStatusView } from './status-view.ts';

/** Progress shows each time so many numbers more are checked. */
const step = 50;

/** The preview: what else can be looked at, and the start. */
export function registerPreviews(
  router: Router,
  { services, notifier, clock, stopping }: AppContext,
  { forms, previews }: { forms: FormCache; previews: Previews },
): void {
  const { campaigns, operations } = services;

  for (const actionId of Object.values(startActions)) {
    router.action(actionId, async ({ user, view }) => {
      if (view !== undefined) {
        const metadata = previewMetadata.parse(view.metadata);
        await view.replace(
          await previews.again(user, metadata, readStartForm(view.rememberedValues(), metadata.origin)),
        );
      }
    });
  }

  router.submission(campaignPreviewCallback, async ({ user, values, metadata }) => {
    const { id, origin, morning } = previewMetadata.parse(metadata);
    const { zone, workspaceId, userId } = user;
    const form = readStartForm(values, origin);
    const when = readWhen(form, morning === undefined ? undefined : new Date(morning), zone, clock());
    if (!when.ok) {
      return { errors: { time: when.reason } };
    }
    const { start } = when;
    const channelId = form.inChannel ? form.channelId : undefined;
    const lateLimit = start === undefined ? undefined : lateLimitOf(form);
    const starting = await campaigns.start({
      workspaceId,
      userId,
      id,
      channelId,
      ...(start === undefined ? {} : { at: { time: start, zone } }),
      maxDelayMs: lateLimit,
    });
    return { view: viewOf(starting, user) };
  });

  function viewOf(starting: StartResult, { zone }: User) {
    switch (starting.kind) {
      case 'not_connected':
        throw new UserError(mrkdwn`No provider key is connected any more. Nothing was sent.`);
      case 'gone':
        throw new UserError(previewGone, { isFinal: true });
      case 'started': {
        const { campaign, first } = starting;
        const { startAt, channelId } = campaign;
        return first
          ? startedView(startAt === undefined ? undefined : inBothZones(startAt, zone), channelId)
          : campaignStatusView(campaign, campaigns.throughput(campaign));
      }
    }
  }

  router.action(previewActions.checkDnd, async (call) => {
    const { user, value: id, view } = call;
    const { workspaceId, userId } = user;
    const show = await pushModal(call)(preflightView(0, undefined));
    let of: number | undefined;
    const progress = showProgress((done) => show(preflightView(done, of)), step, Number.POSITIVE_INFINITY);
    const checking = campaigns.checkDnd(
      { workspaceId, userId, id },
      {
        signal: stopping,
        progress(done, all) {
          of = all;
          progress.at(done);
        },
      },
    );
    const share = await checking.finally(progress.settled);
    const preview = await campaigns.preview(workspaceId, id, userId);
    if (share.kind === 'not_connected') {
      throw new UserError(mrkdwn`No provider key is connected any more. Nothing was checked.`);
    }
    if (share.kind === 'gone' || preview === undefined) {
      throw new UserError(previewGone, { isFinal: true });
    }
    const kept = forms.get(user, id);
    if (kept !== undefined) {
      forms.keep(user, id, { ...kept, dnd: share });
    }
    await show(checkedView(share, preview));
    if (view !== undefined) {
      const { origin } = previewMetadata.parse(view.metadata);
      await view.replace(previews.show(user, preview, origin, readStartForm(view.values, origin)));
    }
  });

  router.action(previewActions.test, async (call) => {
    const { user, requestId, value: id } = call;
    await pushModal(call)(testView({ id, key: idempotencyKey(user.workspaceId, requestId, 'test') }));
  });

  router.submission(
    testCallback,
    async ({ user: { workspaceId, userId }, values, metadata, beforeAckDeadline }) => {
      const number = values.number?.text ?? '';
      const sending = campaigns.sendTest({ workspaceId, userId, number, ...testMetadata.parse(metadata) });
      const early = await beforeAckDeadline(sending);
      if (early?.kind === 'fault') {
        return { errors: { number: early.fault } };
      }
      return { view: sendingTestView(), background: async () => testOutcome(await sending) };
    },
  );

  router.closed(testCallback, async ({ user, metadata }) => {
    await operations.cancel(user.workspaceId, testMetadata.parse(metadata).key, user.userId);
  });

  async function testOutcome(sending: TestSendResult) {
    switch (sending.kind) {
      case 'gone':
        throw new UserError(previewGone, { isFinal: true });
      case 'not_connected':
        throw new UserError(mrkdwn`No provider key is connected any more. Nothing was sent.`);
      case 'cancelled':
        throw new UserError(mrkdwn`You cancelled this. Nothing was sent.`, { isFinal: true });
      case 'fault':
        throw new UserError(mrkdwn`*Nothing was sent.* ${sending.fault}`);
      case 'performed':
        await notifier.notify(sending.operation);
        return testedView(sending.operation);
    }
  }
}
