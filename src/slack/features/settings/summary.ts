import type { KnownBlock } from '@slack/types';
import { roles } from '../../../domain/access/roles.ts';
import { deliveryRuleNames } from '../../../domain/deliveries/delivery-rules.ts';
import { routeTitles } from '../../../domain/messages/routes.ts';
import { countryName } from '../../../domain/phone/countries.ts';
import type { AccessSettings } from '../../../services/access/access.ts';

import type { Services } from '../../../services/services.ts';
import { button, header, present, section } from '../../block-kit/build.ts';
import { describeBalance } from '../../block-kit/descriptions/costs.ts';
import { roleNames } from '../../block-kit/descriptions/workspace.ts';
import { brief } from '../../block-kit/limits.ts';
import { formatCount, formatDuration, formatHour, formatMoney, pluralize } from '../../block-kit/plural.ts';
import { channelMention, joinInline, joinWords, type Markup, mrkdwn } from '../../block-kit/text.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { openCodeDefaultsAction, openDeliveryChecksAction } from './sending.ts';

/** What is set in a workspace, by the screen that changes it. */
type SettingsSummary = Awaited<ReturnType<typeof readSettingsSummary>>;

/** Reads it from the store alone: a modal that waits for the provider may miss Slack's deadline. */
export async function readSettingsSummary(services: Services, workspaceId: string) {
  const { workspaces, limits } = services;
  const [
    balance,
    watched,
    access,
    phonebooks,
    codes,
    rulesOff,
    reports,
    replies,
    approvals,
    { pages },
    used,
    defaults,
  ] = await Promise.all([
    services.costs.balance(workspaceId),
    services.watchers.settings.read(workspaceId),
    services.access.settings(workspaceId),
    services.phonebooks.list(workspaceId),
    workspaces.codeDefaults(workspaceId),
    workspaces.rulesOff(workspaceId),
    services.reports.settings(workspaceId),
    services.replies.settings.read(workspaceId),
    services.approvals.settings(workspaceId),
    limits.workspace.read(workspaceId),
    limits.pagesUsed(workspaceId),
    workspaces.defaults(workspaceId),
  ]);
  return {
    balance,
    watched,
    access,
    phonebooks,
    codes,
    rulesOff,
    reports,
    replies,
    approvals,
    pages,
    used,
    defaults,
  };
}

/** What an admin can open, in groups. `account` begins the first. `reportsAreOn`: whether anything comes in. */
export function summaryBlocks(
  summary: SettingsSummary,
  account: readonly KnownBlock[],
  { isConnected, reportsAreOn, now }: { isConnected: boolean; reportsAreOn: boolean; now: Date },
): KnownBlock[] {
  const { watched, codes, rulesOff, replies, approvals, pages, used, defaults } = summary;
  const balance = summary.balance === undefined ? mrkdwn`not known yet` : describeBalance(summary.balance);

  const below = watched?.off.includes('balance') ? undefined : watched?.below;
  const watchers =
    watched === undefined
      ? mrkdwn`no channel yet`
      : joinInline([
          channelMention(watched.channelId),
          mrkdwn`digest at ${formatHour(watched.hour)}`,
          ...present(below !== undefined && mrkdwn`balance below ${formatMoney(below)}`),
        ]);

  const from = codes.senderId === undefined ? mrkdwn`` : mrkdwn`from ${codes.senderId} · `;
  const codeDefaults = mrkdwn`${from}${pluralize(codes.length, 'character')} · expire after ${pluralize(codes.minutes, 'minute')}`;
  const all = deliveryRuleNames.length;
  const checks =
    rulesOff.length === 0 ? mrkdwn`all ${all} on` : mrkdwn`${all - rulesOff.length} of ${all} on`;
  const repliesIn = replies === undefined ? mrkdwn`no channel yet` : channelMention(replies.channelId);
  const { senderId, route, country } = defaults;
  const sending = [
    changed(
      'Defaults',
      joinInline(
        present(
          senderId !== undefined && mrkdwn`${senderId}`,
          mrkdwn`${routeTitles[route]}`,
          mrkdwn`${countryName(country)}`,
        ),
      ),
      openActions.defaults,
    ),
    ...(isConnected
      ? [
          changed('Phonebooks', describePhonebooks(summary), openActions.phonebooks),
          changed('One-time codes', codeDefaults, openCodeDefaultsAction),
          changed('Delivery checks', checks, openDeliveryChecksAction),
        ]
      : []),
    ...(reportsAreOn
      ? [
          opened('Reports', describeReports(summary, now), openActions.reports, 'Open reports'),
          changed('Replies', repliesIn, openActions.replySettings),
        ]
      : []),
  ];

  const { recipients, price } = approvals;
  const needApproval = present(
    recipients !== undefined && mrkdwn`campaigns over ${formatCount(recipients)}`,
    price !== undefined &&
      (Number(price) === 0 ? mrkdwn`eSIM purchases` : mrkdwn`eSIM purchases over ${formatMoney(price)}`),
  );
  const approved = needApproval.length === 0 ? mrkdwn`off` : joinInline(needApproval);
  const budgets = present(
    pages.day !== undefined && mrkdwn`${pluralize(pages.day, 'page')} a day, ${formatCount(used.day)} used`,
    pages.month !== undefined &&
      mrkdwn`${pluralize(pages.month, 'page')} a month, ${formatCount(used.month)} used`,
  );
  const limits =
    budgets.length === 0
      ? mrkdwn`no page budget, ${pluralize(used.month, 'page')} this month`
      : joinInline(budgets);

  return [
    header('Account'),
    ...account,
    ...present(isConnected && opened('Balance', balance, openActions.balance, 'Open the balance')),
    changed('Alerts', watchers, openActions.watchers),
    header('People'),
    changed('Roles', describeAccess(summary.access), openActions.roles),
    header('Sending'),
    ...sending,
    header('Safety'),
    ...present(isConnected && changed('Approvals', approved, openActions.approvalSettings)),
    changed('Limits', limits, openActions.limits),
    opened('Audit log', mrkdwn`who did what, and when`, openActions.audit, 'Open the audit log'),
    section(
      mrkdwn`*Personal data:* export or erase it`,
      button(openActions.erasure, 'Open', { label: 'Open personal data' }),
    ),
  ];
}

function opened(name: string, set: Markup, actionId: string, label: string): KnownBlock {
  return section(mrkdwn`*${name}:* ${set}`, button(actionId, 'Open', { label }));
}

function changed(name: string, set: Markup, actionId: string): KnownBlock {
  const label = `Change ${name.toLowerCase()}`;
  return section(mrkdwn`*${name}:* ${set}`, button(actionId, 'Change', { label }));
}

/** Who has each role that somebody has. */
function describeAccess({ grants, origin }: AccessSettings): Markup {
  const named = roles.flatMap((role) => {
    const to = Map.groupBy(
      grants.filter((grant) => grant.role === role),
      (grant) => grant.to.kind,
    );
    const groups = to.get('group')?.length ?? 0;
    const people = to.get('person')?.length ?? 0;
    const whom = present(
      to.has('everyone') && 'everyone',
      groups > 0 && pluralize(groups, 'user group'),
      people > 0 && pluralize(people, 'person', 'people'),
    );
    return whom.length === 0 ? [] : [mrkdwn`${roleNames[role]} (${whom.join(', ')})`];
  });
  const whoHas = named.length === 0 ? mrkdwn`only admins of this Slack workspace` : joinInline(named);
  return origin === 'set' ? whoHas : mrkdwn`not set yet · ${whoHas}`;
}

/** Phonebooks that are named; their screen has the others. */
const maxNamed = 3;

function describePhonebooks({ phonebooks }: SettingsSummary): Markup {
  const more = phonebooks.length - maxNamed;
  return phonebooks.length === 0
    ? mrkdwn`none yet`
    : joinWords([
        ...phonebooks.slice(0, maxNamed).map(({ name }) => mrkdwn`${brief(name)}`),
        ...(more > 0 ? [mrkdwn`${formatCount(more)} more`] : []),
      ]);
}

function describeReports({ reports }: SettingsSummary, now: Date): Markup {
  const { token, hasKey, lastReceived } = reports;
  if (token === undefined) {
    return mrkdwn`not set up`;
  }
  if (!hasKey) {
    return mrkdwn`the signing secret is missing`;
  }
  return lastReceived === undefined
    ? mrkdwn`none yet`
    : mrkdwn`last one ${formatDuration(now.getTime() - lastReceived.getTime())} ago`;
}
