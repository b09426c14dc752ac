import type { ModalView } from '@slack/types';
import { routeSchema } from '../../../../domain/messages/routes.ts';
import { countryPagesOfList } from '../../../../domain/money/country-pages.ts';
import { readStart } from '../../../../domain/time/start-time.ts';
import { reviewedContent } from '../../../../services/campaigns/approval/campaign-start.ts';
import type { Preview } from '../../../../services/campaigns/preflight/preflight.ts';
import { isReplacementUseful } from '../../../block-kit/descriptions/warnings.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { User } from '../../../middleware/requests.ts';
import { findForm, findStart, type SavedForm } from '../form/saved-forms.ts';
import { campaignPreviewView } from './preview-view.ts';
import { completeStartForm, initialStartForm, type StartForm } from './start-form.ts';

/** Without `start`: now. */
export type StartTimeResult = { ok: true; start: Date | undefined } | { ok: false; reason: string };

/** Reads when a campaign is to start. `morning` is the 08:00 that the form offered. */
export function readStartTime(
  form: StartForm,
  morning: Date | undefined,
  zone: string,
  now: Date,
): StartTimeResult {
  switch (form.when) {
    case 'now':
      return { ok: true, start: undefined };
    case 'morning':
      // The night may be over by the time the form is submitted.
      return { ok: true, start: morning !== undefined && morning > now ? morning : undefined };
    case 'at': {
      const { date = '', time = '' } = form;
      const read = readStart({ date, time, zone }, now);
      return read.ok ? { ok: true, start: read.at } : read;
    }
  }
}

/**
 * Returns the view of a preview from the campaign in the database and what the user filled in.
 *
 * @param filledIn what the preview that it replaces holds
 */
export async function showPreview(
  context: AppContext,
  user: User,
  preview: Preview,
  origin: string | undefined,
  filledIn?: StartForm,
): Promise<ModalView> {
  const { campaigns, costs, limits, unicode } = context.services;
  const { campaign, quietUntil: morning } = preview;
  const { id, workspaceId, counts, countries, countryPages } = campaign;
  const { zone } = user;
  const now = context.time.now();
  const before =
    filledIn ?? initialStartForm(preview, await findStart(context, user, id), origin, { now, zone });
  const form = completeStartForm(before, preview, { now, zone });
  const saved = await findForm(context, user, id);
  const startTime = readStartTime(form, morning, zone, now);
  const start = startTime.ok ? startTime.start : undefined;
  const [budgets, limit] = await Promise.all([
    limits.campaigns.nearlyUsed(campaign, start),
    limits.campaigns.limitFor(campaign, start),
  ]);
  const cost = await costs.estimate(workspaceId, {
    route: routeSchema.parse(campaign.route),
    pages: countryPagesOfList({ pages: counts.pages, countries, countryPages }),
  });
  await costs.saveEstimate({ workspaceId, subject: 'campaign', id }, cost);
  return campaignPreviewView(preview, {
    metadata: { id, reviewed: reviewedContent(campaign), origin, morning: morning?.toISOString() },
    form,
    start: start ?? now,
    isTimeRead: start !== undefined,
    zone,
    replaceable: saved !== undefined && canReplace(saved) && isReplaceable(preview, unicode),
    plainCells: saved?.form.plainCells === true,
    columns: saved?.columns,
    dnd: saved?.dnd,
    approvalIn: await campaigns.approvals.channelFor(campaign),
    budgets,
    limit,
    cost,
  });
}

/** @throws UserError if the preview no longer exists, or is another user's */
export async function previewAgain(
  context: AppContext,
  user: User,
  { id, origin }: { id: string; origin?: string | undefined },
  form?: StartForm,
): Promise<ModalView> {
  const preview = await context.services.campaigns.preview(user.workspaceId, id, user.userId);
  if (preview === undefined) {
    throw new UserError(previewGone, { isFinal: true });
  }
  return showPreview(context, user, preview, origin, form);
}

/** A draft that took the place of another one was read from that one, which is gone. */
function canReplace({ form }: SavedForm): boolean {
  return form.plainCells !== true && form.recipientsOf?.which !== 'all';
}

/** Whether rows were skipped for characters that have a plain twin, or an example shows that these cost pages. */
function isReplaceable({ campaign, examples }: Preview, unicode: boolean): boolean {
  const skipped = campaign.invalidByProblem?.replaceable_characters ?? 0;
  return skipped > 0 || examples.some(({ text }) => isReplacementUseful(text, { unicode }));
}

export const previewGone = mrkdwn`This preview is gone: the campaign was started, or the preview is more than a day old. See *Campaigns* on Switchboard’s Home.`;

export const previewChanged = mrkdwn`This review is an old one: the campaign was changed since. Nothing was sent. Open the new review under *Campaigns* on Switchboard’s Home.`;
