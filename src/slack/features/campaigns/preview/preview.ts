import type { ModalView } from '@slack/types';
import { routeSchema } from '../../../../domain/messages/routes.ts';
import { countryPagesOfList } from '../../../../domain/money/country-pages.ts';
import { readStart } from '../../../../domain/time/start-time.ts';
import type { Clock } from '../../../../lib/time/clock.ts';
import type { Preview } from '../../../../services/campaigns/preflight/preview.ts';
import { reviewedContent } from '../../../../services/campaigns/reviewed-content.ts';
import type { Services } from '../../../../services/services.ts';
import { isReplacementUseful } from '../../../block-kit/descriptions/text-length.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { User } from '../../../middleware/requests.ts';
import type { KeptCampaignForm, KeptCampaignForms } from '../form/kept-campaign-forms.ts';
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

/** Makes the view of a preview from the campaign in the database and what the user filled in. */
export function createPreviews(context: {
  services: Pick<Services, 'campaigns' | 'costs' | 'limits' | 'unicode'>;
  forms: KeptCampaignForms;
  clock: Clock;
}) {
  const { forms, clock } = context;
  const { campaigns, costs, limits, unicode } = context.services;

  /** `filledIn`: what the preview that it replaces holds. */
  async function show(
    user: User,
    preview: Preview,
    origin: string | undefined,
    filledIn?: StartForm,
  ): Promise<ModalView> {
    const { campaign, quietUntil: morning } = preview;
    const { id, workspaceId, counts } = campaign;
    const { zone } = user;
    const now = clock();
    const form = completeStartForm(
      filledIn ?? initialStartForm(preview, { now, zone, origin, former: await forms.startOf(user, id) }),
      preview,
      { now, zone },
    );
    const kept = await forms.find(user, id);
    const startTime = readStartTime(form, morning, zone, now);
    const start = startTime.ok ? startTime.start : undefined;
    const plainCells = kept?.form.plainCells === true;
    const [budgets, limit] = await Promise.all([
      limits.campaigns.nearlyUsed(campaign, start),
      limits.campaigns.foresee(campaign, start),
    ]);
    const { countries, countryPages } = campaign;
    const cost = await costs.estimate(workspaceId, {
      route: routeSchema.parse(campaign.route),
      pages: countryPagesOfList({ pages: counts.pages, countries, countryPages }),
    });
    await costs.keepEstimate({ workspaceId, subject: 'campaign', id }, cost);
    return campaignPreviewView(preview, {
      metadata: { id, reviewed: reviewedContent(campaign), origin, morning: morning?.toISOString() },
      form,
      start: start ?? now,
      isTimeRead: start !== undefined,
      zone,
      replaceable: kept !== undefined && canReplace(kept) && isReplaceable(preview, unicode),
      plainCells,
      columns: kept?.columns,
      dnd: kept?.dnd,
      approvalIn: await campaigns.approvals.channelFor(campaign),
      budgets,
      limit,
      cost,
    });
  }

  return {
    show,
    /** @throws UserError if the preview no longer exists, or is another user's */
    async again(
      user: User,
      { id, origin }: { id: string; origin?: string | undefined },
      form?: StartForm,
    ): Promise<ModalView> {
      const preview = await campaigns.preview(user.workspaceId, id, user.userId);
      if (preview === undefined) {
        throw new UserError(previewGone, { isFinal: true });
      }
      return show(user, preview, origin, form);
    },
  };
}

/** A draft that took the place of another one was read from that one, which is gone. */
function canReplace({ form }: KeptCampaignForm): boolean {
  return form.plainCells !== true && form.former?.which !== 'all';
}

/** Whether rows were skipped for characters that have a plain twin, or an example shows that these cost pages. */
function isReplaceable({ campaign, examples }: Preview, unicode: boolean): boolean {
  const skipped = campaign.invalidByProblem?.replaceable_characters ?? 0;
  return skipped > 0 || examples.some(({ text }) => isReplacementUseful(text, { unicode }));
}

export type Previews = ReturnType<typeof createPreviews>;

export const previewGone = mrkdwn`This preview is gone: the campaign was started, or the preview is more than a day old. See *Campaigns* on Switchboard’s Home.`;

export const previewChanged = mrkdwn`This review is an old one: the campaign was changed since. Nothing was sent. Open the new review under *Campaigns* on Switchboard’s Home.`;
