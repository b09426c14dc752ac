import { checkDelivery, nigerianAmong } from '../../domain/deliveries/delivery-check.ts';
import type { DeliveryRuleName } from '../../domain/deliveries/delivery-rules.ts';
import { countPages } from '../../domain/messages/pages.ts';
import { isNigerian } from '../../domain/messages/route-advice.ts';
import { warningsFor } from '../../domain/messages/routes.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { DraftContent } from './drafts.ts';
import type { MessageService } from './message-service.ts';

/** Resolves within the signal's time; numbers not checked by then are `unknown`. */
type CheckDnd = (
  who: { workspaceId: string; userId: string },
  numbers: readonly PhoneNumber[],
  options: { signal: AbortSignal },
) => Promise<
  | { kind: 'checked'; numbers: readonly { number: PhoneNumber; dnd: 'active' | 'inactive' | 'unknown' }[] }
  /** What could not be checked is warned of like what was not answered. */
  | { kind: 'limited' | 'not_connected' }
>;

export interface ReviewerOptions {
  checkDnd: CheckDnd;
  /** Returns those of the numbers that are on the workspace's suppression list. */
  filterSuppressed: (workspaceId: string, numbers: readonly PhoneNumber[]) => Promise<PhoneNumber[]>;
  /** Returns the rules of the check before a send that are switched off. */
  rulesOff: (workspaceId: string) => Promise<readonly DeliveryRuleName[]>;
  /** Returns the account's active sender IDs where they are known at once; nobody waits longer for them here. */
  knownSenderIds: (workspaceId: string) => Promise<readonly string[] | undefined>;
  clock: Clock;
  timers: Timers;
}

const dndTimeoutMs = 8_000;

export function createReviewer(options: ReviewerOptions): Pick<MessageService, 'review' | 'reviewTakesTime'> {
  const { rulesOff, knownSenderIds, clock } = options;
  return {
    reviewTakesTime: ({ route, recipients }) => route === 'generic' && recipients.some(isNigerian),

    async review({ workspaceId, userId }, draft) {
      const { content } = draft;
      const pagesEach = pagesEachOf(content);
      const [dnd, listed, off, activeSenderIds] = await Promise.all([
        dndStates({ workspaceId, userId }, content, options),
        findListed(options, workspaceId, content.recipients),
        rulesOff(workspaceId),
        knownSenderIds(workspaceId),
      ]);
      const warnings = warningsFor({
        route: content.route,
        text: content.text,
        recipients: content.recipients,
        doNotContact: content.recipients.filter((_, position) => listed.includes(position)),
        dndActive: dnd.active,
        dndUnknown: dnd.unknown,
        now: clock(),
      });
      const { route, text, senderId = '' } = content;
      const recipients = nigerianAmong(content.recipients);
      const delivery = checkDelivery(
        { route, senderId, text, recipients, activeSenderIds, off },
        { start: clock() },
      );
      return {
        draft,
        pagesEach,
        pages: pagesEach * content.recipients.length,
        warnings,
        delivery,
        listed,
      };
    },
  };
}

/** Returns which of the recipients are on the suppression list, by their positions. */
export async function findListed(
  { filterSuppressed }: Pick<ReviewerOptions, 'filterSuppressed'>,
  workspaceId: string,
  recipients: readonly PhoneNumber[],
): Promise<number[]> {
  const listed = new Set(await filterSuppressed(workspaceId, recipients));
  return recipients.flatMap((number, position) => (listed.has(number) ? [position] : []));
}

async function dndStates(
  who: { workspaceId: string; userId: string },
  { route, recipients }: DraftContent,
  { checkDnd, timers }: ReviewerOptions,
): Promise<{ active: PhoneNumber[]; unknown: PhoneNumber[] }> {
  const concerned = route === 'generic' ? recipients.filter(isNigerian) : [];
  if (concerned.length === 0) {
    return { active: [], unknown: [] };
  }
  const report = await withDeadline(dndTimeoutMs, (signal) => checkDnd(who, concerned, { signal }), timers);
  const checked = report.kind === 'checked' ? report.numbers : [];
  const inState = (state: string): PhoneNumber[] =>
    checked.filter(({ dnd }) => dnd === state).map(({ number }) => number);
  return { active: inState('active'), unknown: inState('unknown') };
}

/** Returns the pages that are paid for each recipient; a file counts as one. */
export function pagesEachOf({ text, media }: DraftContent): number {
  return media === undefined ? countPages(text).pages : 1;
}
