import type { ModalView } from '@slack/types';
import { readStart } from '../../../../domain/time/start-time.ts';
import type { Clock } from '../../../../lib/time/clock.ts';
import type { CampaignService } from '../../../../services/campaigns/campaign-service.ts';
import type { Preview } from '../../../../services/campaigns/preflight/preview.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { User } from '../../../middleware/requests.ts';
import type { FormCache } from '../form/form-cache.ts';
import { campaignPreviewView, type PreviewMetadata } from './preview-view.ts';
import { defaultStart, type StartForm } from './start-inputs.ts';

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
export function createPreviews(context: { campaigns: CampaignService; forms: FormCache; clock: Clock }) {
  const { campaigns, forms, clock } = context;

  function show(
    user: User,
    preview: Preview,
    origin: string | undefined,
    filledIn: StartForm = { ...defaultStart, channelId: origin },
  ): ModalView {
    const isMorningGone = filledIn.when === 'morning' && preview.quietUntil === undefined;
    const form: StartForm = isMorningGone ? { ...filledIn, when: 'now' } : filledIn;
    const { id } = preview.campaign;
    const { zone } = user;
    const cached = forms.get(user, id);
    const startTime = readStartTime(form, preview.quietUntil, zone, clock());
    return campaignPreviewView(preview, {
      metadata: { id, origin, morning: preview.quietUntil?.toISOString() },
      form,
      start: startTime.ok ? startTime.start : undefined,
      zone,
      columns: cached?.columns,
      dnd: cached?.dnd,
    });
  }

  return {
    show,
    /** @throws UserError if the preview no longer exists, or is another user's */
    async again(user: User, { id, origin }: PreviewMetadata, form?: StartForm): Promise<ModalView> {
      const preview = await campaigns.preview(user.workspaceId, id, user.userId);
      if (preview === undefined) {
        throw new UserError(previewGone, { isFinal: true });
      }
      return show(user, preview, origin, form);
    },
  };
}
export type Previews = ReturnType<typeof createPreviews>;

export const previewGone = mrkdwn`This preview is not there any more: it was started meanwhile, or is more than a day old. *See campaigns* on Switchboard’s Home shows what was started.`;
