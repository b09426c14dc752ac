import type { Seen } from '../../domain/limits/seen.ts';
import { meetsQuietHours } from '../../domain/messages/quiet-hours.ts';
import { isName } from '../../domain/messages/sender-id.ts';
import type { SenderIdService } from './sender-id-service.ts';

/** A planned send: what, from when, and for how long. */
export interface PlannedSending {
  workspaceId: string;
  route: string;
  senderId: string;
  /** Recipients whose operator has quiet hours. */
  quiet: number;
  start: Date;
  /** In milliseconds. */
  durationMs?: number | undefined;
}

export type SendingFacts = ReturnType<typeof createSendingFacts>;

/**
 * Returns a function that reads the current facts about a send, to show and to compare with those shown.
 */
export function createSendingFacts({ senderIds }: { senderIds: Pick<SenderIdService, 'knownActive'> }) {
  return async ({
    workspaceId,
    route,
    senderId,
    quiet,
    start,
    durationMs = 0,
  }: PlannedSending): Promise<Pick<Seen, 'quietHours' | 'sender'>> => {
    const isQuiet = route === 'generic' && quiet > 0 && meetsQuietHours(start, durationMs);
    // Only names are in the list of sender IDs: numbers and chat app devices aren't.
    const isListed = (route === 'generic' || route === 'dnd') && isName(senderId);
    const active = isListed ? await senderIds.knownActive(workspaceId) : undefined;
    const isActive = active?.some((name) => name.toLowerCase() === senderId.toLowerCase());
    return {
      ...(isQuiet && { quietHours: true as const }),
      ...(isActive !== undefined && { sender: isActive ? ('active' as const) : ('inactive' as const) }),
    };
  };
}
