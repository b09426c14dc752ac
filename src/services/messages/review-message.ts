import type { Permission } from '../../domain/access/roles.ts';
import {
  checkDelivery,
  type DeliveryWarning,
  landlinesAmong,
  nigerianAmong,
} from '../../domain/deliveries/delivery-check.ts';
import type { Seen } from '../../domain/limits/seen.ts';
import { countPages } from '../../domain/messages/pages.ts';
import { isQuietOperator } from '../../domain/messages/quiet-hours.ts';
import { isNigerian, type Warning, warningsFor } from '../../domain/messages/routes.ts';
import { writtenColumns } from '../../domain/messages/template.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Context } from '../context.ts';
import type { DndChecker } from '../numbers/number-lookup.ts';
import { ifRefused } from '../refusal.ts';
import type { SenderIdService } from '../sender-ids/sender-id-service.ts';
import type { PlannedSending, SendingFacts } from '../sender-ids/sending-facts.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { Draft, DraftContent } from './drafts.ts';

/** What a message is checked with before it is sent. */
export interface ReviewDeps {
  dndChecker: DndChecker;
  workspaces: Workspaces;
  senderIds: SenderIdService;
  sendingFacts: SendingFacts;
}

/** Who reviews a message. */
export interface Reviewer {
  workspaceId: string;
  userId: string;
  permissions: ReadonlySet<Permission>;
}

/** What a user sees before a message is sent. */
export interface MessageReview {
  draft: Draft;
  /** Pages of the message to one recipient. */
  pagesEach: number;
  /** Pages of all recipients together, which is the billed number. */
  pages: number;
  warnings: Warning[];
  /** What may lose it on its way. */
  delivery: DeliveryWarning[];
  /** Which of the recipients are on the suppression list, by their positions. */
  listed: number[];
  /** Facts shown in the review that may change before it's sent. */
  seen: Seen;
}

const dndTimeoutMs = 8_000;

export function createReviewer(context: Context, deps: ReviewDeps) {
  return {
    /** Whether a review has to ask the provider, and so may take several seconds. */
    reviewTakesTime: ({ route, recipients }: DraftContent) =>
      route === 'generic' && recipients.some(isNigerian),

    /**
     * Counts pages and gathers warnings. On the generic route it checks the recipients for Do-Not-Disturb, for at most
     * `dndTimeoutMs`; numbers that could not be checked in that time get a warning of their own.
     */
    async review(who: Reviewer, draft: Draft): Promise<MessageReview> {
      const { workspaceId } = who;
      const { route, text, senderId = '', recipients } = draft.content;
      const pagesEach = pagesEachOf(draft.content);
      const now = context.time.now();
      const [dnd, listed, off, activeSenderIds, seen] = await Promise.all([
        dndStates(who, draft.content, { ...deps, timers: context.timers }),
        findListed(context, workspaceId, recipients),
        deps.workspaces.rulesOff(workspaceId),
        deps.senderIds.knownActive(workspaceId),
        deps.sendingFacts(plannedSending(workspaceId, draft.content, now)),
      ]);
      const columns = writtenColumns(text);
      const warnings = warningsFor({
        route,
        text,
        recipients,
        doNotContact: recipients.filter((_, position) => listed.includes(position)),
        dndActive: dnd.active,
        dndUnknown: dnd.unknown,
        now,
      }).concat(columns.length === 0 ? [] : [{ kind: 'columns', columns }]);
      const facts = {
        ...{ route, senderId, text, activeSenderIds, off },
        recipients: nigerianAmong(recipients),
        landlines: landlinesAmong(recipients),
      };
      const delivery = checkDelivery(await deps.senderIds.checkNetworks(who, facts, draft.id), {
        start: now,
      });
      return { draft, pagesEach, pages: pagesEach * recipients.length, warnings, delivery, listed, seen };
    },
  };
}

/** Returns what the facts of a message depend on. */
export function plannedSending(
  workspaceId: string,
  { route, senderId = '', recipients }: DraftContent,
  start: Date,
): PlannedSending {
  return { workspaceId, route, senderId, quiet: recipients.filter(isQuietOperator).length, start };
}

/** Returns which of the recipients are on the suppression list, by their positions. */
export async function findListed(
  { store: { suppressionList } }: Context,
  workspaceId: string,
  recipients: readonly PhoneNumber[],
): Promise<number[]> {
  const listed = new Set(await suppressionList.among(workspaceId, recipients));
  return recipients.flatMap((number, position) => (listed.has(number) ? [position] : []));
}

async function dndStates(
  who: { workspaceId: string; userId: string },
  { route, recipients }: DraftContent,
  { dndChecker, timers }: Pick<ReviewDeps, 'dndChecker'> & { timers: Timers },
): Promise<{ active: PhoneNumber[]; unknown: PhoneNumber[] }> {
  const concerned = route === 'generic' ? recipients.filter(isNigerian) : [];
  if (concerned.length === 0) {
    return { active: [], unknown: [] };
  }
  const checked = await withDeadline(
    dndTimeoutMs,
    (signal) => dndChecker.checkDnd(who, concerned, { signal }),
    timers,
  ).catch(ifRefused(['not_connected', 'limited'], () => []));
  const inState = (state: string): PhoneNumber[] =>
    checked.filter(({ dnd }) => dnd === state).map(({ number }) => number);
  return { active: inState('active'), unknown: inState('unknown') };
}

/** Returns the pages that are paid for each recipient; a file counts as one. */
export function pagesEachOf({ text, media }: DraftContent): number {
  return media === undefined ? countPages(text).pages : 1;
}
