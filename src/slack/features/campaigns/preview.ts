import type { ModalView } from '@slack/types';
import { readStart } from '../../../domain/time/start-time.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { CampaignService } from '../../../services/campaigns/campaign-service.ts';
import type { Preview } from '../../../services/campaigns/preflight/preview.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../../middleware/errors.ts';
import type { User } from '../../middleware/requests.ts';
import type { FormCache } from './form-cache.ts';
import { campaignPreviewView, type PreviewMetadata } from './preview-view.ts';
import { freshStart, type StartForm } from './start-inputs.ts';

export type ReadWhen = { ok: true; start: Date | undefined } | { ok: false; reason: string };

/** When a campaign is to start, by the form; undefined: now. `morning`: the 08:00 that was offered. */
export function readWhen(form: StartForm, morning: Date | undefined, zone: string, now: Date): ReadWhen {
  switch (form.when) {
    case 'now':
      return { ok: true, start: undefined };
    case 'morning':
      // By the time it is submitted the night may be over.
      return { ok: true, start: morning !== undefined && morning > now ? morning : undefined };
    case 'at': {
      const { date = '', time = '' } = form;
      const read = readStart({ date, time, zone }, now);
      return read.ok ? { ok: true, start: read.at } : read;
    }
  }
}

/** The preview as a person sees it, made anew from what is written down and what they filled in. */
export function createPreviews(context: { campaigns: CampaignService; forms: FormCache; clock: Clock }) {
  const { campaigns, forms, clock } = context;

  function show(
    user: User,
    preview: Preview,
    origin: string | undefined,
    filledIn: StartForm = { ...freshStart, channelId: origin },
  ): ModalView {
    const over = filledIn.when === 'morning' && preview.quietUntil === undefined;
    const form: StartForm = over ? { ...filledIn, when: 'now' } : filledIn;
    const { id } = preview.campaign;
    const { zone } = user;
    const kept = forms.get(user, id);
    const when = readWhen(form, preview.quietUntil, zone, clock());
    return campaignPreviewView(preview, {
      metadata: {
        id,
        ...(origin === undefined ? {} : { origin }),
        ...(preview.quietUntil === undefined ? {} : { morning: preview.quietUntil.toISOString() }),
      },
      form,
      start: when.ok ? when.start : undefined,
      zone,
      editable: kept !== undefined,
      columns: kept?.columns,
      dnd: kept?.dnd,
    });
  }

  return {
    show,
    /** Throws a Refusal where it is not there any more, or is somebody else's. */
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
