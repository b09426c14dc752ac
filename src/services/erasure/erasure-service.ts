import { z } from 'zod';
import { type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import type { ErasurePreview, ErasureResult } from '../../store/erasure/erasure.ts';
import type { Store } from '../../store/store.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { CampaignService } from '../campaigns/campaign-service.ts';
import { erasedAreas } from './erased-areas.ts';

/** Removes a person, by their phone number, from everything that is stored. */
export interface ErasureService {
  /** Returns what is known at once of what an erasure would remove. */
  find(workspaceId: string, number: PhoneNumber): Promise<ErasurePreview>;
  /** Returns the ids of all workspaces that may have something of a person. */
  workspaces(): Promise<string[]>;
  /**
   * Erases a person from some workspaces. One that is cut off, by the end of the program as well, is taken up by `resume`.
   *
   * @param request.userId who asked for it; nobody in Slack where it was asked for in a terminal
   */
  erase(request: {
    workspaceIds: readonly string[];
    number: PhoneNumber;
    userId?: string | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<ErasureResult>;
  /** Calls a listener with the workspaces of each erasure: it forgets what it has in memory alone. */
  onErased(listener: (workspaceId: string) => void): void;
  /** Finishes what was cut off: not what another instance is busy with. */
  resume(): Promise<void>;
  /** Stops all erasures where nothing is half done, and waits for them. */
  stop(): Promise<void>;
}

const pendingSchema = z.object({
  number: phoneNumberSchema,
  userId: z.string().optional(),
  /** The run of the program that erases. */
  run: z.string().optional(),
});

export function createErasureService(
  {
    store: { erasure, instances, keyv, purge },
    audit,
  }: { store: Pick<Store, 'erasure' | 'instances' | 'keyv' | 'purge'>; audit: AuditService },
  { campaigns }: { campaigns: Pick<CampaignService, 'lostRecipients'> },
): ErasureService {
  const pending = (workspaceId: string) => keyv(workspaceId, 'erasures');
  const stopping = new AbortController();
  const runInTurn = createKeyedMutex();
  const running = new Set<Promise<unknown>>();
  const listeners: ((workspaceId: string) => void)[] = [];

  async function run({ workspaceIds, number, userId, signal }: Parameters<ErasureService['erase']>[0]) {
    const hashes = new Map<string, string>();
    for (const workspaceId of workspaceIds) {
      const hash = await erasure.hashOf(workspaceId, number);
      hashes.set(workspaceId, hash);
      await pending(workspaceId).set(hash, { number, userId, run: instances.run() });
    }
    const signals = [stopping.signal, ...(signal === undefined ? [] : [signal])];
    const result = await erasure.erase({
      workspaceIds,
      number,
      areas: erasedAreas,
      signal: AbortSignal.any(signals),
    });
    for (const workspaceId of workspaceIds) {
      for (const forget of listeners) {
        forget(workspaceId);
      }
    }
    for (const [workspaceId, changed] of Map.groupBy(result.changed, (each) => each.workspaceId)) {
      await campaigns.lostRecipients(
        workspaceId,
        changed.map(({ id }) => id),
      );
    }
    if (result.isComplete) {
      for (const [workspaceId, subject] of hashes) {
        await audit.record({ workspaceId, userId, action: 'person.erase', subject, outcome: 'done' });
        await pending(workspaceId).delete(subject);
      }
      await purge();
    }
    return result;
  }

  async function inTurn<Result>(number: PhoneNumber, work: () => Promise<Result>): Promise<Result> {
    const erased = runInTurn(number, work);
    running.add(erased);
    try {
      return await erased;
    } finally {
      running.delete(erased);
    }
  }

  /** Does nothing where it is finished by the time that its turn comes. */
  async function finish(workspaceId: string, number: PhoneNumber, userId: string | undefined): Promise<void> {
    await inTurn(number, async () => {
      const hash = await erasure.hashOf(workspaceId, number);
      if (await pending(workspaceId).has(hash)) {
        await run({ workspaceIds: [workspaceId], number, userId });
      }
    });
  }

  return {
    find: erasure.find,
    workspaces: erasure.workspaces,
    erase: (request) => inTurn(request.number, () => run(request)),
    onErased: (listener) => void listeners.push(listener),

    async resume() {
      for (const workspaceId of await erasure.workspaces()) {
        for await (const [, value] of pending(workspaceId).iterator?.() ?? []) {
          const { number, userId, run: erasing } = pendingSchema.parse(value);
          if (erasing === undefined || !(await instances.isAnotherLiving(erasing))) {
            await finish(workspaceId, number, userId);
          }
        }
      }
    },

    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}
