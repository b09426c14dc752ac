import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber } from '../../../../domain/phone/phone-number.ts';
import type { DndSummary, TestSendResult } from '../../../../services/campaigns/preflight/preflight.ts';
import type { Preview } from '../../../../services/campaigns/preflight/preview.ts';
import type { MessageDelivery } from '../../../../store/deliveries/deliveries.ts';
import type { Operation } from '../../../../store/operations/ledger.ts';
import { context, input, modal, notice, section } from '../../../block-kit/build.ts';
import { describeArrival } from '../../../block-kit/descriptions/deliveries.ts';
import { failureLines } from '../../../block-kit/descriptions/failure.ts';
import { loadingView, performingView } from '../../../block-kit/loading-view.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { operationIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, nonBreaking } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import { notConnectedError } from '../../../middleware/not-connected.ts';
import { limitedError } from '../../../middleware/require-performed.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { createOutcomeRenderer } from '../../../notifier/outcome-renderer.ts';
import { showProgress } from '../../../notifier/progress.ts';
import type { KeptCampaignForms } from '../form/kept-campaign-forms.ts';
import { type Previews, previewGone } from './preview.ts';
import { describeDndSummary } from './preview-remarks.ts';
import { previewActions, previewMetadata } from './preview-view.ts';
import { readStartForm } from './start-form.ts';

/** Progress is shown after this many numbers more. */
const progressStep = 50;

/** *Check Do-Not-Disturb* in a preview: how many of the recipients are on it. */
export function registerDndSummary(
  router: Router,
  { services: { campaigns }, stopping }: AppContext,
  { forms, previews }: { forms: KeptCampaignForms; previews: Previews },
): void {
  router.action(previewActions.checkDnd, 'campaign', async (call) => {
    const { user, value: id, view } = call;
    const { workspaceId, userId } = user;
    const show = await call.push(dndCheckingView(0, undefined));
    let total: number | undefined;
    const progress = showProgress(
      (done) => show(dndCheckingView(done, total)),
      progressStep,
      Number.POSITIVE_INFINITY,
    );
    const checking = campaigns.checkDnd(
      { workspaceId, userId, id },
      {
        signal: stopping,
        progress(done, of) {
          total = of;
          progress.report(done);
        },
      },
    );
    const summary = await checking.finally(progress.settled);
    const preview = await campaigns.preview(workspaceId, id, userId);
    if (summary.kind === 'not_connected') {
      throw notConnectedError('Nothing was checked.');
    }
    if (summary.kind === 'limited') {
      throw limitedError(summary.limit, 'Nothing was checked.');
    }
    if (summary.kind === 'gone' || preview === undefined) {
      throw new UserError(previewGone, { isFinal: true });
    }
    const kept = await forms.find(user, id);
    if (kept !== undefined) {
      await forms.keep(user, id, { ...kept, dnd: summary });
    }
    await show(dndSummaryView(summary, preview));
    if (view !== undefined) {
      const { origin } = previewMetadata.parse(view.metadata);
      await view.replace(await previews.show(user, preview, origin, readStartForm(view.values, origin)));
    }
  });
}

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

const dndTitle = 'Do-Not-Disturb';
const testTitle = 'Send a test';
const testCallback = 'campaign_send_test';
const testMetadata = z.object({ id: z.string(), key: z.string() });

/** What the ledger stores about a test. */
const testSummarySchema = z.object({ campaign: z.string(), route: z.string(), to: z.string() });

export function dndCheckingView(done: number, total: number | undefined): ModalView {
  const progress = total === undefined ? '' : ` ${formatCount(done)} of ${formatCount(total)}.`;
  return loadingView(
    dndTitle,
    `Checking…${progress}`,
    context(mrkdwn`You can close this: the preview shows the result.`),
  );
}

export function dndSummaryView(summary: DndSummary, preview: Preview): ModalView {
  return notice(
    dndTitle,
    section(describeDndSummary(summary, preview)),
    ...(summary.sample ? [context(mrkdwn`Sample: at most 1,000 numbers are checked.`)] : []),
  );
}

/** `number` is the one that the user's last test went to. */
export function testFormView(metadata: z.infer<typeof testMetadata>, number: string | undefined): ModalView {
  return modal({
    callbackId: testCallback,
    title: testTitle,
    submit: 'Send',
    close: 'Back',
    notifyOnClose: true,
    metadata,
    blocks: [
      input(
        'number',
        'Your phone number',
        {
          type: 'plain_text_input',
          action_id: 'number',
          max_length: 40,
          focus_on_load: true,
          placeholder: { type: 'plain_text', text: '+234 803 123 4567' },
          ...(number === undefined ? {} : { initial_value: number }),
        },
        {
          hint: 'Gets the first example of the review. Charged like any message.',
        },
      ),
    ],
  });
}

export function sendingTestView(): ModalView {
  return performingView(testTitle, 'Sending the test…', 'sent');
}

export function testOutcomeView(operation: Operation): ModalView {
  return notice(
    testTitle,
    section(describeOutcome(operation, [])),
    context(mrkdwn`Close this to return to the review.`),
  );
}

export const testRenderer = createOutcomeRenderer({
  text: describeOutcome,
  line(operation, [number] = []) {
    const { campaign, to } = testSummarySchema.parse(operation.summary);
    return mrkdwn`Test of ${campaign} to ${number === undefined ? to : nonBreaking(formatNumber(number))}`;
  },
});

function describeOutcome(operation: Operation, deliveries: readonly MessageDelivery[]): Markup {
  const { to, route } = testSummarySchema.parse(operation.summary);
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *Sending the test* to ${to}.`;
    case 'accepted': {
      const { icon, word, toward, end } = describeArrival({ deliveries, recipients: 1 });
      const known = deliveries.length === 0 ? mrkdwn`. ${expectedArrival(route)}` : end;
      return mrkdwn`${icon} *Test ${word.toLowerCase()}* ${toward} ${to}, ${pluralize(operation.pages ?? 1, 'page')}${known}`;
    }
    default:
      return failureLines(operation, operation.state, {
        subject: mrkdwn`The test to ${to}`,
        done: 'sent',
        check: 'Check whether the test arrived before you send another one.',
      });
  }
}

function expectedArrival(route: string): string {
  const soon = 'It should arrive within a minute.';
  return route === 'generic'
    ? `${soon} Generic skips numbers on Do-Not-Disturb, and MTN numbers from 20:00 to 08:00 WAT.`
    : soon;
}
