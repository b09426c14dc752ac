import { LRUCache } from 'lru-cache';
import type { Permission } from '../../../domain/access/roles.ts';
import { expireAfter } from '../../../lib/async-cache.ts';
import { currentOrigin } from '../../../lib/request-origin.ts';
import type { SlackContext } from '../../client/slack-context.ts';

/** Records that a user was refused what a request needs. Never rejects. */
export type RecordRefusal = (workspaceId: string, userId: string, needed: Permission) => Promise<void>;

/** The same refusal is recorded once in this time: nobody fills the audit by pressing a button. */
const onceIn = 60_000;
const maxRecent = 10_000;

export function createRefusalRecorder({ services, time: { elapsed } }: SlackContext): RecordRefusal {
  const recent = new LRUCache<string, true>({ max: maxRecent, ...expireAfter({ ms: onceIn, elapsed }) });
  return async (workspaceId, userId, needed) => {
    const key = JSON.stringify([workspaceId, userId, needed, currentOrigin().surface]);
    if (recent.has(key)) {
      return;
    }
    recent.set(key, true);
    await services.audit.record({
      workspaceId,
      userId,
      action: 'access.refuse',
      subject: needed,
      outcome: 'refused',
    });
  };
}
