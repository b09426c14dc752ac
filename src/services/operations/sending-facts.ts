import type { Seen } from '../../domain/limits/seen.ts';
import { meetsQuietHours } from '../../domain/messages/quiet-hours.ts';
import { isName } from '../../domain/messages/sender-id.ts';

/** What is to be sent, from when on and for how long. */
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

/** Returns a function that says what is true of a sending now, to be shown and to be compared with what was shown. */
export function createSendingFacts({
  senderIds,
}: {
  senderIds: { knownActive(workspaceId: string): Promise<readonly string[] | undefined> };
}) {
  return async ({
    workspaceId,
    route,
    senderId,
    quiet,
    start,
    durationMs = 0,
  }: PlannedSending): Promise<Pick<Seen, 'quietHours' | 'sender'>> => {
    const isQuiet = route === 'generic' && quiet > 0 && meetsQuietHours(start, durationMs);
    // A number is in no list of sender IDs, and a chat app's sender is a device.
    const isListed = (route === 'generic' || route === 'dnd') && isName(senderId);
    const active = isListed ? await senderIds.knownActive(workspaceId) : undefined;
    const isActive = active?.some((name) => name.toLowerCase() === senderId.toLowerCase());
    return {
      ...(isQuiet && { quietHours: true as const }),
      ...(isActive !== undefined && { sender: isActive ? ('active' as const) : ('inactive' as const) }),
    };
  };
}
