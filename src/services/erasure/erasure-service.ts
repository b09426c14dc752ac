import { z } from 'zod';
import { type PhoneNumber, phoneNumberSchema, toE164 } from '../../domain/phone/phone-number.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import type { ErasedAreas } from '../../store/erasure/erase-from-values.ts';
import type { ErasureResult } from '../../store/erasure/erasure.ts';
import type { Store } from '../../store/store.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { CampaignService } from '../campaigns/campaign-service.ts';

const pendingSchema = z.object({
  number: phoneNumberSchema,
  userId: z.string().optional(),
  /** The run of the program that erases. */
  run: z.string().optional(),
});

interface Erasing {
  workspaceIds: readonly string[];
  number: PhoneNumber;
  /** Who asked for it; undefined if it was started in a terminal. */
  userId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Of the context, what an erasure in a terminal has as well. */
interface ErasureContext {
  store: Pick<Store, 'erasure' | 'instances' | 'keyv' | 'purge'>;
  audit: AuditService;
}

/** Returns the erasures in a workspace that are not done yet. */
const pendingIn =
  ({ store }: ErasureContext) =>
  (workspaceId: string) =>
    store.keyv(workspaceId, 'erasures');

export type ErasureService = ReturnType<typeof createErasureService>;

/** Removes a person, by their phone number, from everything that is stored. */
export function createErasureService(
  context: ErasureContext,
  { campaigns }: { campaigns: Pick<CampaignService, 'lostRecipients'> },
) {
  const { erasure, instances } = context.store;
  const pending = pendingIn(context);
  const stopping = new AbortController();
  const oneByOne = createKeyedMutex();
  const running = new Set<Promise<unknown>>();
  const listeners: ((workspaceId: string) => void)[] = [];

  const run = ({ signal, ...erasing }: Erasing) =>
    eraseAndRecord(context, campaigns, {
      ...erasing,
      signal: AbortSignal.any([stopping.signal, ...(signal === undefined ? [] : [signal])]),
      onErased(workspaceId) {
        for (const forget of listeners) {
          forget(workspaceId);
        }
      },
    });

  /** Calls `work` once earlier erasures of the same person have ended; `stop` waits for it. */
  async function queue<Result>(number: PhoneNumber, work: () => Promise<Result>): Promise<Result> {
    const erased = oneByOne(toE164(number), work);
    running.add(erased);
    try {
      return await erased;
    } finally {
      running.delete(erased);
    }
  }

  /** Does nothing where another erasure of the person has finished it meanwhile. */
  async function finish(workspaceId: string, number: PhoneNumber, userId: string | undefined): Promise<void> {
    await queue(number, async () => {
      const hash = await erasure.hashOf(workspaceId, number);
      if (await pending(workspaceId).has(hash)) {
        await run({ workspaceIds: [workspaceId], number, userId });
      }
    });
  }

  return {
    /** Returns a quick summary of the data that an erasure would remove. */
    find: erasure.find,

    /** Returns the ids of all workspaces that may have something of a person. */
    workspaces: erasure.workspaces,

    /** Erases a person from some workspaces. One that is cut off, by the end of the program as well, is resumed by `resume`. */
    erase: (request: Erasing): Promise<ErasureResult> => queue(request.number, () => run(request)),

    /** Calls a listener with the workspaces of each erasure, to drop its cached data. */
    onErased: (listener: (workspaceId: string) => void) => void listeners.push(listener),

    /** Finishes interrupted erasures, unless another instance is at work on them. */
    async resume(): Promise<void> {
      for (const workspaceId of await erasure.workspaces()) {
        for await (const [, value] of pending(workspaceId).iterator?.() ?? []) {
          const { number, userId, run: erasing } = pendingSchema.parse(value);
          if (erasing === undefined || !(await instances.isAnotherLiving(erasing))) {
            await finish(workspaceId, number, userId);
          }
        }
      }
    },

    /** Stops all erasures where nothing is half done, and waits for them. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

async function eraseAndRecord(
  context: ErasureContext,
  campaigns: Pick<CampaignService, 'lostRecipients'>,
  {
    workspaceIds,
    number,
    userId,
    signal,
    onErased,
  }: Erasing & { signal: AbortSignal; onErased: (workspaceId: string) => void },
): Promise<ErasureResult> {
  const { store, audit } = context;
  const pending = pendingIn(context);
  const hashes = new Map<string, string>();
  for (const workspaceId of workspaceIds) {
    const hash = await store.erasure.hashOf(workspaceId, number);
    hashes.set(workspaceId, hash);
    await pending(workspaceId).set(hash, { number, userId, run: store.instances.run() });
  }
  const result = await store.erasure.erase({ workspaceIds, number, areas: erasedAreas, signal });
  for (const workspaceId of workspaceIds) {
    onErased(workspaceId);
  }
  for (const [workspaceId, changed] of Map.groupBy(result.changed, (each) => each.workspaceId)) {
    const ids = changed.map(({ id }) => id);
    await campaigns.lostRecipients(workspaceId, ids);
  }
  if (result.isComplete) {
    for (const [workspaceId, subject] of hashes) {
      await audit.record({ workspaceId, userId, action: 'person.erase', subject, outcome: 'done' });
      await pending(workspaceId).delete(subject);
    }
    await store.purge();
  }
  return result;
}

/** What an erasure does with the values of each area. An area that is in neither list fails a test. */
export const erasedAreas: ErasedAreas = {
  drafts: 'delete',
  codes: 'delete',
  'provider-codes': 'delete',
  'contact-uploads': 'delete',
  forms: 'delete',
  posts: 'delete',
  preferences: 'redact',
  phonebooks: 'redact',
};

/** The areas whose values name no person's number, and are not searched. */
export const untouchedAreas: Readonly<Record<string, string>> = {
  settings: 'the provider key, the defaults, the approval rules, and prices',
  'esim-token': 'a token',
  'esim-creators': 'who created which ICCID',
  'esim-orders': 'ICCIDs',
  cancelled: 'ids of forms',
  balance: 'an amount',
  'done-once': 'ids of what was done once',
  'not-delivered-seen': 'times',
  erasures: 'what is to be erased, until it is',
};
