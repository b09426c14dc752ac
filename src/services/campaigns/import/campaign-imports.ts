import { ifOwn, ifSteerable } from '../../../domain/access/ownership.ts';
import type { ReadingReview } from '../../../domain/csv/number-table.ts';
import { createKeyedMutex } from '../../../lib/keyed-mutex.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Approvals } from '../../approvals/approvals.ts';
import type { Context } from '../../context.ts';
import type { SenderIdService } from '../../sender-ids/sender-id-service.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { CampaignReview, Preflight } from '../preflight/preflight.ts';
import type { SteeringRequest, SteeringResult } from '../steering.ts';
import { type ImportRequest, importRecipients } from './import-recipients.ts';
import { countEarlier, type EarlierRecipients, type RestKind, restId, restOf } from './recipient-sources.ts';
import type { ImportFaults } from './write-recipients.ts';

export type CampaignImport =
  /**
   * `review`: how a table was read. `followedUp`: how many recipients already got a follow-up, see `FollowUp`. `accents`: as
   * `ReadDetails`.
   */
  | {
      kind: 'ready';
      review: CampaignReview;
      readingReview?: ReadingReview | undefined;
      followedUp: number;
      accents?: [letter: string, plain: string][] | undefined;
    }
  | ImportFaults
  /** The campaign of this id was started meanwhile. */
  | { kind: 'started'; campaign: Campaign };

/** Recipients of an earlier campaign, for the form of a new one. */
export interface FoundRecipients {
  kind: 'found';
  source: EarlierRecipients;
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
    senderIds,
  }: {
    workspaces: Workspaces;
    approvals: Approvals;
    preflight: Pick<Preflight, 'createReview'>;
    senderIds: Pick<SenderIdService, 'activeFor'>;
  },
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
    const isRest = source.kind === 'earlier' && before?.retryOf === source.campaign.id;
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
    const ofDraft = source.kind === 'earlier' && source.which === 'draft' ? source.campaign : undefined;
    const replaces = before ?? ofDraft;
    const active = await senderIds.activeFor(workspaceId, request.form);
    const result = await importRecipients({ ...request, replaces, active }, context, workspaces);
    await approvals.changed();
    switch (result.kind) {
      case 'written':
        return {
          kind: 'ready',
          review: await preflight.createReview(result.campaign),
          readingReview: result.readingReview,
          followedUp: result.followedUp ?? 0,
          accents: result.accents,
        };
      case 'known': {
        const campaign = await campaigns.find(workspaceId, id);
        if (campaign === undefined) {
          throw new Error('a campaign disappeared during its import');
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
      const { userId, source, form, reading } = asked;
      // There is one follow-up campaign for the remaining recipients, with an id of its own.
      const id =
        source.kind === 'earlier' && source.which !== 'draft'
          ? restId(source.campaign.id, source.which)
          : asked.id;
      const request = { ...asked, id };
      return inOrder(request, JSON.stringify([userId, source, form, reading]), () => runImport(request));
    },

    ...createEarlierRecipients(context),
  };
}

function createEarlierRecipients({ store: { campaigns, refuseOutdated } }: Context) {
  return {
    /**
     * Finds the recipients of an ended campaign who got nothing, were rejected or are unconfirmed. Each of the three groups
     * has at most one new campaign: replaced while it is a draft, and `continued` once it has started.
     *
     * @throws StoreError `outdated` for a campaign from before the data was restored
     */
    async findRest({
      which,
      ...request
    }: SteeringRequest & { which: RestKind }): Promise<
      | FoundRecipients
      | { kind: 'continued'; campaign: Campaign }
      | Extract<SteeringResult, { kind: 'too_late' }>
      | { kind: 'gone' }
    > {
      const { workspaceId, id } = request;
      const campaign = ifSteerable(await campaigns.find(workspaceId, id), request);
      if (campaign === undefined) {
        return { kind: 'gone' };
      }
      const recipients = countEarlier({ campaign, which });
      if (recipients === undefined) {
        return { kind: 'too_late', campaign };
      }
      refuseOutdated(id);
      const known = await campaigns.find(workspaceId, restId(id, which));
      return known === undefined || known.state === 'reading' || known.state === 'ready'
        ? {
            kind: 'found',
            source: { kind: 'earlier', campaign, which },
            recipients,
            draft: known?.state === 'ready' ? known.version : undefined,
          }
        : { kind: 'continued', campaign: known };
    },

    /**
     * Finds the recipients for a replacement of the user's own draft: the draft's, or the same rest of the earlier campaign.
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
      const recipients = campaign && countEarlier({ campaign, which: which ?? 'draft' });
      return campaign === undefined || recipients === undefined || draft?.state !== 'ready'
        ? { kind: 'gone' }
        : { kind: 'found', source: { kind: 'earlier', campaign, which: which ?? 'draft' }, recipients };
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
  faults: { recipients: 'This draft was discarded in the meantime.' },
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
