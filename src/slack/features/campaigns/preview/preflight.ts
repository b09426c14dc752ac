import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber } from '../../../../domain/phone/phone-number.ts';
import type { DndSummary, Preview } from '../../../../services/campaigns/preflight/preflight.ts';
import type { MessageDelivery } from '../../../../store/deliveries/deliveries.ts';
import type { Operation } from '../../../../store/operations/operation.ts';
import { context, loadingView, notice, section } from '../../../block-kit/build.ts';
import { describeArrival } from '../../../block-kit/descriptions/deliveries.ts';
import { failureLines } from '../../../block-kit/descriptions/outcome.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { operationIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, nonBreaking } from '../../../block-kit/text.ts';
import { textField } from '../../../kit/fields.ts';
import { defineSpend } from '../../../kit/outcome.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { limitedError, notConnectedError } from '../../../middleware/not-performed.ts';
import type { ActionRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { createOutcomeRenderer } from '../../../notifier/outcome-renderer.ts';
import { showProgress } from '../../../notifier/progress.ts';
import { savedForms } from '../form/saved-forms.ts';
import { previewGone, showPreview } from './preview.ts';
import { describeDndSummary } from './preview-remarks.ts';
import { previewActions, previewMetadata } from './preview-view.ts';
import { readStartForm } from './start-form.ts';

/** Progress is shown after this many numbers more. */
const progressStep = 50;

/** What can be checked in a preview before the start. */
export function registerPreflight(router: Router, context: AppContext): void {
  router.action(previewActions.checkDnd, 'campaign', (call) => checkDnd(context, call));

  const test = defineTest(context);
  test.register(router);
  router.action(previewActions.test, 'campaign', async (call) => {
    await call.push(await test.begin(call, call.value));
  });
}

/** *Check Do-Not-Disturb*: how many of the recipients are on it. */
async function checkDnd(context: AppContext, { user, value: id, view, push }: ActionRequest): Promise<void> {
  const { campaigns } = context.services;
  const { workspaceId, userId } = user;
  const show = await push(dndCheckingView(0, undefined));
  let total: number | undefined;
  const progress = showProgress(
    (done) => show(dndCheckingView(done, total)),
    progressStep,
    Number.POSITIVE_INFINITY,
  );
  const checking = campaigns.checkDnd(
    { workspaceId, userId, id },
    {
      signal: context.stopping,
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
  const saved = await savedForms.find(context, user, id);
  if (saved !== undefined) {
    await savedForms.save(context, user, id, { ...saved, dnd: summary });
  }
  await show(dndSummaryView(summary, preview));
  if (view !== undefined) {
    const { origin } = previewMetadata.parse(view.metadata);
    const start = readStartForm(view.values, origin);
    await view.replace(await showPreview(context, user, preview, origin, start));
  }
}

const dndTitle = 'Do-Not-Disturb';

function dndCheckingView(done: number, total: number | undefined): ModalView {
  const progress = total === undefined ? '' : ` ${formatCount(done)} of ${formatCount(total)}.`;
  return loadingView(
    dndTitle,
    `Checking…${progress}`,
    context(mrkdwn`You can close this: the preview shows the result.`),
  );
}

function dndSummaryView(summary: DndSummary, preview: Preview): ModalView {
  return notice(
    dndTitle,
    section(describeDndSummary(summary, preview)),
    ...(summary.sample ? [context(mrkdwn`Sample: at most 1,000 numbers are checked.`)] : []),
  );
}

const testTitle = 'Send a test';

/** *Send a test to myself*: the first example, to one number; at first to that of the user's last test. */
function defineTest(context: AppContext) {
  const { campaigns, workspaces } = context.services;
  return defineSpend(context, {
    id: 'campaign_send_test',
    title: testTitle,
    submit: 'Send',
    close: 'Back',
    needs: 'campaign',
    about: z.string(),
    fields: {
      number: textField('Your phone number', {
        max: 40,
        focus: true,
        placeholder: '+234 803 123 4567',
        hint: 'Gets the first example of the review. Charged like any message.',
      }),
    },
    load: ({ workspaceId, userId }) => workspaces.preferences(workspaceId, userId),
    first: ({ testNumber = '' }) => ({ number: testNumber }),
    doing: 'Sending the test…',
    done: 'sent',
    nothingDone: 'Nothing was sent.',
    async submitted({ user: { workspaceId, userId }, key, meta, form: { number }, beforeAckDeadline }) {
      const sending = campaigns.sendTest({ workspaceId, userId, id: meta.about, key, number });
      const early = await beforeAckDeadline(sending);
      if (early?.kind === 'fault') {
        return { faults: { number: early.fault } };
      }
      const perform = async () => {
        const result = await sending;
        if (result.kind === 'gone') {
          throw new UserError(previewGone, { isFinal: true });
        }
        if (result.kind === 'fault') {
          throw new UserError(mrkdwn`*Nothing was sent.* ${result.fault}`);
        }
        if (result.kind === 'performed') {
          await workspaces.rememberPreferences(workspaceId, userId, { testNumber: number });
        }
        return result;
      };
      return { perform };
    },
    outcome: testOutcomeView,
  });
}

function testOutcomeView(operation: Operation): ModalView {
  return notice(
    testTitle,
    section(describeOutcome(operation, [])),
    context(mrkdwn`Close this to return to the review.`),
  );
}

/** What the ledger stores about a test. */
const testSummarySchema = z.object({ campaign: z.string(), route: z.string(), to: z.string() });

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
