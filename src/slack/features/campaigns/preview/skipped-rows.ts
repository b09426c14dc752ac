import type { KnownBlock } from '@slack/types';
import { type RowProblem, rowProblemSchema } from '../../../../domain/csv/rejected-row.ts';
import { columnsWithoutFallback, readTemplate } from '../../../../domain/messages/template.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { context } from '../../../block-kit/build.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { joinInline, type Markup, mrkdwn } from '../../../block-kit/text.ts';

/**
 * What was left out of the list: duplicates, suppressed numbers, recipients who need no second message, and skipped rows with
 * the remedy for each problem.
 * `replaceable`: whether the view offers *Replace with plain text*.
 */
export function leftOutBlocks(campaign: Campaign, options: { replaceable: boolean }): KnownBlock[] {
  const { duplicates, suppressed, acceptedBefore, invalid } = campaign.counts;
  const removed = [
    ...(duplicates === 0 ? [] : [mrkdwn`${pluralize(duplicates, 'duplicate')} removed`]),
    ...(suppressed === 0 ? [] : [mrkdwn`${formatCount(suppressed)} on the do-not-contact list removed`]),
    ...(acceptedBefore === 0 ? [] : [mrkdwn`${formatCount(acceptedBefore)} accepted after all, removed`]),
  ];
  return [
    ...(removed.length === 0 ? [] : [context(joinInline(removed))]),
    ...(invalid === 0 ? [] : [context(describeSkippedRows(campaign, options))]),
  ];
}

/** The most frequent problem first. */
function describeSkippedRows(
  { counts, invalidByProblem = {}, text = '' }: Campaign,
  { replaceable }: { replaceable: boolean },
): Markup {
  const rows = mrkdwn`:warning: *${pluralize(counts.invalid, 'row')} skipped*`;
  const problems = rowProblemSchema.options
    .map((problem) => ({ problem, count: invalidByProblem[problem] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .map(({ problem, count }) => describeProblem(problem, count, { text, replaceable }));
  return problems.length === 0 ? rows : mrkdwn`${rows}: ${joinInline(problems)}`;
}

/** `text` is the campaign's, whose columns have no fallback. */
function describeProblem(
  problem: RowProblem,
  count: number,
  { text, replaceable }: { text: string; replaceable: boolean },
): Markup {
  const rows = formatCount(count);
  switch (problem) {
    case 'missing_value':
      return describeMissing(rows, count === 1 ? 'has' : 'have', text);
    case 'shortened':
      return mrkdwn`${rows} shortened by Excel: format the column as text and export again`;
    case 'no_number':
      return mrkdwn`${rows} empty`;
    case 'too_short':
      return mrkdwn`${rows} too short`;
    case 'too_long':
      return mrkdwn`${rows} too long`;
    case 'not_a_number':
      return mrkdwn`${rows} not a number`;
    case 'several_numbers':
      return mrkdwn`${rows} with several numbers: give each number a row`;
    case 'replaceable_characters':
      return mrkdwn`${rows} with characters that can’t be sent: ${replaceable ? mrkdwn`press *Replace with plain text*` : mrkdwn`press *Edit* and replace special characters`}`;
    case 'unsendable_characters':
      return mrkdwn`${rows} with letters or emoji that can’t be sent`;
    case 'text_too_long':
      return mrkdwn`${rows} with a message that is too long`;
    case 'text_empty':
      return mrkdwn`${rows} with an empty message`;
  }
}

function describeMissing(rows: string, verb: 'has' | 'have', text: string): Markup {
  const read = readTemplate(text);
  const columns = read.ok ? columnsWithoutFallback(read.template) : [];
  const [example = 'column'] = columns;
  const fallback = example.includes('name') ? 'there' : 'text if empty';
  const remedy = columns.length > 1 ? 'add fallbacks like' : 'add a fallback like';
  return mrkdwn`${rows} ${verb} no ${columns.join(' or ')}: ${remedy} ${`{{${example}|${fallback}}}`}`;
}
