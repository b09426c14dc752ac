import { maskPersonal } from '../../lib/redact.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Outcome, ProviderError } from '../../provider/errors.ts';
import { detailOf } from '../../provider/response/error-messages.ts';
import type { Ending, OperationError } from '../../store/operations/operation.ts';

/** Maps a provider's outcome to an ending for the ledger. The provider's own words are stored without phone numbers. */
export function toEnding<T>(
  outcome: Outcome<T>,
  accepted: (value: T) => Omit<Ending, 'state' | 'error'>,
): Ending {
  if (outcome.kind === 'accepted') {
    return { state: 'accepted', ...accepted(outcome.value) };
  }
  const { receiptId } = outcome.error;
  return {
    state: outcome.kind,
    error: toOperationError(outcome.error),
    ...(receiptId === undefined ? {} : { receiptId }),
  };
}

/** Absent facts stay absent, as the error is stored as JSON. */
function toOperationError(error: ProviderError): OperationError {
  const { reason, status, providerMessage, retryAfter } = error;
  const detail = detailOf(error);
  return {
    reason,
    ...(detail === undefined ? {} : { detail: maskPersonal(detail) }),
    ...(status === undefined ? {} : { status }),
    ...(providerMessage === undefined ? {} : { providerMessage: maskPersonal(providerMessage) }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/** What a workspace's provider answered to a read. */
export type ProviderAnswer<T> =
  | { kind: 'answered'; value: T }
  | { kind: 'failed'; error: ProviderError }
  | { kind: 'not_connected' };

/** Asks the provider of a workspace, where it is connected. */
export async function askAccount<T>(
  workspaces: { account(workspaceId: string): Promise<ProviderAccount | undefined> },
  workspaceId: string,
  ask: (account: ProviderAccount) => Promise<Outcome<T>>,
): Promise<ProviderAnswer<T>> {
  const account = await workspaces.account(workspaceId);
  return account === undefined ? { kind: 'not_connected' } : toAnswer(await ask(account));
}

export function toAnswer<T>(outcome: Outcome<T>): ProviderAnswer<T> {
  return outcome.kind === 'accepted'
    ? { kind: 'answered', value: outcome.value }
    : { kind: 'failed', error: outcome.error };
}
