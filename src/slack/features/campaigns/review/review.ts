import type { ModalView } from '@slack/types';
import { partRules } from '../../../../domain/campaigns/audience.ts';
import { nameColumns } from '../../../../domain/csv/recipient-rows.ts';
import type { Change } from '../../../../domain/limits/seen.ts';
import { convertPlaceholders } from '../../../../domain/messages/foreign-placeholders.ts';
import { costOfOptOutLink } from '../../../../domain/messages/opt-out-cost.ts';
import { optOutColumn } from '../../../../domain/messages/opt-out-link.ts';
import { readRoute } from '../../../../domain/messages/routes.ts';
import { describeInvalid, readNumbers } from '../../../../domain/phone/read-numbers.ts';
import { faultOfRepeat, type Repeat } from '../../../../domain/time/repeat.ts';
import { readStart } from '../../../../domain/time/start-time.ts';
import type { CampaignReview } from '../../../../services/campaigns/preflight/preflight.ts';
import type { StartResult } from '../../../../services/campaigns/start-draft.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { context, loadingView, notice, section } from '../../../block-kit/build.ts';
import { describeNewVersion } from '../../../block-kit/descriptions/changes.ts';
import { type ChannelAccess, describeDestination } from '../../../block-kit/descriptions/channel-note.ts';
import { isReplacementUseful } from '../../../block-kit/descriptions/warnings.ts';
import { inBothZones } from '../../../block-kit/plural.ts';
import { campaignIcons, stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { addToRefusal, changedSinceShown } from '../../../middleware/explain-refusal.ts';
import type { SubmissionRequest, SubmissionResponse, User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import type { Viewer } from '../../../navigation/navigation.ts';
import { type SavedForm, savedForms, savedStarts } from '../form/saved-forms.ts';
import { describeRepeat, startingView, stopRepeating } from '../status/campaign-state.ts';
import { statusView, steeredView } from '../status/campaign-status.ts';
import {
  campaignReviewActions,
  campaignReviewCallback,
  campaignReviewView,
  optedOutView,
  type ReviewMetadata,
  reviewMetadata,
} from './review-view.ts';
import {
  completeStartForm,
  initialStartForm,
  maxDelayOf,
  readRepeat,
  readStartForm,
  type StartForm,
  startActions,
} from './start-form.ts';

/** The review of a campaign, changed by its live fields, and its start. */
export function registerReviews(router: Router, context: AppContext): void {
  for (const actionId of Object.values(startActions)) {
    router.action(actionId, 'campaign', async ({ user, view }) => {
      if (view !== undefined) {
        const metadata = reviewMetadata.parse(view.metadata);
        const form = readStartForm(await view.rememberedValues(), metadata.origin);
        await view.replace(await reviewAgain(context, user, metadata, form));
      }
    });
  }
  router.submission(campaignReviewCallback, 'campaign', (call) => start(context, call));
  router.action(campaignReviewActions.startAnyway, 'campaign', async ({ user, value, show }) => {
    const metadata = reviewMetadata.parse(JSON.parse(value));
    const { id, origin, version } = metadata;
    const form = await savedStarts.find(context, user, id);
    const replace = await show(startingView);
    const started =
      form && (await startWith(context, { user, metadata, form, beforeAckDeadline: (work) => work }));
    if (started === undefined || 'errors' in started) {
      // A button has no error beside a field.
      const fault = started && Object.values(started.errors)[0];
      await replace(await reviewAgain(context, user, { id, origin, shownVersion: version, fault }, form));
      return;
    }
    await replace(started.view);
    const later = await started.background?.(replace);
    if (later !== undefined) {
      await replace('ifClosed' in later ? later.view : later);
    }
  });
}

/** Starts what a review shows. A message to people who opted out is asked about once more. */
async function start(
  context: AppContext,
  { user, values, ...submitted }: SubmissionRequest,
): Promise<SubmissionResponse> {
  const metadata = reviewMetadata.parse(submitted.metadata);
  const { id, origin, version, morning } = metadata;
  const form = readStartForm(values, origin);
  const offered = morning === undefined ? undefined : new Date(morning);
  const read = readStartTime(form, offered, user.zone, context.time.now());
  if (metadata.isLimited || (metadata.isToOptedOut && read.ok)) {
    return {
      view: loadingView('Review', 'Checking…'),
      async background() {
        const review = await context.services.campaigns.review(user.workspaceId, id, user.userId);
        const optedOut = review.warnings.find((warning) => warning.kind === 'do_not_contact');
        const isAsShown = review.campaign.version === version && !metadata.isLimited;
        if (!isAsShown || optedOut === undefined) {
          return showReview(context, user, review, origin, form, { shownVersion: version });
        }
        await savedStarts.save(context, user, id, form);
        return optedOutView(optedOut.recipients, metadata);
      },
    };
  }
  return startWith(context, { user, metadata, form, beforeAckDeadline: submitted.beforeAckDeadline });
}

async function startWith(
  context: AppContext,
  {
    user,
    metadata,
    form,
    beforeAckDeadline,
  }: Pick<SubmissionRequest, 'user' | 'beforeAckDeadline'> & { metadata: ReviewMetadata; form: StartForm },
): Promise<SubmissionResponse> {
  const { channels, services, time } = context;
  const { id, version, seen, origin, morning } = metadata;
  const { zone, workspaceId, userId } = user;
  const offered = morning === undefined ? undefined : new Date(morning);
  const read = readStartTime(form, offered, zone, time.now());
  if (!read.ok) {
    return { errors: { [read.field]: read.reason } };
  }
  const at = read.at && { time: read.at, zone };
  const channelId = form.inChannel ? form.channelId : undefined;
  const plainCells = (await savedForms.find(context, user, id))?.form.plainCells === true;
  const repeat = read.repeat && { ...read.repeat, plainCells };
  const maxDelayMs = at && maxDelayOf(form);
  const request = { workspaceId, userId, id, version, seen, channelId, at, maxDelayMs, repeat };
  const starting = services.campaigns
    .start(request)
    .then(async (result) => {
      // The next campaign defaults to the same sender.
      if (result.kind === 'started' && !result.campaign.isMessage) {
        const { senderId, route } = result.campaign;
        await services.workspaces.rememberPreferences(workspaceId, userId, {
          ...(route === 'chatapp' ? { device: senderId } : { campaignSenderId: senderId }),
          campaignRoute: readRoute(route),
        });
      }
      return result;
    })
    .catch(addToRefusal(nothingSent));
  const resultView = async (result: StartResult, access: ChannelAccess | undefined) => {
    switch (result.kind) {
      case 'changed':
        return reviewAgain(context, user, { id, origin, shownVersion: result.shownVersion }, form);
      case 'not_as_shown':
        return reviewAgain(
          context,
          user,
          { id, origin, shownVersion: version, changes: result.changes },
          form,
        );
      case 'started':
        return result.first
          ? startedView(result.campaign, { zone, now: time.now(), access })
          : statusView(context, result.campaign);
      default:
        return steeredView(context, user, result);
    }
  };
  const checkChannel = async () =>
    channelId === undefined ? undefined : await channels.check(workspaceId, channelId);
  // A slow database may exceed Slack's time limit.
  const result = await beforeAckDeadline(starting);
  if (result === undefined) {
    return {
      view: startingView,
      background: async () => {
        const result = await starting;
        const view = await resultView(result, await checkChannel());
        return result.kind === 'changed' || result.kind === 'not_as_shown'
          ? { view, ifClosed: changedSinceShown(nothingSent) }
          : view;
      },
    };
  }
  const known = channelId === undefined ? undefined : channels.known(workspaceId, channelId);
  return {
    view: await resultView(result, known),
    // What is known may be old, and the view is to say where the progress really is.
    background: async () => {
      const access = await checkChannel();
      return result.kind !== 'started' || access?.kind === known?.kind
        ? undefined
        : resultView(result, access);
    },
  };
}

/** Shown after *Send* or *Schedule*. */
function startedView(
  { startAt, channelId, repeat, isMessage }: Campaign,
  { zone, now, access }: { zone: string; now: Date; access: ChannelAccess | undefined },
): ModalView {
  const start = startAt && inBothZones(startAt, zone, now);
  const [title, icon, headline, buttons] =
    start === undefined
      ? ['Started', stateIcons.done, 'Sending has started.', mrkdwn`*Pause* and *Cancel campaign*`]
      : repeat === undefined
        ? [
            'Scheduled',
            campaignIcons.scheduled,
            isMessage ? `Will be sent ${start}.` : `Starts ${start}.`,
            isMessage
              ? mrkdwn`*Send now*, *Change time*, *Edit* and *Cancel message*`
              : mrkdwn`*Start now*, *Change time*, *Edit* and *Cancel campaign*`,
          ]
        : [
            'Scheduled',
            campaignIcons.repeating,
            `Repeats ${describeRepeat(repeat)}. The first run starts ${start}.`,
            mrkdwn`*Skip next run*, *Edit* and *${stopRepeating}*`,
          ];
  return notice(
    title,
    section(mrkdwn`${icon} *${headline}*`),
    context(
      mrkdwn`${isMessage ? 'See the result' : 'Follow the progress'} in ${describeDestination(channelId, access)}.`,
    ),
    context(mrkdwn`The message there has ${buttons}.`),
  );
}

/** Reads when a campaign is to start: at once unless there is a time. `morning` is the 08:00 that the form offered. */
function readStartTime(
  form: StartForm,
  morning: Date | undefined,
  zone: string,
  now: Date,
):
  | { ok: true; at: Date | undefined; repeat?: Repeat | undefined }
  | { ok: false; field: 'time' | 'until'; reason: string } {
  const { when, date = '', time = '' } = form;
  switch (when) {
    case 'now':
      return { ok: true, at: undefined };
    case 'morning':
      // The night may be over by the time the form is submitted.
      return { ok: true, at: morning !== undefined && morning > now ? morning : undefined };
    case 'at':
    case 'repeat': {
      const start = readStart({ date, time, zone }, now);
      const repeat = readRepeat(form);
      if (!start.ok || when === 'at') {
        return start.ok ? start : { ...start, field: 'time' };
      }
      const reason = repeat === undefined ? 'Choose the last date.' : faultOfRepeat(repeat);
      return reason === undefined ? { ...start, repeat } : { ok: false, field: 'until', reason };
    }
  }
}

/** The version that the person saw before, and other changes since. */
interface ShownBefore {
  shownVersion?: string | undefined;
  changes?: readonly Change[] | undefined;
  /** Why it was not started. */
  fault?: string | undefined;
}

/**
 * Returns the view of a review from the campaign in the database and what the user filled in.
 *
 * @param filledIn the values of the review that it replaces
 */
export async function showReview(
  context: AppContext,
  user: Viewer,
  review: CampaignReview,
  origin: string | undefined,
  filledIn?: StartForm,
  { shownVersion, changes, fault }: ShownBefore = {},
): Promise<ModalView> {
  const { campaigns, costs, limits, optOutAddress, senderIds, unicode } = context.services;
  const { campaign, quietUntil: morning } = review;
  const { id, workspaceId } = campaign;
  const { zone } = user;
  const now = context.time.now();
  const before =
    filledIn ?? initialStartForm(review, await savedStarts.find(context, user, id), origin, { now, zone });
  const form = completeStartForm(before, review, { now, zone });
  const saved = await savedForms.find(context, user, id);
  // Recipients in this part may have got the earlier campaign's message.
  const { source, audience, recipientsOf } = saved?.form ?? {};
  const part = recipientsOf?.which ?? (source === 'campaign' ? (audience?.part ?? 'all') : undefined);
  const startTime = readStartTime(form, morning, zone, now);
  const start = startTime.ok ? startTime.at : undefined;
  const [budgets, limit] = await Promise.all([
    limits.campaigns.nearlyUsed(campaign, start),
    limits.campaigns.limitFor(campaign, start),
  ]);
  const seen = await campaigns.approvals.factsAt(campaign, start ?? now);
  const cost = await costs.estimateCampaign(campaign);
  await costs.saveEstimate({ workspaceId, subject: 'campaign', id }, cost);
  const delivery = await senderIds.checkNetworks(user, review.delivery, id);
  const shown = { ...review, delivery };
  return campaignReviewView(shown, {
    metadata: {
      id,
      version: campaign.version,
      seen,
      ...(limit !== undefined && { isLimited: true }),
      ...(review.warnings.some(({ kind }) => kind === 'do_not_contact') && { isToOptedOut: true }),
      origin,
      morning: morning?.toISOString(),
    },
    changed:
      fault !== undefined
        ? mrkdwn`${stateIcons.failed} ${fault}`
        : shownVersion === undefined || shownVersion === campaign.version
          ? undefined
          : describeNewVersion(shownVersion, campaign),
    changes,
    form,
    start: start ?? now,
    isTimeRead: start !== undefined,
    zone,
    now,
    replaceable:
      saved !== undefined &&
      saved.form.plainCells !== true &&
      canReadAgain(saved) &&
      isReplaceable(review, unicode),
    placeholders: campaign.isMessage ? [] : convertColumns(context, campaign, campaign.text ?? '').converted,
    canConvert: saved !== undefined && canReadAgain(saved),
    plainCells: saved?.form.plainCells === true,
    isAccented:
      saved !== undefined && saved.form.recipientsOf?.which !== 'draft' && hasAccents(campaign) && !unicode,
    accents: saved?.accents,
    followedUp: saved && {
      count: saved.followedUp ?? 0,
      areIncluded: saved.form.recipientsOf?.includesFollowedUp === true,
    },
    mayRepeat: part !== undefined && part !== 'draft' && partRules[part].isDoubtful === true,
    readingReview: saved?.readingReview,
    dnd: saved?.dnd,
    approvalIn: await campaigns.approvals.channelFor(campaign),
    optOut:
      optOutAddress === undefined
        ? undefined
        : costOfOptOutLink(review.examples[0]?.text ?? '', optOutAddress),
    isAdmin: user.permissions.has('administer'),
    budgets,
    limit,
    cost,
    to: await campaigns.recipientsOfMessage(campaign),
    skipped: saved && (await describeSkipped(context, campaign, saved)),
  });
}

/** Names the recipients of a message that could not be read as numbers. */
async function describeSkipped({ services }: AppContext, campaign: Campaign, { form }: SavedForm) {
  const { country } = await services.workspaces.defaults(campaign.workspaceId);
  const { invalid } = readNumbers(campaign.isMessage ? (form.pasted ?? '') : '', country);
  return invalid.length === 0
    ? undefined
    : mrkdwn`${stateIcons.unconfirmed} *Skipped:* ${describeInvalid(invalid)}`;
}

/** @throws Refusal if the review no longer exists, or is another user's */
export async function reviewAgain(
  context: AppContext,
  user: User,
  { id, origin, ...shown }: { id: string; origin?: string | undefined } & ShownBefore,
  form?: StartForm,
): Promise<ModalView> {
  const review = await context.services.campaigns.review(user.workspaceId, id, user.userId);
  return showReview(context, user, review, origin, form, shown);
}

/** A draft that took the place of another one was read from that one, which is gone. */
function canReadAgain({ form }: SavedForm): boolean {
  return form.recipientsOf?.which !== 'draft';
}

/** Converts the columns of a campaign’s list that a text has as other tools write them. */
export function convertColumns({ settings }: AppContext, { columns = [] }: Campaign, text: string) {
  const names = nameColumns(columns).map(({ name }) => name);
  return convertPlaceholders(text, settings.optOutAddress === undefined ? names : [...names, optOutColumn]);
}

/** Whether rows were skipped for characters that have a plain twin, or an example shows that these cost pages. */
function isReplaceable({ campaign, examples }: CampaignReview, unicode: boolean): boolean {
  const skipped = campaign.invalidByProblem?.replaceable_characters ?? 0;
  return skipped > 0 || examples.some(({ text }) => isReplacementUseful(text, { unicode }));
}

const hasAccents = ({ invalidByProblem, withoutAccents }: Campaign): boolean =>
  !withoutAccents && (invalidByProblem?.accented_letters ?? 0) > 0;

const nothingSent = 'Nothing was sent.';
