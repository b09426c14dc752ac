import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { changes, seenSchema } from '../../../../domain/limits/seen.ts';
import { quietHours } from '../../../../domain/messages/quiet-hours.ts';
import { routeTitles } from '../../../../domain/messages/routes.ts';
import { ifRefused } from '../../../../services/refusal.ts';
import { context as contextBlock, loadingView, notice, present, section } from '../../../block-kit/build.ts';
import {
  changesBlock,
  inactiveSenderRemark,
  quietHoursRemark,
} from '../../../block-kit/descriptions/changes.ts';
import { outcomeSentence, summarizeOutcome } from '../../../block-kit/descriptions/outcome.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { textField } from '../../../kit/fields.ts';
import { defineOutcome, defineSpend } from '../../../kit/outcome.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { addToRefusal } from '../../../middleware/explain-refusal.ts';
import type { ActionRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { showProgress } from '../../../notifier/progress.ts';
import { readShown, shownSchema } from '../actions.ts';
import { savedForms } from '../form/saved-forms.ts';
import { showReview } from './review.ts';
import { describeDndSummary } from './review-remarks.ts';
import { campaignReviewActions, reviewMetadata } from './review-view.ts';
import { readStartForm } from './start-form.ts';

/** Progress is shown after this many numbers more. */
const progressStep = 50;

/** What can be checked in a review before the start. */
export function registerPreflight(router: Router, ofMessages: Router, context: AppContext): void {
  ofMessages.action(campaignReviewActions.checkDnd, 'campaign', (call) => checkDnd(context, call));

  const test = defineTest(context);
  test.register(router);
  router.action(campaignReviewActions.test, 'campaign', async (call) => {
    const { user, value, view } = call;
    const about = readShown(value);
    const { campaigns, workspaces } = context.services;
    const review = await campaigns.review(user.workspaceId, about.id, user.userId);
    if (review.campaign.version === about.version) {
      const { testNumber = '' } = await workspaces.preferences(user.workspaceId, user.userId);
      const seen = await campaigns.factsOfTest(review.campaign, testNumber);
      await call.push(await test.begin(call, { ...about, seen }));
      return;
    }
    const { origin } = reviewMetadata.parse(view?.metadata);
    const shown = { shownVersion: about.version };
    await view?.replace(await showReview(context, user, review, origin, undefined, shown));
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
  const summary = await checking.finally(progress.settled).catch(addToRefusal('Nothing was checked.'));
  const review = await campaigns.review(workspaceId, id, userId);
  const saved = await savedForms.find(context, user, id);
  if (saved !== undefined) {
    await savedForms.save(context, user, id, { ...saved, dnd: summary });
  }
  const sampled = contextBlock(mrkdwn`Sample: at most 1,000 numbers are checked.`);
  await show(
    notice(dndTitle, section(describeDndSummary(summary, review)), ...present(summary.sample && sampled)),
  );
  if (view !== undefined) {
    const { origin, version } = reviewMetadata.parse(view.metadata);
    const start = readStartForm(view.values, origin);
    await view.replace(await showReview(context, user, review, origin, start, { shownVersion: version }));
  }
}

const dndTitle = 'Do-Not-Disturb';

function dndCheckingView(done: number, total: number | undefined): ModalView {
  const progress = total === undefined ? '' : ` ${formatCount(done)} of ${formatCount(total)}.`;
  return loadingView(
    dndTitle,
    `Checking…${progress}`,
    contextBlock(mrkdwn`You can close this: the review will show the result.`),
  );
}

const testTitle = 'Test message';

const testSchema = shownSchema.extend({
  /** Facts shown in the form that may change before it is sent. */
  seen: seenSchema,
  /** What changed after the form was submitted. */
  changes: z.array(z.enum(changes)).optional(),
});

/** *Send a test to myself*: the first example, to one number. The form suggests the number of the user's last test. */
function defineTest(context: AppContext) {
  const { campaigns, workspaces } = context.services;
  return defineSpend(context, {
    id: 'campaign_send_test',
    title: testTitle,
    close: 'Back',
    needs: 'campaign',
    about: testSchema,
    fields: {
      number: textField('Your phone number', {
        max: 40,
        focus: true,
        placeholder: '+234 803 123 4567',
        hint: 'This number gets the first example from the review. It’s charged like any message.',
      }),
    },
    load: ({ workspaceId, userId }) => workspaces.preferences(workspaceId, userId),
    first: ({ testNumber = '' }) => ({ number: testNumber }),
    // Show it where the form says why the test may not arrive.
    submit: ({ meta: { about } }) =>
      about.seen.quietHours === true || about.seen.sender === 'inactive' ? 'Send anyway' : 'Send',
    above: ({ meta: { about } }) =>
      present(
        about.changes && changesBlock(about.changes),
        about.seen.quietHours === true && section(quietHoursRemark),
        about.seen.sender === 'inactive' && section(inactiveSenderRemark),
      ),
    doing: 'Sending the test…',
    done: 'sent',
    nothingDone: 'Nothing was sent.',
    async submitted({ user: { workspaceId, userId }, key, meta, form: { number }, beforeAckDeadline }) {
      const { about } = meta;
      const sending = campaigns.sendTest({ ...about, workspaceId, userId, key, number });
      // If it's refused, the form comes back and replaces the loading view.
      const early = await beforeAckDeadline(
        sending.catch(
          ifRefused(['not_connected', 'limited', 'cancelled', 'gone', 'changed'], () => undefined),
        ),
      );
      if (early?.kind === 'fault') {
        return { faults: { number: early.fault } };
      }
      const perform = async () => {
        const result = await sending;
        if (result.kind === 'not_as_shown') {
          const changed = { ...about, seen: result.seen, changes: [...result.changes] };
          return { about: changed satisfies z.infer<typeof testSchema> };
        }
        if (result.kind === 'fault') {
          throw new UserError(mrkdwn`*Nothing was sent.* ${result.fault}`);
        }
        await workspaces.rememberPreferences(workspaceId, userId, { testNumber: number });
        return result;
      };
      return { perform };
    },
    outcome: (operation) =>
      testOutcome.view(operation, undefined, contextBlock(mrkdwn`Close this to return to the review.`)),
  });
}

/** What the ledger stores about a test. */
const testSummarySchema = z.object({ campaign: z.string(), route: z.string(), to: z.string() });

const testOutcome = defineOutcome({
  title: () => testTitle,
  line(operation, { sent }) {
    const { campaign, to } = testSummarySchema.parse(operation.summary);
    return mrkdwn`Test of ${campaign} to ${sent?.numbers[0] ?? to}`;
  },
  subject: (operation) => mrkdwn`The test to ${testSummarySchema.parse(operation.summary).to}`,
  outcome: ({ operation, deliveries }) => summarizeOutcome(operation, { deliveries, recipients: 1 }),
  accepted(operation, { deliveries }) {
    const { to, route } = testSummarySchema.parse(operation.summary);
    const sent = summarizeOutcome(operation, { deliveries, recipients: 1 });
    const limits =
      route === 'generic'
        ? ` ${routeTitles.generic} doesn’t reach numbers on Do-Not-Disturb, nor MTN numbers from ${quietHours.all}.`
        : '';
    const next = deliveries === undefined ? ` It should arrive within a minute.${limits}` : '';
    const whom = mrkdwn`${to}, ${pluralize(operation.pages ?? 1, 'page')}`;
    return mrkdwn`${outcomeSentence({ ...sent, word: `Test ${sent.word.toLowerCase()}` }, whom)}${next}`;
  },
  done: 'sent',
  check: 'Check whether the test arrived before you send another one.',
  nextSteps: () => [],
});

export const describeTest = testOutcome.describe;
