import { PersonalText } from '../../domain/access/private-values.ts';
import { describeReason } from '../../provider/response/error-messages.ts';
import { Refusal, type RefusalReason } from '../../services/refusal.ts';
import { notConnected } from '../../services/workspaces/workspaces.ts';
import { nobodyLeft } from '../block-kit/descriptions/campaign-counts.ts';
import { describeNewVersion } from '../block-kit/descriptions/changes.ts';
import { describeReached } from '../block-kit/descriptions/limits.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';

export const cancelledMessage = 'You cancelled this message. Nothing was sent. Start again with the command.';

/** The explanation of each refusal, for every screen. */
export function explainRefusal(reason: RefusalReason, nothingDone = '', commandPrefix = ''): Markup {
  const undone = nothingDone === '' ? '' : ` ${nothingDone}`;
  switch (reason.kind) {
    case 'not_connected':
      return mrkdwn`${notConnected}.${undone} An admin can connect it.`;
    case 'limited':
      return describeReached(reason.limit, nothingDone);
    case 'failed':
      return mrkdwn`${new PersonalText(reason.error.message)}`;
    case 'cancelled':
      return reason.of === 'sms.send' ? mrkdwn`${cancelledMessage}` : mrkdwn`You cancelled this.${undone}`;
    case 'gone':
      return goneTexts[reason.what];
    case 'changed':
      return describeNewVersion(reason.shownVersion, reason.campaign);
    case 'nobody_left':
      return nobodyLeft(reason.campaign);
    case 'incomplete':
      return mrkdwn`This draft can’t be sent as it is. Nothing was sent. Choose *Edit*, or start again with the command.`;
    case 'purchases_off':
      return mrkdwn`Buying eSIMs is turned off here, so nothing was bought. \`/${commandPrefix}esim\` still lists plans and eSIMs.`;
    case 'no_email_configuration':
      return mrkdwn`The email configuration was removed.${undone}`;
    case 'person_unknown':
      return mrkdwn`Slack didn’t say whether the person who asked may still do this.${undone} Try again in a minute.`;
    case 'unavailable':
      return mrkdwn`The provider didn’t say whether the price is still the same.${undone} Try again in a minute.`;
    case 'price_unknown':
      return mrkdwn`${describeReason(reason.error).happened} The price couldn’t be checked, and whether this needs approval depends on it. Nothing was bought. Try again.`;
  }
}

/** Shown instead of a list that was refused. */
export function unreadText(reason: Extract<RefusalReason, { kind: 'not_connected' | 'failed' }>): Markup {
  const why = explainRefusal(reason);
  return reason.kind === 'failed' ? mrkdwn`${stateIcons.failed} ${why}` : why;
}

const goneTexts: Readonly<Record<Extract<RefusalReason, { kind: 'gone' }>['what'], Markup>> = {
  draft: mrkdwn`This draft has expired: drafts are kept for a day. Nothing was sent. Start again with the command.`,
  upload: mrkdwn`This review is too old, so nothing was uploaded. Upload the file again.`,
  link: mrkdwn`This link doesn’t work. It may be incomplete, or too old.`,
  // The same for another user's campaign, so that an id alone reveals nothing.
  campaign: mrkdwn`This campaign is gone, or isn’t yours. Its creator and admins can do this.`,
  review: mrkdwn`This review is gone: the campaign was started or discarded, or the review is more than 7 days old. See *Campaigns* on Switchboard’s Home.`,
  plan: mrkdwn`*This plan is no longer for sale.* Nothing was bought. Choose another plan.`,
  // The same for an entry that isn’t this user’s.
  entry: mrkdwn`This entry is no longer in your history.`,
  thread: mrkdwn`These messages have been deleted, or belong to another workspace. Nothing was sent or changed.`,
  message: mrkdwn`This message is gone, or isn’t yours.`,
};

const finalKinds: ReadonlySet<RefusalReason['kind']> = new Set([
  'cancelled',
  'gone',
  'changed',
  'nobody_left',
  'purchases_off',
  'incomplete',
]);

/** Whether the same request can never succeed. */
export function isFinalRefusal({ reason }: Refusal): boolean {
  return finalKinds.has(reason.kind);
}

/** For a user who has closed the modal that would ask again. `nothingDone` is a sentence: *Nothing was sent.* */
export const changedSinceShown = (nothingDone: string): Markup =>
  mrkdwn`*${nothingDone}* Something has changed since you looked at it. Open it again to decide.`;

/** Returns a handler for `catch`: a refusal says what did not happen. `nothingDone` is a sentence: *Nothing was sent.* */
export const addToRefusal =
  (nothingDone: string) =>
  (error: unknown): never => {
    throw error instanceof Refusal ? new Refusal(error.reason, nothingDone) : error;
  };
