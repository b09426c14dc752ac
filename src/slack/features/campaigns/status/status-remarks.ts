import { noCountry } from '../../../../domain/limits/number-country.ts';
import { isBilledByPage, routeSchema } from '../../../../domain/messages/routes.ts';
import type { CampaignThroughput } from '../../../../services/campaigns/sending/running-campaigns.ts';
import type { CostOfRest } from '../../../../services/costs/estimate.ts';
import { describeFailure } from '../../../../services/operations/outcomes.ts';
import type { Campaign, CampaignPause } from '../../../../store/campaigns/campaigns.ts';
import { present } from '../../../block-kit/build.ts';
import { startWithLagos, wordFor } from '../../../block-kit/descriptions/campaign-counts.ts';
import { countryLabel } from '../../../block-kit/inputs/countries.ts';
import { formatDuration, formatMoney, formatPrice, pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../../block-kit/text.ts';
import { isOver } from './campaign-state.ts';

/** What the user should know beyond the counts. */
export function statusRemarks(
  campaign: Campaign,
  throughput: CampaignThroughput,
  rest: CostOfRest | undefined,
): Markup[] {
  const { state, counts, pause, latestStart, startAt, startedAt, lastActionBy, zone } = campaign;
  const isPausedByProvider = state === 'paused' && pause?.by === 'provider';
  const late = startAt !== undefined && startedAt !== undefined ? startedAt.getTime() - startAt.getTime() : 0;
  return present(
    state === 'paused' && pauseReason(campaign, rest),
    state === 'repeating' &&
      startAt !== undefined &&
      mrkdwn`Each run appears as its own campaign 12 hours ahead. Next to appear: the run ${startWithLagos(startAt, zone)}.`,
    state === 'running' &&
      throughput.waitsUntil !== undefined &&
      mrkdwn`${stateIcons.underway} *Waiting until ${timeFor(throughput.waitsUntil)}.* ${throughput.lastProblem === undefined ? '' : describeFailure(throughput.lastProblem).happened}`,
    state === 'running' &&
      rest?.isShort === true &&
      mrkdwn`${stateIcons.unconfirmed} *The balance is too low for the rest.* ${describeRest(campaign, rest)} The campaign pauses when the balance runs out.`,
    state === 'missed' &&
      startAt !== undefined &&
      latestStart !== undefined &&
      mrkdwn`Scheduled for ${timeFor(startAt)}, latest start ${timeFor(latestStart)}. ${whyLate}`,
    state === 'missed' &&
      startAt !== undefined &&
      latestStart === undefined &&
      mrkdwn`Scheduled for ${timeFor(startAt)}. ${whyLate}`,
    late > lateAfter && mrkdwn`:alarm_clock: Started ${formatDuration(late)} late. ${whyLate}`,
    state === 'running' && lastActionBy !== undefined && mrkdwn`Resumed by ${userMention(lastActionBy)}.`,
    (isOver(campaign) || isPausedByProvider) &&
      counts.unconfirmed > 0 &&
      whatUnconfirmedMeans(counts.unconfirmed),
  );
}

/** In milliseconds: more than a start takes while the program is up. */
const lateAfter = 2 * 60_000;
/** Which of the two is not known. */
const whyLate = 'Switchboard was down at the time, or the server’s clock was wrong.';

function whatUnconfirmedMeans(count: number): Markup {
  return count === 1
    ? mrkdwn`:warning: The *unconfirmed* recipient may or may not have got the message. Switchboard won’t resend it. Before you do, check with the recipient or in the provider’s dashboard.`
    : mrkdwn`:warning: *Unconfirmed* recipients may or may not have got the message. Switchboard won’t resend it. Before you do, check with some of them or in the provider’s dashboard.`;
}

/** Why a campaign is paused: the cause, unless a user paused it; the needs of the rest; and how to go on. */
function pauseReason(campaign: Campaign, rest: CostOfRest | undefined): Markup {
  const { pause, senderId, state } = campaign;
  if (pause?.isEdited === true) {
    return mrkdwn`The sender ID is now *${senderId}*. Review the campaign before you resume it.`;
  }
  if (pause?.by === 'person') {
    return mrkdwn`Nothing more is sent until somebody resumes the ${wordFor(campaign)}.`;
  }
  if (pause?.countries !== undefined) {
    return countriesReason({ ...pause, countries: pause.countries });
  }
  const { happened, next } = describeFailure(pause?.error);
  const how = resumeHint(pause?.error?.reason) ?? next;
  const lacksBalance = state === 'paused' && pause?.error?.reason === balanceTooLow;
  const needed = rest !== undefined && lacksBalance && describeRest(campaign, rest);
  return mrkdwn`${present(mrkdwn`${stateIcons.unconfirmed} ${happened}`, needed, mrkdwn`${how}`)}`;
}

/** Names the refused countries, and how many recipients that affects. */
function countriesReason({
  countries,
  areLeftOut = false,
  leftOut = 0,
}: Omit<CampaignPause, 'countries'> & { countries: Readonly<Record<string, number>> }): Markup {
  const codes = Object.keys(countries);
  const names = new Intl.ListFormat('en').format(
    codes.map((code) => (code === noCountry ? 'an unknown country' : countryLabel(code))),
  );
  const count = Object.values(countries).reduce((sum, numbers) => sum + numbers, 0);
  const happened = mrkdwn`${stateIcons.unconfirmed} ${names} ${codes.length === 1 ? 'is' : 'are'} not active on the account.`;
  const isOver = areLeftOut || count === 0;
  const rejected = isOver && leftOut === 0 ? count : leftOut;
  const done =
    rejected === 0
      ? ''
      : `${pluralize(rejected, 'number was', 'numbers were')} skipped, and count as rejected. `;
  if (isOver) {
    return mrkdwn`${happened}\n${done}Resume to send to the others.`;
  }
  const waiting =
    leftOut === 0
      ? pluralize(count, 'number is waiting', 'numbers are waiting')
      : pluralize(
          count,
          'number was in a request that hadn’t finished',
          'numbers were in requests that hadn’t finished',
        );
  return mrkdwn`${happened}\n${done}${waiting}: skip ${count === 1 ? 'it' : 'them'} and resume. Or ask the provider to activate ${codes.length === 1 ? 'the country' : 'the countries'}, and try again.`;
}

function describeRest({ route }: Campaign, { recipients, total, perPage }: CostOfRest): Markup {
  const unit = isBilledByPage(routeSchema.parse(route)) ? 'a page' : 'each';
  return mrkdwn`The rest needs about ${formatMoney(total)} for ${pluralize(recipients, 'recipient')} at ${formatPrice(perPage)} ${unit}.`;
}

const balanceTooLow = 'balance_too_low';

/** A campaign's route can't change once it has started. */
function resumeHint(reason: string | undefined): string | undefined {
  switch (reason) {
    case balanceTooLow:
      return 'Top up the account, then resume.';
    case 'bad_key':
      return 'Ask an admin to reconnect the provider, or your operator to check its address, then resume.';
    case 'account_inactive':
      return 'Ask the provider to activate the account, then resume.';
    case 'sender_id_unknown':
      return 'Change the sender ID, or resume once the provider has approved it. Or cancel.';
    case 'no_route':
      return 'Resume once the provider has activated the route. Or cancel, and follow up on another route.';
    case 'device_unknown':
      return 'Change the device, or check at the provider that it is connected, then resume. Or cancel.';
    case 'device_limit':
      return 'Change the device, or resume tomorrow. Or cancel.';
    case 'budget':
    case 'country':
    case 'not_connected':
    case 'unclear_answers':
    case 'restored':
    case 'not_permitted':
    case 'quiet_hours':
    case 'sender_inactive':
    case 'approval_needed':
      return undefined;
    default:
      return 'Fix the cause, then resume. Or cancel.';
  }
}
