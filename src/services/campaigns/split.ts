import { z } from 'zod';
import { ifOwn, ownId } from '../../domain/access/ownership.ts';
import { idempotencyKey } from '../../domain/access/request-keys.ts';
import { isQuietOperator } from '../../domain/messages/quiet-hours.ts';
import { isNigerian, type Route } from '../../domain/messages/routes.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import { type Campaign, draftMs } from '../../store/campaigns/campaigns.ts';
import { NoLongerDraftError } from '../../store/campaigns/import/finish-imports.ts';
import type { ImportWriter } from '../../store/campaigns/import/import-writer.ts';
import type { Store } from '../../store/store.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import type { DndChecker } from '../numbers/number-lookup.ts';
import { orGone } from '../refusal.ts';
import type { SavedForms } from '../workspaces/saved-forms.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { readCampaign } from './import/import-recipients.ts';

/** What a draft is split by: Do-Not-Disturb, which needs another route, or quiet hours, which need another time. */
export const splitSubjects = ['dnd', 'quiet_hours'] as const;
export type SplitSubject = (typeof splitSubjects)[number];

/** Each number is a request to the provider (API §4.9): more would take the better part of an hour. */
const maxSplitByDnd = 10_000;

export interface SplitRequest {
  workspaceId: string;
  userId: string;
  /** The id of the draft. */
  id: string;
  /** The version of the draft that the user saw, see `Campaign`. */
  version: string;
  /** Identifies this attempt, so that a retry makes the same parts. */
  requestId: string;
  by: SplitSubject;
  /** See `CampaignForm`. */
  plainCells: boolean;
  /** Called with how many numbers were checked. */
  onProgress?: ((done: number) => void) | undefined;
  signal: AbortSignal;
}

export type SplitResult =
  /** The draft became two, first the part that needs another route or time. `unknown`: its numbers that couldn't be checked. */
  | { kind: 'split'; parts: [Campaign, Campaign]; unknown: number }
  /** All recipients ended up in one part. The draft is unchanged. `unknown`: numbers that couldn't be checked. */
  | { kind: 'whole'; unknown: number }
  /** The draft has changed since the user saw it. It wasn't split. */
  | { kind: 'changed'; campaign: Campaign; shownVersion: string };

/** Which recipients are in the first part, and how both are sent. */
interface Division {
  isFirst(number: PhoneNumber): boolean;
  routes: readonly [Route, Route];
  names: readonly [string, string];
  unknown: number;
}

/** Whether a draft can be split. Not one of a rest or a run, which has one campaign only. */
export function canSplit({ route, counts, retryOf, countries = {} }: Campaign, by: SplitSubject): boolean {
  if (retryOf !== undefined || counts.recipients < 2) {
    return false;
  }
  return by === 'quiet_hours'
    ? route === 'generic' && counts.quiet > 0 && counts.quiet < counts.recipients
    : (route === 'generic' || route === 'dnd') &&
        (countries.NG ?? 0) > 0 &&
        counts.recipients <= maxSplitByDnd;
}

/** The name that the split is saved under. */
const nameOf = ({ id }: SplitRequest) => `split.${id}`;
const savedSchema = z.object({ parts: z.array(z.string()), unknown: z.number() });

export function createSplit(
  context: Context,
  {
    workspaces,
    approvals,
    dndChecker,
    savedForms,
  }: { workspaces: Workspaces; approvals: Approvals; dndChecker: DndChecker; savedForms: SavedForms },
) {
  const { campaigns } = context.store;
  const oneByOne = createKeyedMutex();

  async function splitNow(request: SplitRequest): Promise<SplitResult> {
    const { workspaceId, userId, id, version, by } = request;
    const draft = ifOwn(await campaigns.find(workspaceId, id), userId);
    if (draft?.state === 'ready' && draft.version !== version) {
      return { kind: 'changed', campaign: draft, shownVersion: version };
    }
    if (draft?.state !== 'ready' || !canSplit(draft, by)) {
      return findParts(request);
    }
    const division = await divide(context.store, dndChecker, draft, request);
    const writers: ImportWriter[] = [];
    let isExchanged = false;
    try {
      for (const index of [0, 1] as const) {
        const read = await readPart(context, workspaces, draft, request, { index, division });
        if (read.kind !== 'read') {
          return (await findChange(request)) ?? { kind: 'whole', unknown: division.unknown };
        }
        writers.push(read.writer);
      }
      // Before the exchange neither part can be started, and after it the draft can't. A second click then
      // finds both parts.
      const [first, second] = await campaigns.exchange(writers, draft, (transaction, ready) => {
        const saved = { parts: ready.map((part) => part.id), unknown: division.unknown };
        return savedForms.change(request, nameOf(request), () => saved, transaction, draftMs);
      });
      isExchanged = true;
      if (first !== undefined && second !== undefined) {
        return { kind: 'split', parts: [first, second], unknown: division.unknown };
      }
    } catch (error) {
      if (!(error instanceof NoLongerDraftError)) {
        throw error;
      }
    } finally {
      if (!isExchanged) {
        await Promise.all(writers.map((writer) => writer.abandon()));
      }
      await approvals.changed();
    }
    return (await findChange(request)) ?? findParts(request);
  }

  /** Returns how the draft has changed, or undefined if it is what the user saw. */
  async function findChange(request: SplitRequest): Promise<SplitResult | undefined> {
    const { workspaceId, id, version: shownVersion } = request;
    const campaign = await campaigns.find(workspaceId, id);
    if (campaign?.state !== 'ready') {
      return findParts(request);
    }
    return campaign.version === shownVersion ? undefined : { kind: 'changed', campaign, shownVersion };
  }

  /** Returns the parts that a draft was split into before. */
  async function findParts(request: SplitRequest): Promise<SplitResult> {
    const saved = savedSchema.safeParse(await savedForms.find(request, nameOf(request)));
    const [one, other] = await Promise.all(
      (saved.data?.parts ?? []).map((id) => campaigns.find(request.workspaceId, id)),
    );
    const { unknown } = orGone(saved.data, 'review');
    return { kind: 'split', parts: [orGone(one, 'review'), orGone(other, 'review')], unknown };
  }

  return {
    /**
     * Splits a user's draft into two, each with its own route and start. Repeated requests split it once. If
     * it fails or the program stops midway, the draft is unchanged and no part is kept.
     */
    split: (request: SplitRequest): Promise<SplitResult> =>
      oneByOne(JSON.stringify([request.workspaceId, request.id]), () => splitNow(request)),
  };
}

/** Decides who is in the first part. */
async function divide(
  { campaigns }: Store,
  dndChecker: DndChecker,
  draft: Campaign,
  request: SplitRequest,
): Promise<Division> {
  if (request.by === 'quiet_hours') {
    const names = ['at 8:00 AM', 'now'] as const;
    const routes = ['generic', 'generic'] as const;
    return { isFirst: isQuietOperator, routes, names, unknown: 0 };
  }
  const numbers: PhoneNumber[] = [];
  for await (const { to } of campaigns.chunks(draft.workspaceId, draft.id, ['waiting'])) {
    numbers.push(...to.map((number) => phoneNumberSchema.parse(number)).filter(isNigerian));
  }
  const { onProgress: progress, signal } = request;
  const checked = await dndChecker.checkDnd(request, numbers, { progress, signal });
  // One whose state is not known gets it on the transactional route: the other may not reach it.
  const others = new Set(checked.filter(({ dnd }) => dnd === 'inactive').map(({ number }) => number));
  return {
    isFirst: (number) => isNigerian(number) && !others.has(number),
    routes: ['dnd', 'generic'],
    names: ['Do-Not-Disturb', 'others'],
    unknown: checked.filter(({ dnd }) => dnd === 'unknown').length,
  };
}

/**
 * Reads the recipients of a part, which can't be started yet. Returns no recipients if all belong to the
 * other part.
 */
function readPart(
  context: Context,
  workspaces: Workspaces,
  draft: Campaign,
  { userId, requestId, plainCells, signal }: SplitRequest,
  { index, division: { isFirst, routes, names } }: { index: 0 | 1; division: Division },
) {
  const { workspaceId, id, name, text = '', senderId, withoutAccents } = draft;
  return readCampaign(
    {
      workspaceId,
      userId,
      id: ownId(userId, idempotencyKey(id, requestId, String(index))),
      source: { kind: 'part', campaign: draft, has: (number) => isFirst(number) === (index === 0) },
      active: [senderId],
      form: {
        name: `${name} (${names[index]})`,
        text,
        route: routes[index],
        senderId,
        plainCells,
        withoutAccents,
      },
      onProgress: () => signal.throwIfAborted(),
    },
    context,
    workspaces,
  );
}
