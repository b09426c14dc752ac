import type { Button } from '@slack/types';
import { readMoney, writeMoney } from '../../../domain/money/money.ts';
import { describeFailure } from '../../../services/operations/outcomes.ts';
import type { ShownWatch } from '../../../services/watch/watchers.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Notice } from '../../../store/outbox/notices.ts';
import type { ReplyThread } from '../../../store/replies/reply-threads.ts';
import { watchNotice } from '../../../store/watch/watches.ts';
import {
  actions,
  button,
  context as contextBlock,
  header,
  lines,
  present,
  section,
} from '../../block-kit/build.ts';
import { requestHeadline } from '../../block-kit/descriptions/approval-request.ts';
import { brief } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { formatCount, formatMoney, formatPercent, routeTitle } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { updateMessage } from '../../client/update-message.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { createUserNotices, deliverNotice, withRemarks } from '../../notifier/notices.ts';

export const muteActions = { mute: 'watch_mute', unmute: 'watch_unmute' } as const;

type WatchContext = Pick<SlackContext, 'services' | 'store' | 'posting' | 'clients' | 'log'>;

/** Lines of a digest; of others there is their number. */
const maxLines = 30;

/**
 * What is watched has one message from when it is raised until it is over: posted once, and changed from then on. The digest
 * is a message of its own. It is called for the outbox.
 */
export function createWatchNotices(context: WatchContext) {
  const { services, store, posting } = context;
  const { watchers } = services;

  async function digest({ workspaceId }: Notice): Promise<SlackMessage> {
    const rows = await watchers.digest(workspaceId);
    const titled = await Promise.all(
      rows.map(async (row) => ({ row, title: await describeWatch(context, row) })),
    );
    const open = titled.filter(({ row }) => row.state === 'raised');
    const others = titled.filter(({ row }) => row.state !== 'raised');
    const count = mrkdwn`*Daily digest:* ${formatCount(open.length)} open, ${formatCount(others.length)} closed in the last 24 hours.`;
    const setBy = titled.find(({ row }) => row.setBy !== undefined)?.row.setBy;
    return message(count, [
      header('Daily digest'),
      section(count),
      ...lines(
        listed(open, ({ row, title }) => mrkdwn`${iconOf(row)} ${title}\nSince ${timeFor(row.since)}`),
      ),
      ...lines(listed(others, ({ row, title }) => mrkdwn`${iconOf(row)} ${title}\n${endOf(row)}`)),
      ...present(setBy !== undefined && contextBlock(mrkdwn`Alerts turned on by ${userMention(setBy)}`)),
    ]);
  }

  return {
    async watch(key: Notice): Promise<void> {
      await store.outbox.deliver(key, async (notice) => {
        const { workspaceId, userId } = notice;
        const watch = await watchers.find(workspaceId, notice.subjectId);
        if (watch === undefined || watch.isShown) {
          return;
        }
        const content = watchMessage(watch, await describeWatch(context, watch), userId);
        if (watch.message !== undefined) {
          await updateMessage(context, workspaceId, watch.message, content);
        } else if (watch.isWatched) {
          await deliverNotice(context, notice, async (channelId, remarks) => {
            const destination = channelId ?? (await posting.openConversation(workspaceId, userId));
            const { channel, ts } = await posting.postMessage(
              workspaceId,
              destination,
              withRemarks(content, remarks),
            );
            if (ts !== undefined) {
              await store.outbox.posted(notice, () => store.watches.setMessage(watch, { channel, ts }));
            }
          });
        }
        await store.watches.setShown(watch);
      });
    },
    digest: createUserNotices(context, digest),
  };
}

interface Titled {
  row: ShownWatch;
  title: Markup;
}

/** @param userId who switched watchers on, or off */
function watchMessage(watch: ShownWatch, title: Markup, userId: string): SlackMessage {
  const { state, since, changedAt, mutedBy, setBy, kind } = watch;
  const text = mrkdwn`${iconOf(watch)} ${title}`;
  const isChanged = state === 'raised' && changedAt > since;
  return message(text, [
    section(text),
    contextBlock(
      joinInline(
        present(
          kind !== 'sender_id' && mrkdwn`Since ${timeFor(since)}`,
          isChanged && mrkdwn`updated ${timeFor(changedAt)}`,
          state === 'cleared' && endOf(watch),
          mutedBy !== undefined && mrkdwn`Muted by ${userMention(mutedBy)} until it’s resolved`,
          setBy === undefined
            ? mrkdwn`Alerts turned off by ${userMention(userId)}`
            : mrkdwn`Alerts turned on by ${userMention(setBy)}`,
        ),
      ),
    ),
    ...present(buttonsOf(watch).length > 0 && actions('watch', ...buttonsOf(watch))),
  ]);
}

const iconOf = ({ kind, state, facts }: ShownWatch): Markup => {
  if (kind === 'sender_id') {
    return facts.step === 'active' ? stateIcons.done : stateIcons.blocked;
  }
  return state === 'raised' ? stateIcons.unconfirmed : stateIcons.done;
};

function endOf({ kind, isWatched, changedAt }: ShownWatch): Markup {
  if (kind === 'sender_id') {
    return timeFor(changedAt);
  }
  return isWatched
    ? mrkdwn`*Resolved* ${timeFor(changedAt)}`
    : mrkdwn`*Alert turned off* ${timeFor(changedAt)}`;
}

function buttonsOf(watch: ShownWatch): Button[] {
  const { kind, state, subject, mutedBy } = watch;
  const value = watchNotice(watch);
  const open: Partial<Record<ShownWatch['kind'], Button>> = {
    balance: button(openActions.balance, 'Open balance'),
    campaign: button(openActions.campaign, 'Open', { value: idOf(subject), label: 'Open the campaign' }),
    sender_id: button(openActions.senderIds, 'Sender IDs'),
    esim: button(openActions.esimStatus, 'eSIM status'),
  };
  const mute =
    mutedBy === undefined
      ? button(muteActions.mute, 'Mute', { value, label: 'Mute this alert' })
      : button(muteActions.unmute, 'Unmute', { value, label: 'Unmute this alert' });
  return present(open[kind], state === 'raised' && mute);
}

/** What follows the kind in a subject. */
const idOf = (subject: string) => subject.slice(subject.indexOf(':') + 1);

/**
 * The alert, as a title and a sentence; once it is over, how it ended. Names that people chose are read for it,
 * and not kept with it.
 */
async function describeWatch(
  { services, store }: WatchContext,
  { workspaceId, kind, subject, facts, state, isWatched, below = '' }: ShownWatch,
): Promise<Markup> {
  const { step, name = '', amount, share = 0, at } = facts;
  const since = at === undefined ? mrkdwn`` : timeFor(new Date(at));
  const isResolved = state === 'cleared' && isWatched;
  switch (kind) {
    case 'balance': {
      const [level, figure] =
        amount === undefined
          ? ['too low', mrkdwn`the provider refused a request for it, ${since}`]
          : [`below ${inCurrencyOf(amount, below)}`, mrkdwn`${formatMoney(amount)} (${since})`];
      return isResolved
        ? mrkdwn`*Balance was ${level}:* ${figure}.`
        : mrkdwn`*Balance ${level}:* ${figure}. Top up the account at the provider.`;
    }
    case 'provider':
      return isResolved
        ? mrkdwn`*The provider is responding again.* It had been down since ${since}.`
        : mrkdwn`*The provider is down:* no request has been answered since ${since}.`;
    case 'route':
      return mrkdwn`*${routeTitle(name)} messages ${isResolved ? 'were' : 'are'} failing:* ${formatPercent(share)} of those reported in ${isResolved ? 'an' : 'the last'} hour.`;
    case 'campaign': {
      const campaign = await store.campaigns.find(workspaceId, idOf(subject));
      const what = campaign?.isMessage ? 'scheduled message' : 'campaign';
      const which =
        campaign === undefined || campaign.isMessage ? mrkdwn`` : mrkdwn` ${brief(campaign.name)}.`;
      if (isResolved && step === 'approval') {
        const ended = await store.approvals.lastEnded(workspaceId, idOf(subject));
        return mrkdwn`*A ${what} needed approval:*${which}\n${ended && requestHeadline(ended)}`;
      }
      if (isResolved) {
        return mrkdwn`*A ${what} was paused:*${which} ${whoMovedOn(campaign)}`;
      }
      return step === 'approval'
        ? mrkdwn`*A ${what} needs someone:*${which} It needs approval.`
        : mrkdwn`*A ${what} needs someone:*${which} ${describeFailure(campaign?.pause?.error ?? { reason: step.slice('paused '.length) }).happened}`;
    }
    case 'reply': {
      const thread = await services.replies.find(workspaceId, idOf(subject));
      if (isResolved) {
        return mrkdwn`*A reply was waiting* since ${since}. ${thread && howAnswered(thread)}`;
      }
      const by =
        thread?.assignedTo === undefined
          ? mrkdwn``
          : mrkdwn` It is assigned to ${userMention(thread.assignedTo)}.`;
      return mrkdwn`*A reply has been waiting* since ${since}.${by}`;
    }
    case 'sender_id':
      return mrkdwn`*Sender ID ${name}:* ${step}`;
    case 'esim':
      return mrkdwn`*eSIM ${name}:* ${describeEsim({ step, share, isResolved }, since)}`;
  }
}

/** Formats an amount that was typed without a currency, in the currency of another amount. */
function inCurrencyOf(amount: string, typed: string): string {
  return formatMoney(
    writeMoney({ nanos: readMoney(typed)?.nanos ?? 0n, currency: readMoney(amount)?.currency }),
  );
}

function whoMovedOn(campaign: Campaign | undefined): Markup {
  if (campaign?.lastActionBy === undefined) {
    return campaign === undefined ? mrkdwn`It was discarded.` : mrkdwn``;
  }
  const verbs: Partial<Record<Campaign['state'], string>> = { cancelled: 'Cancelled', paused: 'Paused' };
  return mrkdwn`*${verbs[campaign.state] ?? 'Resumed'} by ${userMention(campaign.lastActionBy)}.*`;
}

function howAnswered({ lastBy, state }: ReplyThread): Markup {
  if (lastBy !== undefined) {
    return mrkdwn`*Answered by ${userMention(lastBy)}.*`;
  }
  return state === 'done' ? mrkdwn`*Marked as done.*` : mrkdwn`The customer wrote again.`;
}

/** @param at when it is, or was, too late */
function describeEsim(
  { step, share, isResolved }: { step: string; share: number; isResolved: boolean },
  at: Markup,
): Markup {
  const [is, has] = isResolved ? ['was', 'had'] : ['is', 'has'];
  const texts: Readonly<Record<string, Markup>> = {
    used_up: mrkdwn`all of its data ${is} used`,
    nearly_used: mrkdwn`${formatPercent(share)} of its data ${is} used`,
    activate: mrkdwn`its plan ${has} to be activated by ${at}`,
    activate_over: mrkdwn`its plan was not activated by ${at}`,
    expire: isResolved ? mrkdwn`its plan was to expire ${at}` : mrkdwn`its plan expires ${at}`,
    expire_over: mrkdwn`its plan expired ${at}`,
  };
  return joinInline(step.split(' ').flatMap((each) => texts[each] ?? []));
}

function listed(titled: readonly Titled[], line: (each: Titled) => Markup): Markup[] {
  const more = titled.length - maxLines;
  return [...titled.slice(0, maxLines).map(line), ...(more > 0 ? [mrkdwn`${formatCount(more)} more`] : [])];
}
