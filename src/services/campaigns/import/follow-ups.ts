import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Context } from '../../context.ts';
import type { SteeringRequest } from '../steering.ts';
import type { createAudiences } from './audiences.ts';
import type { CampaignImports } from './campaign-imports.ts';
import {
  type Audience,
  countEarlier,
  type EarlierRecipients,
  type FollowUpGroup,
  followUpGroups,
  hasEnded,
  isRest,
  restId,
} from './recipient-sources.ts';

/** A group of a campaign's recipients that it has now. */
export interface FollowUpOffer {
  group: FollowUpGroup;
  recipients: number;
  /** The version of the draft that the follow-up replaces. */
  draft?: string | undefined;
  /** The follow-up of a group that gets one at most. */
  followedBy?: Campaign | undefined;
}

/** Follow-ups of campaigns: to whom there can be one, and where their recipients come from. */
export function createFollowUps(
  { store: { campaigns } }: Pick<Context, 'store'>,
  {
    findRest,
    findAudience,
  }: Pick<CampaignImports, 'findRest'> & Pick<ReturnType<typeof createAudiences>, 'findAudience'>,
) {
  return {
    /** Returns the groups that the campaign has. While it may still send, only groups that got its message. */
    async followUps(campaign: Campaign): Promise<FollowUpOffer[]> {
      const { workspaceId, id, counts, deliveries } = campaign;
      const sizes = {
        not_delivered: deliveries?.failed.reduce((sum, { recipients }) => sum + recipients, 0) ?? 0,
        not_sent: countEarlier({ campaign, which: 'not_sent' }) ?? 0,
        rejected: countEarlier({ campaign, which: 'rejected' }) ?? 0,
        unconfirmed: countEarlier({ campaign, which: 'unconfirmed' }) ?? 0,
        did_not_answer: counts.accepted + counts.unconfirmed - (await campaigns.countAuthors(campaign)),
        all: hasEnded(campaign) ? counts.recipients : 0,
      };
      const found = followUpGroups.filter((group) => sizes[group] > 0);
      return Promise.all(
        found.map(async (group) => {
          const known = isRest(group) ? await campaigns.find(workspaceId, restId(id, group)) : undefined;
          const isDraft = known?.state === 'ready' || known?.state === 'reading';
          return {
            group,
            recipients: sizes[group],
            draft: known?.state === 'ready' ? known.version : undefined,
            followedBy: isDraft ? undefined : known,
          };
        }),
      );
    },

    /**
     * Finds the recipients of a follow-up. Undefined if the campaign is gone or may still send to them, or if the group gets
     * at most one follow-up and has had it.
     *
     * @param request.includesFollowedUp whether it also goes to those who already got one
     * @throws StoreError `outdated` for a group of a campaign from before the data was restored
     */
    async findFollowUp({
      group,
      includesFollowedUp,
      ...request
    }: SteeringRequest & { group: FollowUpGroup; includesFollowedUp: boolean }): Promise<
      EarlierRecipients | Audience | undefined
    > {
      if (isRest(group)) {
        const found = await findRest({ ...request, which: group });
        return found.kind === 'found' ? { ...found.source, followUp: { includesFollowedUp } } : undefined;
      }
      const { id, ...user } = request;
      const found = await findAudience(user, { campaign: id, part: group });
      return found.ok && (group !== 'all' || hasEnded(found.source.campaign))
        ? { ...found.source, followUp: { includesFollowedUp } }
        : undefined;
    },
  };
}
