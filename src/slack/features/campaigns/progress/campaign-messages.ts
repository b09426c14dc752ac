import type { KnownBlock } from '@slack/types';
import type { CampaignDeliveries } from '../../../../domain/deliveries/delivery-status.ts';
import type { PhoneNumber } from '../../../../domain/phone/phone-number.ts';
import type { CampaignFailures } from '../../../../services/campaigns/campaign-service.ts';
import type { CampaignThroughput } from '../../../../services/campaigns/sending/running-campaigns.ts';
import type { Charges } from '../../../../services/costs/estimate.ts';
import { isHeld } from '../../../../store/campaigns/campaign-moves.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import type { Notice, NoticeKey } from '../../../../store/outbox/notices.ts';
import {
  context,
  countCell,
  dataTable,
  present,
  section,
  shareCells,
  textCell,
} from '../../../block-kit/build.ts';
import {
  deliveryCountWords,
  failureLine,
  notSentCount,
  pauseReason,
  startWithLagos,
  whyRemoved,
  wordFor,
} from '../../../block-kit/descriptions/campaign-counts.ts';
import { brief } from '../../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { campaignIcons } from '../../../block-kit/state-icons.ts';
import { joinInline, joinWords, type Markup, mrkdwn, userMention } from '../../../block-kit/text.ts';
import type { SlackContext } from '../../../client/slack-context.ts';
import { updateMessage } from '../../../client/update-message.ts';
import { deliverNotice, remarksOn, withRemarks } from '../../../notifier/notices.ts';
import { endedUnseen, isEmptied, isOver, needsAttention } from '../status/campaign-state.ts';
import { headline, statusBlocks, statusButtons } from '../status/status-view.ts';

/** The message with a campaign's progress, and its result in the end. In a channel it is without balance and costs. */
export function campaignStatusMessage(
  campaign: Campaign,
  throughput: CampaignThroughput,
  {
    charges,
    failures,
    canAsk = false,
    to,
  }: {
    charges?: Charges | undefined;
    failures?: CampaignFailures | undefined;
    canAsk?: boolean;
    /** Whom a message goes to. */
    to?: readonly PhoneNumber[];
  } = {},
): SlackMessage {
  const { balance: _, ...withoutBalance } = campaign;
  const isChannel = campaign.channelId !== undefined;
  const shown = isChannel ? withoutBalance : campaign;
  return message(mrkdwn`${brief(campaign.name)}: ${headline(campaign)}`, [
    ...statusBlocks(shown, throughput, isChannel ? undefined : charges, {
      failures,
      to: isChannel ? undefined : to,
    }),
    ...deliveryBlocks(campaign),
    ...statusButtons(shown, canAsk),
  ]);
}

/** What becomes of the message of a scheduled campaign that is a draft again, or is discarded. */
export function unscheduledMessage({ name, createdBy, state }: Campaign): SlackMessage {
  const text = mrkdwn`*${brief(name)}*\n${campaignIcons.ready} *No longer scheduled.* ${state === 'ready' ? 'It’s a draft. ' : ''}Nothing was sent.`;
  return message(text, [section(text), context(mrkdwn`By ${userMention(createdBy)}`)]);
}

const noReason = 'no reason given';
/** Reasons with rows of their own. */
const maxReasons = 20;

/** What became of an ended campaign's recipients, as a table that the reader can sort, once any was reported. */
function deliveryBlocks(campaign: Campaign): KnownBlock[] {
  const { deliveries, counts, inFlight } = campaign;
  if (deliveries === undefined || !isOver(campaign)) {
    return [];
  }
  const { delivered, onTheWay, failed, other, waiting } = deliveries;
  const { rejected, unconfirmed } = counts;
  const notSent = notSentCount(campaign);
  const sumOf = (parts: CampaignDeliveries['failed']) =>
    parts.reduce((sum, { recipients }) => sum + recipients, 0);
  const outcomes: (readonly [outcome: string, reason: string, recipients: number])[] = [
    ['Delivered', '', delivered],
    ...failed
      .slice(0, maxReasons)
      .map(({ reason, recipients }) => ['Not delivered', reason ?? noReason, recipients] as const),
    ['Not delivered', 'other reasons', sumOf(failed.slice(maxReasons))],
    ['On the way', '', onTheWay],
    ...other.map(({ words, recipients }) => [quoted(words), '', recipients] as const),
    ['No report yet', '', waiting],
    ['Being sent', '', inFlight],
    ['Rejected', '', rejected],
    ['Unconfirmed', '', unconfirmed],
    ['Not sent', '', notSent],
  ];
  const rows = outcomes.filter(([, , recipients]) => recipients > 0);
  // With a single outcome, the status line says it all.
  if (rows.length < 2) {
    return [];
  }
  const shares = shareCells(rows.map(([, , recipients]) => recipients));
  return [
    dataTable(
      'Recipients by outcome',
      ['Outcome', 'Reason', 'Recipients', 'Share'],
      rows.map(([outcome, reason, recipients], index) => [
        textCell(outcome),
        textCell(reason),
        countCell(recipients),
        ...shares.slice(index, index + 1),
      ]),
    ),
  ];
}

/** A status that isn't in the table, in the provider's own words. */
function quoted(words: string | undefined): string {
  return words === undefined ? 'Other status' : `“${words}”`;
}

const sources = { report: 'the provider’s delivery reports', history: 'the provider’s history' } as const;

/** Returns a function that tells a campaign’s user how recipients ended that were unconfirmed, as it is known now. */
export function createResolvedRecipientsMessage({
  services: { campaigns },
}: SlackContext): (notice: Notice) => Promise<SlackMessage> {
  return async ({ workspaceId, subjectId }) => {
    const campaign = await campaigns.findAny(workspaceId, subjectId);
    const resolved = campaign && (await campaigns.resolvedOf(campaign));
    if (campaign === undefined || resolved === undefined || resolved.resolved === 0) {
      const text = mrkdwn`Unconfirmed recipients of a campaign now have an outcome.`;
      return message(text);
    }
    const { unconfirmed } = campaign.counts;
    const from = resolved.sources.map((source) => sources[source]).join(' and ');
    const failures = failureLine(resolved);
    const who = `to ${pluralize(resolved.resolved, 'unconfirmed recipient')}`;
    const isOne = resolved.resolved === 1;
    const text = mrkdwn`*${brief(campaign.name)}:* The ${isOne ? 'message' : 'messages'} ${who} ${isOne ? 'was' : 'were'} *sent* after all, according to ${from}.`;
    // This message stays as it is: it names only what no later report changes.
    const counts = deliveryCountWords({ ...resolved, onTheWay: 0, waiting: 0 });
    return message(text, [
      section(text),
      ...(counts.length === 0 ? [] : [section(joinInline(counts))]),
      context(
        ...(failures === undefined ? [] : [failures]),
        unconfirmed === 0
          ? mrkdwn`No recipients are unconfirmed now. The ${wordFor(campaign)}’s summary shows later reports.`
          : mrkdwn`${formatCount(unconfirmed)} still unconfirmed. The ${wordFor(campaign)}’s summary changes when more is known.`,
      ),
    ]);
  };
}

/** Returns a function that tells a campaign's creator which runs were missed, and what comes next. */
export function createMissedRunsMessage({
  services: { campaigns },
  settings: { commandPrefix },
  time,
}: SlackContext): (notice: Notice) => Promise<SlackMessage> {
  return async ({ workspaceId, subjectId }) => {
    const campaign = await campaigns.findAny(workspaceId, subjectId);
    const missed = campaign === undefined ? [] : await campaigns.lastMissed(campaign);
    if (campaign === undefined || missed.length === 0) {
      const text = mrkdwn`A repeating campaign missed some runs.`;
      return message(text);
    }
    const next = campaign.state === 'repeating' ? await campaigns.nextRun(campaign) : undefined;
    return missedRunsMessage(campaign, missed, { next, now: time.now(), commandPrefix });
  };
}

/** Maximum number of runs to list. */
const maxNamed = 10;

/** Runs that were missed together. `next`: when the next run starts, or when the late one started. */
export function missedRunsMessage(
  { name, zone }: Campaign,
  missed: readonly Campaign[],
  { next, now, commandPrefix }: { next: Date | undefined; now: Date; commandPrefix: string },
): SlackMessage {
  const listOf = (all: readonly Markup[]) =>
    joinWords([
      ...all.slice(0, maxNamed),
      ...(all.length > maxNamed ? [mrkdwn`${formatCount(all.length - maxNamed)} more`] : []),
    ]);
  const times = missed.flatMap(({ occurrence }) =>
    occurrence === undefined ? [] : startWithLagos(occurrence.at, zone),
  );
  // Edited runs: drafts that replaced a run, and runs at another time than scheduled.
  const edited = missed
    .filter((run) => run.retryOf === undefined || run.startAt?.getTime() !== run.occurrence?.at.getTime())
    .map((run) => mrkdwn`*${brief(run.name)}*`);
  const them = edited.length === 1 ? 'it' : 'them';
  const text = mrkdwn`*${brief(name)}:* ${pluralize(missed.length, 'run')} missed. Nothing was sent for ${missed.length === 1 ? 'it' : 'them'}.`;
  return message(text, [
    section(text),
    section(listOf(times)),
    ...(edited.length === 0
      ? []
      : [
          section(
            mrkdwn`Edited, but not sent: ${listOf(edited)}. To start ${them} anyway, type \`/${commandPrefix}sms bulk list\`.`,
          ),
        ]),
    context(
      mrkdwn`Switchboard was down at the time, or the server’s clock was wrong. Only the latest run can still be sent: during the day, and if the next one is more than 12 hours away.`,
      ...(next === undefined
        ? []
        : [mrkdwn`${next > now ? 'Next run' : 'Sent late'}: ${startWithLagos(next, zone)}.`]),
    ),
  ]);
}

/** Where a campaign's message is. */
export interface MessagePlacement {
  message?: { channel: string; ts: string } | undefined;
  /** Whether Slack refused to post it to the campaign's creator. */
  refused?: boolean | undefined;
}

/**
 * Updates the message of a campaign, or posts the first one: in the chosen channel, otherwise to the creator.
 * The placement is updated. Throws if it should be tried again.
 */
export async function showCampaign(
  context: SlackContext,
  placement: MessagePlacement,
  campaign: Campaign,
  notice: Notice,
): Promise<void> {
  const { posting, services, store } = context;
  const content = await contentOf(context, campaign);
  const posted = campaign.message ?? placement.message;
  if (posted !== undefined) {
    const remarks = posted.channel === notice.channelId ? [] : remarksOn(notice);
    if (await updateMessage(context, campaign.workspaceId, posted, withRemarks(content, remarks))) {
      return;
    }
  }
  const attempted = await deliverNotice(context, notice, async (channelId, remarks) => {
    const { workspaceId, userId } = notice;
    const destination = channelId ?? (await posting.openConversation(workspaceId, userId));
    const shown = withRemarks(content, remarks);
    const { channel, ts } = await posting.postMessage(workspaceId, destination, shown);
    if (ts !== undefined) {
      const message = { channel, ts };
      placement.message = message;
      await store.outbox.posted(notice, () => services.campaigns.setProgressMessage(campaign, message));
    }
  });
  placement.refused = attempted === undefined;
  if (attempted !== undefined) {
    await store.outbox.record(notice, attempted);
  }
}

/** Adds reports that came since the end. A deleted message stays deleted. Throws if it should be tried again. */
export async function showReports(context: SlackContext, campaign: Campaign): Promise<void> {
  if (campaign.message !== undefined) {
    const content = await contentOf(context, campaign);
    await updateMessage(context, campaign.workspaceId, campaign.message, content);
  }
}

/** Updates the message of a campaign that is a draft again, if it has one, for the last time. Throws as `showReports` does. */
export async function showUnscheduled(
  context: SlackContext,
  placement: MessagePlacement,
  campaign: Campaign,
): Promise<void> {
  const posted = placement.message ?? campaign.message;
  if (posted !== undefined) {
    await updateMessage(context, campaign.workspaceId, posted, unscheduledMessage(campaign));
  }
}

async function contentOf(
  { services: { campaigns, costs, providerHistory } }: SlackContext,
  campaign: Campaign,
): Promise<SlackMessage> {
  const charges = await costs.ofCampaign(campaign);
  const failures = await campaigns.failuresOf(campaign);
  const canAsk = providerHistory.isOn;
  const to = await campaigns.recipientsOfMessage(campaign);
  return campaignStatusMessage(campaign, campaigns.throughput(campaign), { charges, failures, canAsk, to });
}

type CampaignRef = Pick<Campaign, 'workspaceId' | 'id'>;

/**
 * Adds a notice of a campaign's end for its creator to the outbox: an update of the progress message notifies nobody, a
 * reply to it does. A notice of a pause is added by the store, with the pause.
 */
export function addCreatorNotice({ store: { outbox } }: SlackContext, campaign: Campaign): Promise<void> {
  return outbox.add({ ...keyOf(campaign), userId: campaign.createdBy, channelId: campaign.channelId });
}

/** Delivers the notice in the outbox, if there is one, as the campaign is now. */
export async function notifyCreator(context: SlackContext, { workspaceId, id }: CampaignRef): Promise<void> {
  const { services, store, log } = context;
  const campaign = await services.campaigns.findAny(workspaceId, id);
  if (campaign === undefined) {
    return;
  }
  try {
    await store.outbox.deliver(keyOf(campaign), async (notice) => {
      // Nothing to say: somebody has resumed or cancelled it meanwhile, or the notice of restored data covers it.
      if (endedUnseen(campaign) || (needsAttention(campaign) && !isHeld(campaign))) {
        await post(context, campaign, notice);
      }
    });
  } catch (error) {
    log.warn(
      { err: error, campaign: id },
      'a creator could not be notified yet that a campaign paused or ended',
    );
  }
}

async function post(context: SlackContext, campaign: Campaign, notice: Notice): Promise<void> {
  const { posting } = context;
  const { workspaceId, createdBy, name, message: progressMessage } = campaign;
  // Without a message to reply to in the channel, the creator gets a direct message.
  const channelId = progressMessage?.channel === notice.channelId ? notice.channelId : undefined;
  const change = describeChange(campaign);
  const what = wordFor(campaign);
  const reply = mrkdwn`${userMention(createdBy)} Your ${what} ${change}.`;
  const ownMessage = mrkdwn`*${brief(name)}*: your ${what} ${change}.`;
  await deliverNotice(context, { ...notice, channelId }, async (postIn, remarks) => {
    const repliedTo = postIn === channelId ? progressMessage : undefined;
    const destination = postIn ?? (await posting.openConversation(workspaceId, createdBy));
    const text = repliedTo === undefined ? ownMessage : reply;
    const content = withRemarks(message(text), remarks);
    await posting.postMessage(workspaceId, destination, content, repliedTo && { ts: repliedTo.ts });
  });
}

function keyOf({ workspaceId, id }: CampaignRef): NoticeKey {
  return { workspaceId, subject: 'campaign_news', subjectId: id };
}

function describeChange(campaign: Campaign): string {
  const { state, counts } = campaign;
  if (isEmptied(campaign)) {
    return `has ended: no recipients left, all of them ${whyRemoved(counts)}`;
  }
  if (state === 'missed') {
    return 'missed its start. Nothing was sent';
  }
  if (state === 'paused') {
    return `is paused: ${pauseReason(campaign)}`;
  }
  const { accepted, recipients, rejected, unconfirmed } = counts;
  if (campaign.isMessage && recipients === 1 && accepted === 0) {
    return rejected === 1
      ? 'was rejected: nothing was sent'
      : 'is unconfirmed: it may or may not have been sent';
  }
  const others = present(
    rejected > 0 && `, ${formatCount(rejected)} rejected`,
    unconfirmed > 0 && `, ${formatCount(unconfirmed)} unconfirmed`,
  );
  return `is done: sent to ${formatCount(accepted)} of ${pluralize(recipients, 'recipient')}${others.join('')}`;
}
