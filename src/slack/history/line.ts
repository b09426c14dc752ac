import type { Deed } from '../../services/history.ts';
import type { Operation } from '../../store/ledger.ts';
import { entry } from '../blocks/build.ts';
import { type Markup, mrkdwn, personMention, timeFor } from '../blocks/text.ts';
import type { Wordings } from '../telling.ts';

const ends: Record<Operation['state'], { mark: string; words: string }> = {
  underway: { mark: ':hourglass_flowing_sand:', words: 'under way' },
  accepted: { mark: ':white_check_mark:', words: 'accepted' },
  rejected: { mark: ':x:', words: 'refused, nothing done' },
  not_sent: { mark: ':x:', words: 'not sent' },
  unconfirmed: { mark: ':warning:', words: 'unconfirmed, may have been done' },
};

/**
 * One deed: a mark to find it by and what it was; below, on a line that is never long, when, how it ended, and who did
 * it where that is not plain. Numbers masked.
 */
export function historyLine(deed: Deed, wordings: Wordings, { withActor }: { withActor: boolean }): Markup {
  const { operation } = deed;
  const { mark, words } = ends[operation.state];
  const by = withActor ? mrkdwn` · ${personMention(operation.actor)}` : mrkdwn``;
  return entry(mark, whatItWas(deed, wordings), mrkdwn`${timeFor(deed.at)} · ${words}${by}`);
}

export function whatItWas({ operation }: Deed, wordings: Wordings): Markup {
  return wordings[operation.kind]?.line(operation) ?? mrkdwn`${operation.kind}`;
}
