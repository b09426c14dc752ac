import { ifOwn, ifSteerable } from '../../../domain/access/ownership.ts';
import { createKeyedMutex } from '../../../lib/keyed-mutex.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Store } from '../../../store/store.ts';
import type { Approvals } from '../../approvals/approvals.ts';
import type { Context } from '../../context.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { CreatePreview, Preview } from '../preflight/preflight.ts';
import type { SteeringRequest, SteeringResult } from '../steering.ts';
import {
  type ImportFaults,
  type ImportRequest,
  importRecipients,
  type WriteResult,
} from './import-recipients.ts';
import { countFormer, type FormerRecipients, type RestKind, restId, restOf } from './recipient-sources.ts';

export type CampaignImport =
  | { kind: 'ready'; preview: Preview }
  | ImportFaults
  /** The campaign of this id was started meanwhile. */
  | { kind: 'started'; campaign: Campaign }
  | { kind: 'not_connected' };

/** Recipients of a former campaign, for the form of a new one. */
export interface FoundRecipients {
  kind: 'found';
  source: FormerRecipients;
  recipients: number;
}

interface ImportsOthers {
  workspaces: Workspaces;
  approvals: Approvals;
  createPreview: CreatePreview;
}

export function createCampaignImports(context: Context, others: ImportsOthers) {
  const inOrder = createImportQueue();
  const runImport = createImport(context, others);

  return {
    /**
     * Writes the recipients down as a campaign that is ready to be started. Replaces one of the same id that is not
     * started yet. Throws when the id is that of another user's campaign.
     */
    importRecipients(asked: ImportRequest): Promise<CampaignImport> {
      const request = { ...asked, id: campaignIdOf(asked) };
      const { userId, source, form, numberColumn } = request;
      return inOrder(request, JSON.stringify([userId, source, form, numberColumn]), () => runImport(request));
    },

    ...createFormerRecipients(context),
  };
}

/** Returns a function that makes a campaign of what was asked for. */
function createImport(context: Context, { workspaces, approvals, createPreview }: ImportsOthers) {
  const { campaigns } = context.store;

  /** Discards a campaign that is not started yet, or whose import broke off. Returns one that was started. */
  async function makeRoom(workspaceId: string, id: string): Promise<CampaignImport | undefined> {
    const known = await campaigns.find(workspaceId, id);
    if (known === undefined) {
      return undefined;
    }
    if (!(await campaigns.discard(workspaceId, id))) {
      return startedMeanwhile(campaigns, workspaceId, id);
    }
    // Now, as the new draft may be just like it but for the list.
    await approvals.changed();
    return undefined;
  }

  /** Writes a campaign in the place of one of the same id, unless that was started. */
  async function replace(
    { workspaceId, id, source }: ImportRequest,
    write: () => Promise<WriteResult | { kind: 'not_connected' }>,
  ): Promise<CampaignImport> {
    const replaces = source.kind === 'former' && source.which === 'all' ? source.campaign.id : undefined;
    const known = await makeRoom(workspaceId, id);
    if (known !== undefined) {
      return known;
    }
    const result = await write();
    if (result.kind === 'written') {
      return { kind: 'ready', preview: await createPreview(result.campaign, result.columns) };
    }
    switch (result.kind) {
      case 'known':
        return startedMeanwhile(campaigns, workspaceId, id);
      case 'superseded':
        return replaces === undefined
          ? noDraft
          : ((await startedInstead(campaigns, workspaceId, replaces)) ?? noDraft);
      default:
        return result;
    }
  }

  return async (request: ImportRequest): Promise<CampaignImport> => {
    const { workspaceId, id, userId, source } = request;
    const before = await campaigns.find(workspaceId, id);
    // A rest has one campaign, even if its creator and an admin both prepare it.
    const isRest = source.kind === 'former' && before?.retryOf === source.campaign.id;
    if (before !== undefined && ifOwn(before, userId) === undefined && !isRest) {
      throw new Error('a campaign of another person');
    }
    const result = await replace(request, () => importRecipients(request, context, workspaces));
    await approvals.changed();
    return result;
  };
}

async function startedInstead(
  campaigns: Store['campaigns'],
  workspaceId: string,
  id: string,
): Promise<CampaignImport | undefined> {
  const campaign = await campaigns.find(workspaceId, id);
  return campaign && { kind: 'started', campaign };
}

async function startedMeanwhile(
  campaigns: Store['campaigns'],
  workspaceId: string,
  id: string,
): Promise<CampaignImport> {
  const started = await startedInstead(campaigns, workspaceId, id);
  if (started === undefined) {
    throw new Error('a campaign was known and is not');
  }
  return started;
}

function createFormerRecipients({ store: { campaigns, refuseOutdated } }: Context) {
  return {
    /**
     * Finds those recipients of a campaign that has ended who got nothing, were rejected or are unconfirmed. A campaign of
     * theirs is replaced until it is started, and is `sent_on` from then on: there is at most one for each of the three.
     *
     * @throws StoreError `outdated` for a campaign from before the data was restored
     */
    async findRest({
      which,
      ...request
    }: SteeringRequest & { which: RestKind }): Promise<
      | FoundRecipients
      | { kind: 'sent_on'; campaign: Campaign }
      | Extract<SteeringResult, { kind: 'gone' | 'too_late' }>
    > {
      const { workspaceId, id } = request;
      const campaign = ifSteerable(await campaigns.find(workspaceId, id), request);
      if (campaign === undefined) {
        return { kind: 'gone' };
      }
      const recipients = countFormer({ campaign, which });
      if (recipients === undefined) {
        return { kind: 'too_late', campaign };
      }
      refuseOutdated(id);
      const known = await campaigns.find(workspaceId, restId(id, which));
      return known === undefined || known.state === 'reading' || known.state === 'ready'
        ? { kind: 'found', source: { kind: 'former', campaign, which }, recipients }
        : { kind: 'sent_on', campaign: known };
    },

    /**
     * Finds the recipients of the user's own draft: all of them, for a campaign that takes its place; for a draft of a
     * rest, those of that rest.
     *
     * @throws StoreError `outdated` for a draft from before the data was restored
     */
    async findOfDraft(request: SteeringRequest): Promise<FoundRecipients | { kind: 'gone' }> {
      const { workspaceId, id, userId } = request;
      refuseOutdated(id);
      const draft = ifOwn(await campaigns.find(workspaceId, id), userId);
      const which = draft && restOf(draft);
      const campaign =
        which === undefined
          ? draft
          : ifSteerable(await campaigns.find(workspaceId, draft?.retryOf ?? ''), request);
      const recipients = campaign && countFormer({ campaign, which: which ?? 'all' });
      return campaign === undefined || recipients === undefined || draft?.state !== 'ready'
        ? { kind: 'gone' }
        : { kind: 'found', source: { kind: 'former', campaign, which: which ?? 'all' }, recipients };
    },
  };
}

const noDraft: CampaignImport = {
  kind: 'faults',
  faults: { recipients: 'This draft was discarded meanwhile.' },
  isGone: true,
};

/** A rest has one campaign, with an id of its own. */
function campaignIdOf({ id, source }: ImportRequest): string {
  return source.kind === 'former' && source.which !== 'all' ? restId(source.campaign.id, source.which) : id;
}

/**
 * Runs the imports of one campaign one after the other, so that the last form submitted counts. A `fingerprint` equal to
 * that of the last import still running shares its result.
 */
function createImportQueue() {
  const mutex = createKeyedMutex();
  const latest = new Map<string, { fingerprint: string; result: Promise<CampaignImport> }>();

  return (
    { workspaceId, id }: { workspaceId: string; id: string },
    fingerprint: string,
    work: () => Promise<CampaignImport>,
  ): Promise<CampaignImport> => {
    const key = JSON.stringify([workspaceId, id]);
    const last = latest.get(key);
    if (last?.fingerprint === fingerprint) {
      return last.result;
    }
    const result = mutex(key, work).finally(() => {
      if (latest.get(key)?.result === result) {
        latest.delete(key);
      }
    });
    latest.set(key, { fingerprint, result });
    return result;
  };
}
