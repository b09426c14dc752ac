import { z } from 'zod';
import { ifOwn, ownId } from '../../domain/access/ownership.ts';
import { idempotencyKey } from '../../domain/access/request-keys.ts';
import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import { isQuietOperator } from '../../domain/messages/quiet-hours.ts';
import { isNigerian, type Route } from '../../domain/messages/routes.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { Store } from '../../store/store.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import type { DndChecker } from '../numbers/number-lookup.ts';
import type { SavedForms } from '../workspaces/saved-forms.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { importRecipients } from './import/import-recipients.ts';

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
  /** Names this attempt: another one makes other parts. */
  requestId: string;
  by: SplitSubject;
  /** See `CampaignForm`. */
  plainCells: boolean;
  /** Called with how many numbers were checked. */
  onProgress?: ((done: number) => void) | undefined;
  signal: AbortSignal;
}

export type SplitResult =
  /** The draft is replaced by two: first the part that needs another route or time. `unknown`: numbers in it whose state is not known. */
  | { kind: 'split'; parts: [Campaign, Campaign]; unknown: number }
  /** All recipients are in one part. The draft is as it was. */
  | { kind: 'whole' }
  | { kind: 'gone' }
  /** A limit was reached. Nothing was checked. */
  | { kind: 'limited'; limit: ReachedLimit }
  | { kind: 'not_connected' };

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
    const { workspaceId, userId, id, by } = request;
    const draft = ifOwn(await campaigns.find(workspaceId, id), userId);
    if (draft?.state !== 'ready' || !canSplit(draft, by)) {
      return findParts(request);
    }
    const division = await divide(context.store, dndChecker, draft, request);
    if (division.kind !== 'divided') {
      return division;
    }
    const first = await importPart(context, workspaces, draft, request, { index: 0, division });
    let second: Campaign | undefined;
    try {
      second = first && (await importPart(context, workspaces, draft, request, { index: 1, division }));
    } finally {
      if (first !== undefined && second === undefined) {
        await campaigns.discard(workspaceId, first.id);
      }
      await approvals.changed();
    }
    if (first === undefined || second === undefined) {
      // Where the draft is gone, another instance was quicker.
      return (await campaigns.find(workspaceId, id)) === undefined ? findParts(request) : { kind: 'whole' };
    }
    const { unknown } = division;
    await savedForms.save(request, `split.${id}`, { parts: [first.id, second.id], unknown });
    return { kind: 'split', parts: [first, second], unknown };
  }

  /** Returns the parts that a draft was split into before. */
  async function findParts(request: SplitRequest): Promise<SplitResult> {
    const saved = savedSchema.safeParse(await savedForms.find(request, `split.${request.id}`));
    const [one, other] = await Promise.all(
      (saved.data?.parts ?? []).map((id) => campaigns.find(request.workspaceId, id)),
    );
    return saved.data === undefined || one === undefined || other === undefined
      ? { kind: 'gone' }
      : { kind: 'split', parts: [one, other], unknown: saved.data.unknown };
  }

  return {
    /**
     * Makes two drafts of a user's own one, each with its own route and start. Asked for twice, it is done once: only one
     * attempt replaces the draft. Where it fails, the draft is as it was.
     */
    split: (request: SplitRequest): Promise<SplitResult> =>
      oneByOne(JSON.stringify([request.workspaceId, request.id]), () => splitNow(request)),
  };
}

/** Decides who is in the first part. */
async function divide({ campaigns }: Store, dndChecker: DndChecker, draft: Campaign, request: SplitRequest) {
  if (request.by === 'quiet_hours') {
    const names = ['at 08:00', 'now'] as const;
    const routes = ['generic', 'generic'] as const;
    return { kind: 'divided' as const, isFirst: isQuietOperator, routes, names, unknown: 0 };
  }
  const numbers: PhoneNumber[] = [];
  for await (const { to } of campaigns.chunks(draft.workspaceId, draft.id, ['waiting'])) {
    numbers.push(...to.map((number) => phoneNumberSchema.parse(number)).filter(isNigerian));
  }
  const { onProgress: progress, signal } = request;
  const checked = await dndChecker.checkDnd(request, numbers, { progress, signal });
  if (checked.kind !== 'checked') {
    return checked;
  }
  // One whose state is not known gets it over DND: the other route may not reach it.
  const others = new Set(checked.numbers.filter(({ dnd }) => dnd === 'inactive').map(({ number }) => number));
  const division: Division = {
    isFirst: (number) => isNigerian(number) && !others.has(number),
    routes: ['dnd', 'generic'],
    names: ['Do-Not-Disturb', 'others'],
    unknown: checked.numbers.filter(({ dnd }) => dnd === 'unknown').length,
  };
  return { kind: 'divided' as const, ...division };
}

/** Imports a part. Resolves with undefined where nobody is in it. `replaces`: it takes the place of the draft. */
async function importPart(
  context: Context,
  workspaces: Workspaces,
  draft: Campaign,
  { userId, requestId, plainCells, signal }: SplitRequest,
  part: { index: 0 | 1; division: Division },
): Promise<Campaign | undefined> {
  const { workspaceId, id, name, text = '', senderId } = draft;
  const { index, division } = part;
  const { isFirst, routes, names } = division;
  const partId = ownId(userId, idempotencyKey(id, requestId, String(index)));
  const written = await importRecipients(
    {
      workspaceId,
      userId,
      id: partId,
      source: {
        kind: 'part',
        campaign: draft,
        has: (number) => isFirst(number) === (index === 0),
        replaces: index === 1,
      },
      form: { name: `${name} (${names[index]})`, text, route: routes[index], senderId, plainCells },
      onProgress: () => signal.throwIfAborted(),
    },
    context,
    workspaces,
  );
  return written.kind === 'written' ? written.campaign : undefined;
}
