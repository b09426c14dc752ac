import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { type AudiencePart, audienceParts, maxWordLength } from '../../../../domain/campaigns/audience.ts';
import { inZone } from '../../../../domain/time/start-time.ts';
import { type ChosenAudience, notSentNeedsEnd } from '../../../../services/campaigns/import/audiences.ts';
import { hasEnded } from '../../../../services/campaigns/import/recipient-sources.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { context, option, present } from '../../../block-kit/build.ts';
import { selectInput, textInput } from '../../../block-kit/inputs/fields.ts';
import { limits } from '../../../block-kit/limits.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { FormValues } from '../../../block-kit/view-state.ts';

const partWords: Record<AudiencePart, string> = {
  all: 'Everyone',
  delivered: 'Delivered',
  not_delivered: 'Not delivered',
  rejected: 'Rejected',
  unconfirmed: 'Unconfirmed',
  no_report: 'No report yet',
  not_sent: 'Not sent',
  answered: 'Replied',
  answered_with: 'Replied with a keyword',
  did_not_answer: 'Didn’t reply',
};

/** The fields of *Recipients of a campaign*. */
export const audienceSchema = z.object({
  campaign: z.string().optional(),
  part: z.enum(audienceParts),
  word: z.string().optional(),
  without: z.string().optional(),
});
export type AudienceInput = z.infer<typeof audienceSchema>;

export const audienceActions = {
  campaign: 'campaign_audience',
  part: 'campaign_part',
  word: 'campaign_word',
  without: 'campaign_without',
} as const;

/** A select cannot be emptied. */
const none = option('None', 'none');

export function readAudience({ campaign, part, word, without }: FormValues): AudienceInput {
  return {
    campaign: campaign?.text,
    part: audienceSchema.shape.part.catch('all').parse(part?.text),
    word: word?.text,
    without: without?.text === none.value ? undefined : without?.text,
  };
}

/** Returns the chosen audience; undefined until a campaign is chosen. */
export function chosenAudience(audience: AudienceInput | undefined): ChosenAudience | undefined {
  const { campaign, part = 'all', word, without } = audience ?? {};
  return campaign === undefined
    ? undefined
    : { campaign, part, word: part === 'answered_with' ? word : undefined, without };
}

/** @param size the line that says how many recipients it has */
export function audienceBlocks(
  { campaign, part, word, without }: AudienceInput,
  { campaigns, zone, size }: { campaigns: readonly Campaign[]; zone: string; size: string | undefined },
): KnownBlock[] {
  const offered = campaigns.map(({ id, name, counts, startedAt, createdAt }) =>
    option(
      name,
      id,
      `${pluralize(counts.recipients, 'recipient')} · ${inZone(startedAt ?? createdAt, zone)}`,
    ),
  );
  const from = campaigns.find(({ id }) => id === campaign);
  const lacksNotSent = from !== undefined && !hasEnded(from);
  // Keep the choice and refuse it, so that nobody else gets the message instead.
  const parts = audienceParts.filter((each) => each !== 'not_sent' || !lacksNotSent || part === each);
  const live = (name: keyof typeof audienceActions, chosen: string | undefined) => ({
    actionId: audienceActions[name],
    chosen,
    dispatch: true,
  });
  return present<KnownBlock>(
    selectInput('campaign', 'Campaign', offered, live('campaign', campaign)),
    selectInput(
      'part',
      'Which ones',
      parts.map((value) => option(partWords[value], value)),
      live('part', part),
    ),
    lacksNotSent && context(mrkdwn`${notSentNeedsEnd}`),
    part === 'answered_with' &&
      textInput('word', 'Keyword', word, {
        actionId: audienceActions.word,
        maxLength: maxWordLength,
        dispatchOn: 'character',
        hint: 'As a separate word, anywhere in a reply since the campaign started.',
      }),
    selectInput('without', 'Exclude recipients of', [none, ...offered.slice(0, limits.options - 1)], {
      ...live('without', without ?? none.value),
      optional: true,
    }),
    size !== undefined && context(mrkdwn`${size}`),
  );
}
