import type { CampaignService } from '../../../../services/campaigns/campaign-service.ts';
import type { Notice } from '../../../../store/outbox/outbox.ts';
import { context, section } from '../../../block-kit/build.ts';
import { deliveryCountWords, failureLine } from '../../../block-kit/descriptions/delivery-counts.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { joinInline, mrkdwn } from '../../../block-kit/text.ts';

const sources = { report: 'the provider’s delivery reports', history: 'the provider’s history' } as const;

/** Returns a function that tells a campaign’s user how recipients ended that were unconfirmed, as it is known now. */
export function createResolvedRecipientsMessage(
  campaigns: Pick<CampaignService, 'findAny' | 'resolvedOf'>,
): (notice: Notice) => Promise<SlackMessage> {
  return async ({ workspaceId, subjectId }) => {
    const campaign = await campaigns.findAny(workspaceId, subjectId);
    const resolved = campaign && (await campaigns.resolvedOf(campaign));
    if (campaign === undefined || resolved === undefined || resolved.resolved === 0) {
      const text = mrkdwn`Recipients of a campaign that were unconfirmed have an outcome.`;
      return message(text, [section(text)]);
    }
    const { unconfirmed } = campaign.counts;
    const from = resolved.sources.map((source) => sources[source]).join(' and ');
    const failures = failureLine(resolved);
    const text = mrkdwn`*${campaign.name}:* ${pluralize(resolved.resolved, 'recipient')} that ${resolved.resolved === 1 ? 'was' : 'were'} unconfirmed ${resolved.resolved === 1 ? 'is' : 'are'} *accepted* after all, known from ${from}.`;
    return message(text, [
      section(text),
      section(joinInline(deliveryCountWords(resolved))),
      context(
        ...(failures === undefined ? [] : [failures]),
        unconfirmed === 0
          ? mrkdwn`None is unconfirmed any more.`
          : mrkdwn`${formatCount(unconfirmed)} still unconfirmed. The campaign’s summary changes when more is known.`,
      ),
    ]);
  };
}
