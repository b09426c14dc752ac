import { ownId } from '../../../../domain/access/ownership.ts';
import { limits } from '../../../block-kit/limits.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Viewer } from '../../../navigation/navigation.ts';
import { showProgress } from '../../../notifier/progress.ts';
import { campaignUser } from '../actions.ts';
import { chosenAudience } from './audience-fields.ts';
import type { CampaignFormInput, FormMetadata, FormOptions } from './form-view.ts';

/** Returns what a form offers. */
export async function formOptions(
  { services: { phonebooks, campaigns, templates, unicode, optOutAddress } }: Pick<AppContext, 'services'>,
  user: Viewer,
  { source, recipientsOf, audience }: CampaignFormInput,
  { id }: FormMetadata,
): Promise<FormOptions> {
  const hasTemplates = await templates.areAny(user.workspaceId);
  const shared = { zone: user.zone, unicode, optOutAddress, hasTemplates };
  // Recipients of another campaign are not chosen here.
  if (recipientsOf !== undefined) {
    return { ...shared, phonebooks: [], campaigns: [] };
  }
  // Of another source, it is asked only whether there are any.
  const recent = await campaigns.usable(campaignUser(user), source === 'campaign' ? limits.options : 5);
  // The draft of this form is replaced by it.
  const others = recent.filter((campaign) => campaign.id !== ownId(user.userId, id));
  const chosen = source === 'campaign' ? audience?.campaign : undefined;
  const older =
    chosen !== undefined && !others.some((campaign) => campaign.id === chosen)
      ? await campaigns.find(campaignUser(user), chosen)
      : undefined;
  return {
    ...shared,
    phonebooks: await phonebooks.list(user.workspaceId),
    campaigns: older === undefined ? others : [older, ...others.slice(0, limits.options - 1)],
  };
}

/** Progress is shown after this many recipients more. */
const progressStep = 25_000;

/**
 * Counts the audience of a form. Returns the line that says its size.
 *
 * @param show shows how far that is; once it resolves with false, nobody waits for the result any more
 */
export async function countAudience(
  { services: { campaigns } }: AppContext,
  user: User,
  { audience }: CampaignFormInput,
  show: (line: string) => Promise<boolean>,
): Promise<string> {
  const chosen = chosenAudience(audience);
  const found = chosen && (await campaigns.findAudience(campaignUser(user), chosen));
  if (found?.ok !== true) {
    return found?.reason ?? '';
  }
  const unwanted = new AbortController();
  const total = found.source.campaign.counts.recipients;
  const showRead = async (read: number) => {
    if (!(await show(`Counting… ${formatCount(read)} of ${formatCount(total)}.`))) {
      unwanted.abort();
    }
  };
  const progress = showProgress(showRead, progressStep, total);
  const counted = await campaigns
    .countAudience(found.source, { onProgress: progress.report, signal: unwanted.signal })
    .finally(progress.settled);
  if (!counted.ok) {
    return counted.reason;
  }
  const { recipients, suppressed } = counted;
  const left = suppressed === 0 ? '' : ` Skipped: ${formatCount(suppressed)} on the do-not-contact list.`;
  return `${pluralize(recipients, 'recipient')}.${left}`;
}
