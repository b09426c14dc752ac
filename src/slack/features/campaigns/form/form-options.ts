import { ownId } from '../../../../domain/access/ownership.ts';
import type { AudienceSize } from '../../../../services/campaigns/import/audiences.ts';
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
  { recipientsOf, audience }: CampaignFormInput,
  { id }: FormMetadata,
): Promise<FormOptions> {
  const hasTemplates = await templates.areAny(user.workspaceId);
  const shared = { zone: user.zone, unicode, optOutAddress, hasTemplates };
  // Recipients of another campaign are not chosen here.
  if (recipientsOf !== undefined) {
    return { ...shared, phonebooks: [], campaigns: [] };
  }
  const asker = campaignUser(user);
  // The draft of this form is replaced by it.
  const except = ownId(user.userId, id);
  const recent = await campaigns.usable(asker, { limit: limits.options, except });
  const isOlder = audience?.campaign !== undefined && !recent.some((each) => each.id === audience.campaign);
  const older = isOlder ? await campaigns.find(asker, audience.campaign ?? '') : undefined;
  return {
    ...shared,
    phonebooks: await phonebooks.list(user.workspaceId),
    campaigns: older === undefined ? recent : [older, ...recent.slice(0, limits.options - 1)],
  };
}

/** Progress is shown after this many recipients more. */
const progressStep = 50_000;

/**
 * Counts the audience of a form, which is counted for the form's id. Returns the line that says its size; undefined where
 * another one has taken its place in the form.
 */
export async function countAudience(
  { services: { campaigns } }: AppContext,
  user: User,
  {
    form,
    id,
    counting,
  }: { form: CampaignFormInput; id: string; counting: (line: string) => Promise<unknown> },
): Promise<string | undefined> {
  const chosen = chosenAudience(form.audience);
  const found = chosen && (await campaigns.findAudience(campaignUser(user), chosen));
  if (found?.kind !== 'found') {
    return found?.reason;
  }
  const total = found.source.campaign.counts.recipients;
  const progress = showProgress(
    (read) => counting(`Counting… ${formatCount(read)} of ${formatCount(total)}.`),
    progressStep,
    total,
  );
  const asker = ownId(user.userId, id);
  const counted = await campaigns
    .countAudience(found.source, { asker, onProgress: progress.report })
    .finally(progress.settled);
  switch (counted.kind) {
    case 'counted':
      return describeSize(counted.size);
    case 'unusable':
      return counted.reason;
    case 'replaced':
      return undefined;
  }
}

function describeSize({ recipients, suppressed }: AudienceSize): string {
  const left = suppressed === 0 ? '' : ` Left out: ${formatCount(suppressed)} on the do-not-contact list.`;
  return `${pluralize(recipients, 'recipient')}.${left}`;
}
