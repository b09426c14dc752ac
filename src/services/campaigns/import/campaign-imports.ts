import { ifOwn, ifSteerable } from '../../../domain/access/ownership.ts';
import { createKeyedMutex } from '../../../lib/keyed-mutex.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Approvals } from '../../approvals/approvals.ts';
import type { Context } from '../../context.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { Preflight, Preview } from '../preflight/preflight.ts';
import type { SteeringRequest, SteeringResult } from '../steering.ts';
import { type ImportFaults, type ImportRequest, importRecipients } from './import-recipients.ts';
import { countFormer, type FormerRecipients, type RestKind, restId, restOf } from './recipient-sources.ts';

export type CampaignImport =
  /** `followedUp`: how many recipients already got a follow-up, see `FollowUp`. */
  | { kind: 'ready'; preview: Preview; followedUp: number }
  | ImportFaults
  /** The campaign of this id was started meanwhile. */
  | { kind: 'started'; campaign: Campaign };

/** Recipients of a former campaign, for the form of a new one. */
export interface FoundRecipients {
  kind: 'found';
  source: FormerRecipients;
  recipients: number;
  /** The version of the existing draft, which the new campaign replaces. */
  draft?: string | undefined;
}

export type CampaignImports = ReturnType<typeof createCampaignImports>;

export function createCampaignImports(
  context: Context,
  {
    workspaces,
    approvals,
    preflight,
  }: { workspaces: Workspaces; approvals: Approvals; preflight: Pick<Preflight, 'createPreview'> },
) {
  const { campaigns } = context.store;
  const inOrder = createImportQueue();

  /**
   * Creates a campaign from a request. An existing draft stays until its replacement has been read
   * completely.
   */
  async function runImport(request: ImportRequest): Promise<CampaignImport> {
    const { workspaceId, id, userId, source } = request;
    let before = await campaigns.find(workspaceId, id);
    // There is one follow-up campaign for the remaining recipients, even if its creator and an admin both
    // prepare it.
    const isRest = source.kind === 'former' && before?.retryOf === source.campaign.id;
    if (before !== undefined && ifOwn(before, userId) === undefined && !isRest) {
      throw new Error('a campaign of another person');
    }
    if (before?.state === 'reading') {
      await campaigns.discard(workspaceId, id, ['reading']);
      before = await campaigns.find(workspaceId, id);
    }
    if (before !== undefined && before.state !== 'ready') {
      return { kind: 'started', campaign: before };
    }
    if (before !== undefined && before.version !== request.shownVersion) {
      return { ...changedDraft, isOfAnother: true };
    }
    const ofDraft = source.kind === 'former' && source.which === 'draft' ? source.campaign : undefined;
    const replaces = before ?? ofDraft;
    const result = await importRecipients({ ...request, replaces }, context, workspaces);
    await approvals.changed();
    switch (result.kind) {
      case 'written':
        return {
          kind: 'ready',
          preview: await preflight.createPreview(result.campaign, result.columns),
          followedUp: result.followedUp ?? 0,
        };
      case 'known': {
        const campaign = await campaigns.find(workspaceId, id);
        if (campaign === undefined) {
          throw new Error('a campaign was known and is not');
        }
        return { kind: 'started', campaign };
      }
      case 'superseded': {
        const campaign = replaces && (await campaigns.find(workspaceId, replaces.id));
        if (campaign === undefined || campaign.state === 'reading') {
          return noDraft;
        }
        if (campaign.state !== 'ready') {
          return { kind: 'started', campaign };
        }
        // If the draft is unchanged, the import was discarded.
        return campaign.version === replaces?.version ? noDraft : changedDraft;
      }
      default:
        return result;
    }
  }

  return {
    /**
     * Stores the recipients as a draft that can be started. Replaces a draft with the same id if it's the
     * version the user saw. Throws if the id belongs to another user's campaign.
     */
    importRecipients(asked: ImportRequest): Promise<CampaignImport> {
      const { userId, source, form, numberColumn } = asked;
      // There is one follow-up campaign for the remaining recipients, with an id of its own.
      const id =
        source.kind === 'former' && source.which !== 'draft'
          ? restId(source.campaign.id, source.which)
          : asked.id;
      const request = { ...asked, id };
      return inOrder(request, JSON.stringify([userId, source, form, numberColumn]), () => runImport(request));
    },

    ...createFormerRecipients(context),
  };
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
        ? {
            kind: 'found',
            source: { kind: 'former', campaign, which },
            recipients,
            draft: known?.state === 'ready' ? known.version : undefined,
          }
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
      const recipients = campaign && countFormer({ campaign, which: which ?? 'draft' });
      return campaign === undefined || recipients === undefined || draft?.state !== 'ready'
        ? { kind: 'gone' }
        : { kind: 'found', source: { kind: 'former', campaign, which: which ?? 'draft' }, recipients };
    },
  };
}

const changedDraft: ImportFaults = {
  kind: 'faults',
  faults: {
    recipients:
      'This draft has changed since you opened the form, so it was not replaced. Open its new review under Campaigns.',
  },
};

const noDraft: CampaignImport = {
  kind: 'faults',
  faults: { recipients: 'This draft was discarded meanwhile.' },
  isGone: true,
};

/**
 * Runs the imports of a campaign one at a time, so that each finds the draft it would replace. An import with
 * the same `fingerprint` as the last one still running shares its result.
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
