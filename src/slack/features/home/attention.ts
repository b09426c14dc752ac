import type { KnownBlock } from '@slack/types';
import type { Permission } from '../../../domain/access/roles.ts';
import type { Balance } from '../../../services/costs/balance.ts';
import type { Attention } from '../../../services/home/attention.ts';
import type { Approval } from '../../../store/approvals/approvals.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { KeyState } from '../../../store/installation/key-rotation.ts';
import { button, context, divider, header, present, section } from '../../block-kit/build.ts';
import { requestName, requestWish } from '../../block-kit/descriptions/approval-request.ts';
import { countNotDelivered, pauseReason } from '../../block-kit/descriptions/campaign-counts.ts';
import { tooLowSince } from '../../block-kit/descriptions/costs.ts';
import { describeFreesAt, nameLimit, scarceBudgets } from '../../block-kit/descriptions/limits.ts';
import { describeToPost } from '../../block-kit/descriptions/workspace.ts';
import { brief } from '../../block-kit/limits.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { campaignIcon, campaignIcons, stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { connectAction, replaceKey } from '../../middleware/not-performed.ts';
import { openActions } from '../../navigation/open-actions.ts';

/** Campaigns of each kind that are named; the list of campaigns has the others. */
const maxNamed = 3;
const maxToDecide = 10;
/** Limits that refuse something; *Limits* has the others. */
const maxReached = 3;

/** What only an admin sees, most of it to put right. */
export type AdminContent = Awaited<ReturnType<typeof readForAdmin>>;

export async function readForAdmin(
  { services: { home, limits, replies, setup } }: Pick<AppContext, 'services'>,
  workspaceId: string,
) {
  const [setupLeft, keyRejected, encryptionKeys, reached, budgets, withheld, repliesToPost] =
    await Promise.all([
      setup.left(workspaceId),
      home.isKeyRejected(workspaceId),
      home.encryptionKeys(),
      limits.reachedNow(workspaceId, maxReached),
      limits.budgets(workspaceId),
      home.withheld(workspaceId),
      replies.toPost(workspaceId),
    ]);
  return { setupLeft, keyRejected, encryptionKeys, reached, budgets, withheld, repliesToPost };
}

/**
 * The user's open tasks, the gravest first; empty without tasks. Only approvers see requests for approval, and the
 * buttons depend on the user's permissions.
 */
export function attentionBlocks(
  attention: Attention,
  admin: AdminContent | undefined,
  balance: Balance | undefined,
  permissions: ReadonlySet<Permission>,
): KnownBlock[] {
  const own = new Set(attention.paused.map(({ id }) => id));
  const others = admin?.withheld.filter(({ id }) => !own.has(id)) ?? [];
  const blocks = [
    ...(admin === undefined ? [] : adminBlocks(admin, balance)),
    // If its creator may not resume a campaign, only an admin can.
    ...others
      .slice(0, maxNamed)
      .map((campaign) =>
        campaignBlock(campaign, mrkdwn`is paused: ${userMention(campaign.createdBy)} can no longer send it.`),
      ),
    ...(permissions.has('approve') ? toDecide(attention) : []),
    ...ownBlocks(attention, permissions.has('campaign')),
  ];
  return blocks.length === 0 ? [] : [header('Needs your attention'), ...blocks, divider()];
}

function adminBlocks(admin: AdminContent, balance: Balance | undefined): KnownBlock[] {
  const keys = describeKeys(admin.encryptionKeys);
  const replies = describeToPost(admin.repliesToPost);
  const limits = button(openActions.limits, 'Open limits');
  return present(
    admin.keyRejected &&
      section(
        mrkdwn`:key: *The provider rejects the key.* Nobody can send until it is replaced.`,
        button(connectAction, 'Replace key', { value: replaceKey }),
      ),
    balance?.tooLowAt !== undefined &&
      section(
        mrkdwn`${stateIcons.unconfirmed} The balance has been ${tooLowSince(balance.tooLowAt)}. Top up the provider’s account.`,
      ),
    keys && section(keys),
    replies &&
      section(
        replies,
        button(openActions.replySettings, 'Choose channel', { label: 'Choose channel for replies' }),
      ),
    ...admin.reached.map(({ reason, freesAt, userId }) =>
      section(
        mrkdwn`:no_entry: *Limit reached:* ${nameLimit(reason)}. Stopped ${describeFreesAt(freesAt)}. Last request by ${userMention(userId)}.`,
        limits,
      ),
    ),
    ...scarceBudgets(admin.budgets, admin.reached).map((text) => section(text, limits)),
  );
}

/** What an operator does about the keys that stored values are encrypted with; nothing while there is one. */
function describeKeys(keys: KeyState): Markup | undefined {
  switch (keys.name) {
    case 'current':
      return undefined;
    case 'superseded':
      return mrkdwn`${stateIcons.unconfirmed} *The encryption keys are in the wrong order.* A newer key used to be first. Put it first again, and restart the program.`;
    case 'waiting':
      return mrkdwn`${stateIcons.underway} *An old encryption key is still in use.* Give all instances the same keys, and restart them.`;
    case 'reencrypting': {
      const left = keys.left === undefined ? '' : ` ${pluralize(keys.left, 'value is', 'values are')} left.`;
      return mrkdwn`${stateIcons.underway} *Stored data is being re-encrypted with the new key.*${left} Keep the old keys until this is done.`;
    }
    case 'unreadable':
      return mrkdwn`${stateIcons.unconfirmed} *${pluralize(keys.values, 'stored value')} cannot be re-encrypted.* The log says where. Keep the old keys.`;
    case 'removable':
      return mrkdwn`${stateIcons.done} *The old encryption keys can be removed.* Leave only the first one, and restart the program.`;
  }
}

function ownBlocks(attention: Attention, opensCampaigns: boolean): KnownBlock[] {
  const { paused, missed, asked, drafts, unconfirmed, notDelivered } = attention;
  return present(
    ...asked
      .slice(0, maxNamed)
      .map((approval) =>
        requestBlock(approval, mrkdwn`is waiting for approval until ${timeFor(approval.expiresAt)}.`),
      ),
    ...paused.slice(0, maxNamed).map((campaign) => {
      const reason = pauseReason(campaign);
      const words =
        reason === undefined
          ? mrkdwn`is paused by ${userMention(campaign.pause?.userId ?? '')}.`
          : mrkdwn`is paused: ${reason}.`;
      return campaignBlock(campaign, words, opensCampaigns);
    }),
    ...missed
      .slice(0, maxNamed)
      .map((campaign) =>
        campaignBlock(campaign, mrkdwn`missed its start. Nothing was sent.`, opensCampaigns),
      ),
    unconfirmed.length > 0 &&
      section(
        mrkdwn`${stateIcons.unconfirmed} *${pluralize(unconfirmed.length, 'unconfirmed outcome')}* in the last 24 hours. Check with the recipients before you send again.`,
        button(openActions.unconfirmed, 'Show unconfirmed'),
      ),
    ...notDelivered.campaigns.map((campaign) => {
      const recipients = campaign.deliveries === undefined ? 0 : countNotDelivered(campaign.deliveries);
      const words = mrkdwn`wasn’t delivered to ${pluralize(recipients, 'recipient')}.`;
      return campaignBlock(campaign, words, opensCampaigns, stateIcons.failed);
    }),
    notDelivered.otherCampaigns > 0 &&
      section(
        mrkdwn`${stateIcons.failed} *${pluralize(notDelivered.otherCampaigns, 'more campaign')}* didn’t reach everyone.`,
        showNotDelivered,
      ),
    notDelivered.operations > 0 &&
      section(
        mrkdwn`${stateIcons.failed} *${pluralize(notDelivered.operations, 'message')} not delivered* in the last 3 days.`,
        showNotDelivered,
      ),
    drafts > 0 &&
      opensCampaigns &&
      section(
        mrkdwn`${campaignIcons.ready} *${pluralize(drafts, 'draft')}*`,
        button(openActions.campaigns, 'Open drafts'),
      ),
  );
}

const showNotDelivered = button(openActions.notDelivered, 'Show', { label: 'Show undelivered messages' });

/** Requests that wait for an approver, at most ten: the one that waits longest first. */
function toDecide({ toDecide: requests }: Attention): KnownBlock[] {
  const more = requests.length - maxToDecide;
  const shown = requests
    .slice(0, maxToDecide)
    .map((approval) =>
      requestBlock(
        approval,
        mrkdwn`needs your decision: ${userMention(approval.requestedBy)} wants to ${requestWish(approval)}.`,
      ),
    );
  return more > 0 ? [...shown, context(mrkdwn`And ${pluralize(more, 'more request')} for approval.`)] : shown;
}

function requestBlock(approval: Approval, words: Markup): KnownBlock {
  const name = requestName(approval);
  return section(
    mrkdwn`${stateIcons.approval} *${name}* ${words}`,
    button(openActions.approval, 'Open', { value: approval.id, label: mrkdwn`Open ${name}` }),
  );
}

function campaignBlock(
  campaign: Campaign,
  words: Markup,
  opens = true,
  icon = campaignIcon(campaign),
): KnownBlock {
  const { id, name, isMessage } = campaign;
  const open = button(openActions.campaign, 'Open', { value: id, label: mrkdwn`Open ${brief(name)}` });
  return section(mrkdwn`${icon} *${brief(name)}* ${words}`, opens || isMessage ? open : undefined);
}
