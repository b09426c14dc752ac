import type { Permission } from '../../domain/access/roles.ts';
import { checkDelivery, type DeliveryFacts } from '../../domain/deliveries/delivery-check.ts';
import type { Context } from '../context.ts';

const rule = 'sender_by_network';

/**
 * Returns a function that returns the facts of a review without the check of each network's approval, unless it is due. Only
 * admins can ask the provider for it, so they get it, in the first review from a sender ID.
 */
export function createNetworkCheck({ store, time }: Context) {
  return async (
    { workspaceId, permissions }: { workspaceId: string; permissions: ReadonlySet<Permission> },
    facts: DeliveryFacts,
    reviewId: string,
  ): Promise<DeliveryFacts> => {
    const isConcerned = checkDelivery(facts, { start: time.now() }).some((warning) => warning.rule === rule);
    let isDue = false;
    if (isConcerned && permissions.has('administer')) {
      const key = `network-approval.${facts.senderId.toLowerCase()}`;
      await store.updateValue({ workspaceId, area: 'done-once', key }, (value) => {
        // The same review may be shown again.
        isDue = value === undefined || value === reviewId;
        return value === undefined ? { set: reviewId } : 'keep';
      });
    }
    return isDue ? facts : { ...facts, off: [...facts.off, rule] };
  };
}
