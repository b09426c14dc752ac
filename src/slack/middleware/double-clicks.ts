import type { Claims } from '../../services/workspaces/claims.ts';
import { idempotencyKey } from './idempotency-key.ts';
import type { ActionRequest } from './requests.ts';

/**
 * Calls `work` for a click, but not for the second one of a double click: that is a request with ids of its own, and may come
 * to another instance, at once or late. It is known by what stays the same: who clicked which button with which value, in
 * which modal, with which metadata, and that Slack dates both within two seconds. The modal's hash would not tell, as the
 * first click may change the modal between them.
 */
export type OncePerDoubleClick = (
  call: ActionRequest,
  actionId: string,
  work: () => Promise<void>,
) => Promise<void>;

export function createOncePerDoubleClick(claims: Pick<Claims, 'forClick'>): OncePerDoubleClick {
  return ({ user: { workspaceId, userId }, view, value, clickedAt }, actionId, work) => {
    const metadata = JSON.stringify(view?.metadata ?? null);
    const name = idempotencyKey(workspaceId, userId, actionId, value, view?.id ?? '', metadata);
    return claims.forClick(workspaceId, { name: `click.${name}`, at: clickedAt }, work);
  };
}
