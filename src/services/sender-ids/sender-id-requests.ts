import { z } from 'zod';
import { readSenderId } from '../../domain/messages/sender-id.ts';
import type { ProviderError } from '../../provider/errors.ts';
import type { Page } from '../../provider/response/paging.ts';
import type { SenderId } from '../../provider/sender-ids/sender-ids.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { Operations } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

export interface SenderIdFilter {
  name?: string | undefined;
  status?: string | undefined;
  /** Zero-based. */
  page: number;
}

export type SenderIdList =
  | { kind: 'listed'; page: Page<SenderId> }
  | { kind: 'failed'; error: ProviderError }
  | { kind: 'not_connected' };

/** A request as it was typed into the form. */
export interface SenderIdForm {
  senderId: string;
  useCase: string;
  company: string;
}

export type ReadSenderIdForm =
  | { ok: true; form: SenderIdForm }
  | { ok: false; faults: Partial<Record<keyof SenderIdForm, string>> };

/** What the ledger keeps of a request. */
export const senderIdSummarySchema = z.object({ senderId: z.string(), company: z.string() });

export type RequestSenderIdResult =
  | { kind: 'performed'; operation: Operation; first: boolean }
  | { kind: 'cancelled' }
  | { kind: 'not_connected' };

/** The account's sender IDs, and asking for new ones (API §4.10, §4.11). */
export interface SenderIdRequests {
  list(workspaceId: string, filter: SenderIdFilter): Promise<SenderIdList>;
  /** Asks the provider's administrators for a sender ID, once for its key. */
  request(asked: {
    workspaceId: string;
    userId: string;
    key: string;
    form: SenderIdForm;
  }): Promise<RequestSenderIdResult>;
}

export function createSenderIdRequests(options: {
  workspaces: Workspaces;
  operations: Operations;
}): SenderIdRequests {
  const { workspaces, operations } = options;
  return {
    async list(workspaceId, { name, status, page }) {
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const answer = await account.senderIds.list({
        page,
        ...(name === undefined ? {} : { name }),
        ...(status === undefined ? {} : { status }),
      });
      return answer.kind === 'accepted'
        ? { kind: 'listed', page: answer.value }
        : { kind: 'failed', error: answer.error };
    },

    async request({ workspaceId, userId, key, form }) {
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const { senderId, company } = form;
      const intent = {
        workspaceId,
        key,
        kind: 'sender_id.request',
        userId: userId,
        summary: { senderId, company },
      };
      return operations.perform(intent, async () =>
        toEnding(await account.senderIds.request(form), () => ({})),
      );
    },
  };
}

/** Reads the form of a request whole, and names every fault beside its field (API §4.11). */
export function readSenderIdForm(typed: SenderIdForm): ReadSenderIdForm {
  const read = readSenderId(typed.senderId);
  const useCase = typed.useCase.trim();
  const company = typed.company.trim();
  if (!read.ok || useCase === '' || company === '') {
    return {
      ok: false,
      faults: {
        ...(read.ok ? {} : { senderId: read.reason }),
        ...(useCase === '' ? { useCase: 'Write a sample of what you will send.' } : {}),
        ...(company === '' ? { company: 'Enter the name of the company.' } : {}),
      },
    };
  }
  return { ok: true, form: { senderId: read.senderId, useCase, company } };
}
