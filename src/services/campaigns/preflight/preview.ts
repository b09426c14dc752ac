import { addMilliseconds } from 'date-fns/addMilliseconds';
import { countPages } from '../../../domain/messages/pages.ts';
import { inQuietHours, quietHoursEnd } from '../../../domain/messages/quiet-hours.ts';
import { routeSchema, warningsFor } from '../../../domain/messages/routes.ts';
import { maskNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { Campaign, CampaignRepository } from '../../../store/campaigns/campaigns.ts';
import type { Example, Preview } from '../campaigns.ts';

const mostExamples = 3;

/** What a person looks at before a campaign goes. */
export async function previewOf(
  campaign: Campaign,
  options: {
    campaigns: CampaignRepository;
    messagesPerSecond: number;
    now: Date;
    columns?: { titles: string[]; chosen: number } | undefined;
  },
): Promise<Preview> {
  const { campaigns, columns, now } = options;
  const examples: Example[] = [];
  for await (const chunk of campaigns.chunks(campaign.workspaceId, campaign.id, ['waiting'])) {
    const text = chunk.text ?? campaign.text ?? '';
    for (const to of chunk.to.slice(0, mostExamples - examples.length)) {
      examples.push({ to: maskNumber(phoneNumberSchema.parse(to)), text, pages: countPages(text).pages });
    }
    if (examples.length === mostExamples) {
      break;
    }
  }
  const [first] = examples;
  const warnings = warningsFor({
    route: routeSchema.parse(campaign.route),
    text: first?.text ?? '',
    recipients: [],
    dndActive: [],
    doNotContact: [],
    dndUnknown: [],
    now,
  });
  const takes = (campaign.counts.recipients / options.messagesPerSecond) * 1000;
  return {
    campaign,
    examples,
    warnings,
    durationMs: takes,
    columns,
    quietUntil: quietUntil(campaign, now, takes),
  };
}

/** Where a start now would have messages meet the quiet hours of those who have them (API §8): until when they last. */
function quietUntil({ route, counts }: Campaign, now: Date, takes: number): Date | undefined {
  if (route !== 'generic' || counts.quiet === 0) {
    return undefined;
  }
  const meets = inQuietHours(now) || inQuietHours(addMilliseconds(now, takes)) || takes > longestDay;
  return meets ? quietHoursEnd(now) : undefined;
}

/** From 08:00 to 20:00: what takes longer meets a night. */
const longestDay = 12 * 60 * 60_000;
