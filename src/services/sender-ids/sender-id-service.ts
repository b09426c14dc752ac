import { z } from 'zod';
import { definedFaults } from '../../domain/messages/message-checks.ts';
import { isName, readNewSenderId, readSenderId } from '../../domain/messages/sender-id.ts';
import type { Page } from '../../provider/response/paging.ts';
import type { SenderId } from '../../provider/sender-ids.ts';
import type { Context } from '../context.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import { accepted } from '../refusal.ts';
import { createAccountListCache, gatherList } from '../workspaces/account-list-cache.ts';
import type { UserPreferences } from '../workspaces/workspace-settings.ts';
import { notConnected, type Workspaces } from '../workspaces/workspaces.ts';
import { createNetworkCheck } from './network-check.ts';

interface SenderIdChoices {
  /** Names of the active ones, in the provider's order. */
  names: readonly string[];
  /** Why the list may be wrong or empty, for the user. */
  note?: string | undefined;
}

export interface SenderIdFilter {
  name?: string | undefined;
  status?: string | undefined;
  /** Zero-based. */
  page: number;
}

interface SenderIdRequest {
  workspaceId: string;
  userId: string;
  key: string;
  form: SenderIdForm;
}

const choicesTtlMs = 5 * 60_000;
/** In milliseconds. */
const quickMs = 500;
const perPage = 100;

export type SenderIdService = ReturnType<typeof createSenderIdService>;

/** The sender IDs of a workspace's account, and requests for new ones (API §4.10, §4.11). */
export function createSenderIdService(
  context: Context,
  { workspaces, operations }: { workspaces: Workspaces; operations: Operations },
) {
  const {
    time: { elapsed },
    timers,
  } = context;
  const lists = createAccountListCache<string>({
    elapsed,
    timers,
    ttlMs: choicesTtlMs,
    fetch: (account) =>
      gatherList(account.senderIds.all({ status: 'active', size: perPage }), ({ senderId, status }) =>
        status === 'active' ? [senderId, senderId] : undefined,
      ),
  });

  /**
   * Returns the active sender IDs to choose from. Resolves within little more than a second whatever the provider does:
   * then with the last known list, or none, and a note that says so.
   */
  async function choices(workspaceId: string): Promise<SenderIdChoices> {
    const account = await workspaces.account(workspaceId);
    if (account === undefined) {
      return { names: [], note: notConnected };
    }
    const { records: names, note } = await lists.getWithin(account);
    return { names, note: note !== undefined && names.length === 0 ? `${note}: type yours` : note };
  }

  /** Returns the names of all active ones; undefined after half a second. The list is still fetched, for the next call. */
  async function knownActive(workspaceId: string): Promise<readonly string[] | undefined> {
    const account = await workspaces.account(workspaceId);
    const list = account && (await lists.getWithin(account, quickMs));
    return list?.note === undefined ? list?.records : undefined;
  }

  return {
    choices,

    /** Returns the names of all active ones; undefined where the provider does not send its list within a second. */
    async active(workspaceId: string): Promise<readonly string[] | undefined> {
      const { names, note } = await choices(workspaceId);
      return note === undefined ? names : undefined;
    },

    /** The same for what must not wait. */
    knownActive,

    checkNetworks: createNetworkCheck(context),

    /**
     * Returns the active sender IDs that a typed one is checked by, see `readSenderId`: none where it needs no list. While the
     * list can't be fetched, the typed one counts as active, and the provider decides.
     */
    async activeFor(
      workspaceId: string,
      { route, senderId = '' }: { route?: string | undefined; senderId?: string | undefined },
    ): Promise<readonly string[]> {
      const typed = senderId.trim();
      const needsList = route !== 'chatapp' && typed !== '' && !readSenderId(typed).ok;
      const account = needsList ? await workspaces.account(workspaceId) : undefined;
      if (account === undefined) {
        return [];
      }
      const { records, note } = await lists.getWithin(account, quickMs);
      return note === undefined || records.length > 0 ? records : [typed];
    },

    /**
     * Loads the list for `knownActive` in the background. Resolves once the provider answers or times out.
     */
    async loadActive(workspaceId: string): Promise<void> {
      const account = await workspaces.account(workspaceId);
      await (account && lists.get(account));
    },

    /** Returns what a user sent with last, without sender IDs that are known not to be active any more. */
    async lastUsed(workspaceId: string, userId: string): Promise<UserPreferences> {
      const { senderId, campaignSenderId, ...last } = await workspaces.preferences(workspaceId, userId);
      const isAny = senderId !== undefined || campaignSenderId !== undefined;
      const active = isAny ? await knownActive(workspaceId) : undefined;
      // A number is in no such list.
      const ifUsable = (name = '') =>
        !isName(name) || active?.some((each) => each.toLowerCase() === name.toLowerCase()) !== false
          ? name || undefined
          : undefined;
      return { ...last, senderId: ifUsable(senderId), campaignSenderId: ifUsable(campaignSenderId) };
    },

    /** Returns one page of the account's sender IDs. */
    async list(workspaceId: string, { name, status, page }: SenderIdFilter): Promise<Page<SenderId>> {
      const filter = { ...(name === undefined ? {} : { name }), ...(status === undefined ? {} : { status }) };
      return accepted(await (await workspaces.connected(workspaceId)).senderIds.list({ page, ...filter }));
    },

    /** Requests a sender ID from the provider's administrators, once for its key. */
    request({ form, ...who }: SenderIdRequest): Promise<SpendResult> {
      const { senderId, company, useCase: text } = form;
      const intent = { ...who, kind: 'sender_id.request', summary: { senderId, company }, text };
      return operations.spend({ ...intent, usage: { kind: 'free' } }, async (account) =>
        toEnding(await account.senderIds.request(form), () => ({})),
      );
    },
  };
}

/** A request for a sender ID, as typed into the form. */
export interface SenderIdForm {
  senderId: string;
  useCase: string;
  company: string;
}

/** In characters: shorter, a request is declined at once, or stays pending for a question. */
const minSampleLength = 20;
const minSampleWords = 3;
const minCompanyLength = 3;

export type ReadSenderIdForm =
  | { ok: true; form: SenderIdForm }
  | { ok: false; faults: Partial<Record<keyof SenderIdForm, string>> };

/** What the ledger stores of a request. */
export const senderIdSummarySchema = z.object({ senderId: z.string(), company: z.string() });

/** Reads the whole form (API §4.11). Each fault is a sentence to show beside its field. */
export function readSenderIdForm(typed: SenderIdForm): ReadSenderIdForm {
  const read = readNewSenderId(typed.senderId);
  const useCase = typed.useCase.trim();
  const company = typed.company.trim();
  const words = useCase.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const faults = definedFaults({
    senderId: read.ok ? undefined : read.reason,
    useCase:
      useCase.length >= minSampleLength && words.length >= minSampleWords
        ? undefined
        : `Write a whole message, at least ${minSampleLength} characters. The provider’s reviewers read this sample.`,
    company: company.length < minCompanyLength ? 'Enter the full name of the company.' : undefined,
  });
  if (!read.ok || Object.keys(faults).length > 0) {
    return { ok: false, faults };
  }
  return { ok: true, form: { senderId: read.senderId, useCase, company } };
}
