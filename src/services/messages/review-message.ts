import { checkDelivery, nigerianAmong } from '../../domain/deliveries/delivery-check.ts';
import { countPages } from '../../domain/messages/pages.ts';
import { isNigerian } from '../../domain/messages/route-advice.ts';
import { warningsFor } from '../../domain/messages/routes.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Context } from '../context.ts';
import type { DndChecker } from '../numbers/dnd-check.ts';
import type { SenderIdService } from '../sender-ids/sender-id-service.ts';
import type { SuppressionService } from '../suppression-list/suppression-list.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { DraftContent } from './drafts.ts';
import type { MessageService } from './message-service.ts';

/** What a message is checked with before it is sent. */
export interface ReviewerOthers {
  dndChecker: DndChecker;
  suppressionList: SuppressionService;
  workspaces: Workspaces;
  senderIds: SenderIdService;
}

const dndTimeoutMs = 8_000;

export function createReviewer(
  { time: { now: clock }, timers }: Context,
  others: ReviewerOthers,
): Pick<MessageService, 'review' | 'reviewTakesTime'> {
  const { workspaces, senderIds } = others;
  return {
    reviewTakesTime: ({ route, recipients }) => route === 'generic' && recipients.some(isNigerian),

    async review({ workspaceId, userId }, draft) {
      const { content } = draft;
      const pagesEach = pagesEachOf(content);
      const [dnd, listed, off, activeSenderIds] = await Promise.all([
        dndStates({ workspaceId, userId }, content, { ...others, timers }),
        findListed(others, workspaceId, content.recipients),
        workspaces.rulesOff(workspaceId),
        senderIds.knownActive(workspaceId),
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
  { suppressionList }: Pick<ReviewerOthers, 'suppressionList'>,
  workspaceId: string,
  recipients: readonly PhoneNumber[],
): Promise<number[]> {
  const listed = new Set(await suppressionList.filterListed(workspaceId, recipients));
  return recipients.flatMap((number, position) => (listed.has(number) ? [position] : []));
}

async function dndStates(
  who: { workspaceId: string; userId: string },
  { route, recipients }: DraftContent,
  { dndChecker, timers }: Pick<ReviewerOthers, 'dndChecker'> & { timers: Timers },
): Promise<{ active: PhoneNumber[]; unknown: PhoneNumber[] }> {
  const concerned = route === 'generic' ? recipients.filter(isNigerian) : [];
  if (concerned.length === 0) {
    return { active: [], unknown: [] };
  }
  const report = await withDeadline(
    dndTimeoutMs,
    (signal) => dndChecker.checkDnd(who, concerned, { signal }),
    timers,
  );
  const checked = report.kind === 'checked' ? report.numbers : [];
  const inState = (state: string): PhoneNumber[] =>
    checked.filter(({ dnd }) => dnd === state).map(({ number }) => number);
  return { active: inState('active'), unknown: inState('unknown') };
}

/** Returns the pages that are paid for each recipient; a file counts as one. */
export function pagesEachOf({ text, media }: DraftContent): number {
  return media === undefined ? countPages(text).pages : 1;
}
