import { type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { createListeners } from '../../lib/listeners.ts';
import { isHeld, shutOutPause } from '../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { CampaignFailure } from '../../store/campaigns/recipient-queries.ts';
import type { AccessService } from '../access/access.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import type { Costs } from '../costs/costs.ts';
import type { Limits } from '../limits/limits.ts';
import type { DndChecker } from '../numbers/number-lookup.ts';
import type { Operations } from '../operations/operations.ts';
import { describeFailure } from '../operations/outcomes.ts';
import type { SenderIdService } from '../sender-ids/sender-id-service.ts';
import type { SendingFacts } from '../sender-ids/sending-facts.ts';
import type { SavedForms } from '../workspaces/saved-forms.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { createCampaignApprovals } from './approval/campaign-approvals.ts';
import type { CampaignChanges } from './campaign-changes.ts';
import { createAudiences } from './import/audiences.ts';
import { createCampaignImports } from './import/campaign-imports.ts';
import { createFollowUps } from './import/follow-ups.ts';
import { createPreflight } from './preflight/preflight.ts';
import { createRepeats } from './repeats.ts';
import { createResultTable, type ResultFileKind } from './result-files.ts';
import { CampaignScheduler } from './sending/campaign-scheduler.ts';
import { nameOf } from './sending/running-campaigns.ts';
import { createSplit } from './split.ts';
import { activeStates, createSteering, type SteeringRequest } from './steering.ts';

/** One message to many recipients, none of them twice: imported, reviewed, started, and sent chunk by chunk. */
export type CampaignService = ReturnType<typeof createCampaignService>;

export function createCampaignService(
  context: Context,
  deps: {
    workspaces: Workspaces;
    access: AccessService;
    limits: Limits;
    operations: Operations;
    approvals: Approvals;
    senderIds: SenderIdService;
    sendingFacts: SendingFacts;
    dndChecker: DndChecker;
    costs: Costs;
    savedForms: SavedForms;
    /** The most requests in flight of one workspace's campaigns together, of this instance. */
    maxRequests: number;
  },
) {
  const { store, broadcast, report } = context;
  const { campaigns } = store;
  const { approvals, limits } = deps;
  const limiter = limits.campaigns;
  const { tell: onChange, watch } = createListeners<Campaign>(report);
  const settling = new Set<Promise<void>>();
  // Gives back the pages of campaigns that pause or end.
  watch((campaign) => {
    if (campaign.state !== 'running' && campaign.state !== 'scheduled' && campaign.inFlight === 0) {
      const settled = limiter.settle(campaign).finally(() => settling.delete(settled));
      settling.add(settled);
    }
  });
  const changes: CampaignChanges = {
    changed: onChange,
    // Which instance sends it is not known here.
    async moved(campaign) {
      onChange(campaign);
      const name = nameOf(campaign);
      broadcast.send('campaigns', name);
      await scheduler.wake(name);
    },
  };
  const { createReview, ...preflight } = createPreflight(context, deps);
  const campaignApprovals = createCampaignApprovals(context, { ...deps, changes });
  const scheduler = new CampaignScheduler(context, { ...deps, campaignApprovals }, onChange);
  broadcast.on('campaigns', (name) => void scheduler.wake(name));
  const imports = createCampaignImports(context, { ...deps, preflight: { createReview } });
  const audiences = createAudiences(context);
  const steering = createSteering(context, { ...deps, limiter, campaignApprovals, changes });
  const { start: startRepeats, ...repeats } = createRepeats(context, {
    ...deps,
    steering,
    campaignApprovals,
    changes,
  });
  let stopRepeats = async () => {};

  return {
    ...imports,
    ...audiences,
    ...createFollowUps(context, { ...imports, ...audiences }),
    ...preflight,
    ...steering,
    ...repeats,
    ...createSplit(context, deps),
    ...createCampaignQueries(context),
    /** Starts that wait for an approver. */
    approvals: campaignApprovals,
    /** Calls the listener at every change of a campaign's state or counts. Returns a function that removes it. */
    watch,

    /** Returns the table of a file; undefined when it would have no rows. */
    async resultTable({ which, id, ...user }: SteeringRequest & { which: ResultFileKind }) {
      const campaign = await steering.find(user, id);
      return campaign && createResultTable(campaign, which, store);
    },

    /** Called when campaigns lost recipients: tells the listeners, and ends the requests for approval. Never rejects. */
    async lostRecipients(workspaceId: string, ids: readonly string[]): Promise<void> {
      if (ids.length === 0) {
        return;
      }
      try {
        for (const id of ids) {
          const campaign = await campaigns.find(workspaceId, id);
          if (campaign !== undefined) {
            onChange(campaign);
          }
        }
      } catch (error) {
        report(error);
      }
      await approvals.changed();
    },

    throughput: (campaign: Campaign) => scheduler.throughput(campaign),

    /** Starts to send. Campaigns that a stop or a crash interrupted go on with their next chunk. */
    startSending(): void {
      scheduler.start();
      stopRepeats = startRepeats();
    },

    /** Claims nothing more. Resolves when nothing is in flight and every ending is stored. */
    async stopSending(): Promise<void> {
      await Promise.all([stopRepeats(), scheduler.stop()]);
      await Promise.all(settling);
    },

    /** Pauses the campaigns of a workspace where Slack no longer accepts the app. */
    async holdWorkspace(workspaceId: string): Promise<void> {
      for (const campaign of await campaigns.inState(['running'])) {
        const moved =
          campaign.workspaceId === workspaceId
            ? await campaigns.move(workspaceId, campaign.id, ['running'], 'paused', { pause: shutOutPause })
            : undefined;
        if (moved !== undefined) {
          await changes.moved(moved);
        }
      }
    },

    /** Claims nothing more of a workspace that is about to be deleted. Requests in flight end by themselves. */
    stopWorkspace: (workspaceId: string) => scheduler.stopWorkspace(workspaceId),
  };
}

/** Why recipients of a campaign failed, in sentences. */
export type CampaignFailures = Readonly<
  Record<'rejected' | 'unconfirmed', readonly { reason: string; recipients: number }[]>
>;

function createCampaignQueries({ store: { campaigns, deliveries } }: Context) {
  return {
    /** Returns any campaign, for the program's own use. Requests of a user go through `find`. */
    findAny: campaigns.find,

    /** Returns the newest first. */
    listRecent: ({
      userId: createdBy,
      ...query
    }: {
      workspaceId: string;
      userId?: string | undefined;
      isMessage?: true | undefined;
      states?: readonly CampaignState[] | undefined;
      limit: number;
    }) => campaigns.recent({ ...query, createdBy }),

    /** Returns the recipients of a scheduled message, while they are kept; empty for any other campaign. */
    async recipientsOfMessage({ workspaceId, id, isMessage }: Campaign): Promise<PhoneNumber[]> {
      const all: PhoneNumber[] = [];
      for await (const { to } of isMessage ? campaigns.everyChunk(workspaceId, id) : []) {
        all.push(...to.map((number) => phoneNumberSchema.parse(number)));
      }
      return all;
    },

    /** Returns the campaigns of every workspace that may still be sent. */
    listActive: () => campaigns.inState(activeStates),

    /** Returns a workspace's campaigns that are paused since the data was restored or copied. */
    async listHeld(workspaceId: string): Promise<Campaign[]> {
      const paused = await campaigns.inState(['paused']);
      return paused.filter((campaign) => campaign.workspaceId === workspaceId && isHeld(campaign));
    },

    /** Returns the campaigns of every workspace whose progress message is out of date. */
    listUnshown: campaigns.unshown,

    /**
     * Returns why recipients were rejected or are unconfirmed, the most frequent reason first. Nothing while the campaign is
     * sent, as each request may change it.
     */
    async failuresOf({ sequence, state, counts }: Campaign): Promise<CampaignFailures> {
      const isRead = state !== 'running' && counts.rejected + counts.unconfirmed > 0;
      const found = isRead ? await campaigns.failures(sequence) : [];
      const reasonsOf = (of: CampaignFailure['state']) => {
        const sums = new Map<string, number>();
        for (const { error, recipients } of found.filter((each) => each.state === of)) {
          const reason = describeFailure(error).happened;
          sums.set(reason, (sums.get(reason) ?? 0) + recipients);
        }
        return [...sums]
          .map(([reason, recipients]) => ({ reason, recipients }))
          .filter(({ recipients }) => recipients > 0)
          .sort((one, other) => other.recipients - one.recipients);
      };
      return { rejected: reasonsOf('rejected'), unconfirmed: reasonsOf('unconfirmed') };
    },

    /** Stores that the campaign's progress message shows it as it is given. */
    setShown: campaigns.setShown,

    /** Stores where the campaign's progress message is. */
    setProgressMessage: ({ workspaceId, id }: Campaign, message: { channel: string; ts: string }) =>
      campaigns.setMessage(workspaceId, id, message),

    /** Returns the outcomes of a campaign's recipients that are no longer unconfirmed. */
    resolvedOf: ({ workspaceId, id }: Campaign) => deliveries.ofResolved(workspaceId, id),
  };
}
