import { createListeners } from '../../lib/listeners.ts';
import type { Campaign, CampaignState } from '../../store/campaigns/campaigns.ts';
import { isHeld, shutOutPause } from '../../store/campaigns/hold-campaigns.ts';
import type { ResolvedDeliveries } from '../../store/deliveries/deliveries.ts';
import type { AccessService } from '../access/access.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import type { Costs } from '../costs/costs.ts';
import type { Limits } from '../limits/limits.ts';
import type { DndChecker } from '../numbers/number-lookup.ts';
import type { Operations } from '../operations/operations.ts';
import type { SenderIdService } from '../sender-ids/sender-id-service.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type CampaignApprovals, createCampaignApprovals } from './approval/campaign-approvals.ts';
import { type CampaignImports, createCampaignImports } from './import/campaign-imports.ts';
import { createSettling } from './limit-campaigns.ts';
import { createPreflight, type Preflight } from './preflight/preflight.ts';
import { createResultTable, type ResultFileKind, type ResultTable } from './result-files.ts';
import { CampaignScheduler } from './sending/campaign-scheduler.ts';
import { nameOf } from './sending/campaign-share.ts';
import type { CampaignThroughput } from './sending/running-campaigns.ts';
import { activeStates, createSteering, type Steering, type SteeringRequest } from './steering.ts';

/** One message to many recipients, none of them twice: imported, previewed, started, and sent chunk by chunk. */
export interface CampaignService extends CampaignImports, Preflight, Steering {
  /** Starts that wait for an approver. */
  readonly approvals: CampaignApprovals;
  /** Returns the table of a file; undefined when it would have no rows. */
  resultTable(request: SteeringRequest & { which: ResultFileKind }): Promise<ResultTable | undefined>;
  /** Returns any campaign, for what the program itself shows of it. Requests of a user go through `find`. */
  findAny(workspaceId: string, id: string): Promise<Campaign | undefined>;
  /** Returns the newest first. */
  listRecent(query: {
    workspaceId: string;
    userId?: string | undefined;
    states?: readonly CampaignState[] | undefined;
    limit: number;
  }): Promise<Campaign[]>;
  throughput(campaign: Campaign): CampaignThroughput;
  /** Calls the listener at every change of a campaign's state or counts. Returns a function that removes it. */
  watch(listener: (campaign: Campaign) => void): () => void;
  /** Called when campaigns lost recipients: tells the listeners, and ends the requests for approval. Never rejects. */
  lostRecipients(workspaceId: string, ids: readonly string[]): Promise<void>;
  /** Stores where the campaign's progress message is. */
  setProgressMessage(campaign: Campaign, message: { channel: string; ts: string }): Promise<void>;
  /** Stores that the campaign's progress message shows it as it is given. */
  setShown(campaign: Campaign): Promise<void>;
  /** Returns what became of a campaign’s recipients that were unconfirmed, and are not any more. */
  resolvedOf(campaign: Campaign): Promise<ResolvedDeliveries>;
  /** Returns the campaigns of every workspace whose progress message does not show what they are, or what was reported. */
  listUnshown(): Promise<Campaign[]>;
  /** Returns the campaigns of every workspace that are scheduled, running or paused. */
  listActive(): Promise<Campaign[]>;
  /** Returns a workspace's campaigns that are paused since the data was restored or copied. */
  listHeld(workspaceId: string): Promise<Campaign[]>;
  /** Starts to send. Campaigns that a stop or a crash interrupted go on with their next chunk. */
  startSending(): void;
  /** Claims nothing more. Resolves when nothing is in flight and every ending is stored. */
  stopSending(): Promise<void>;
  /** Pauses what is being sent for a workspace that Slack does not let the app into any more. */
  holdWorkspace(workspaceId: string): Promise<void>;
  /** Claims nothing more of a workspace that is about to be deleted. Requests in flight end by themselves. */
  stopWorkspace(workspaceId: string): void;
}

export function createCampaignService(
  context: Context,
  {
    workspaces,
    access,
    limits,
    operations,
    approvals: desk,
    senderIds,
    dndChecker,
    costs,
    maxRequests,
  }: {
    workspaces: Workspaces;
    access: AccessService;
    limits: Limits;
    operations: Operations;
    approvals: Approvals;
    senderIds: SenderIdService;
    dndChecker: DndChecker;
    costs: Costs;
    /** The most requests in flight of one workspace's campaigns together, of this instance. */
    maxRequests: number;
  },
): CampaignService {
  const { settings, store, broadcast, dialect, metrics, time, timers, report } = context;
  const { campaigns, deliveries, refuseOutdated } = store;
  const { campaigns: limiter } = limits;
  const { campaignMessagesPerSecond: messagesPerSecond } = settings;
  const { tell: onChange, watch } = createListeners<Campaign>(report);
  const settling = createSettling(limiter);
  watch(settling.settle);
  const scheduler = new CampaignScheduler({
    campaigns,
    instances: store.instances,
    workspaces,
    limiter,
    limits: { maxRequests, messagesPerSecond },
    standingOf: ({ workspaceId, createdBy }) => access.standing(workspaceId, createdBy, 'campaign'),
    time,
    timers,
    onChange,
    onChunkEnded(state, recipients) {
      metrics.operation('campaign.chunk', state);
      metrics.campaignRecipients(state, recipients);
    },
    report,
  });
  const { createPreview, ...preflight } = createPreflight({
    campaigns,
    workspaces,
    checkDnd: dndChecker.checkDnd,
    operations,
    activeSenderIds: senderIds.active,
    messagesPerSecond,
    clock: time.now,
  });
  broadcast.on('campaigns', (name) => void scheduler.wake(name));
  /** Has every instance look at a campaign that was changed: which one sends it is not known here. */
  const wake = (campaign: Campaign) => {
    const name = nameOf(campaign);
    broadcast.send('campaigns', name);
    return scheduler.wake(name);
  };
  const approvals = createCampaignApprovals({
    campaigns,
    approvals: store.approvals,
    desk,
    workspaces,
    estimate: costs.estimate,
    limiter,
    refuseOutdated,
    clock: time.now,
    onChange,
    wake,
  });
  const imports = createCampaignImports({
    campaigns,
    workspaces,
    unicode: dialect.unicodeType !== undefined,
    optOutAddress: settings.optOutAddress,
    createPreview,
    refuseOutdated,
    onReplaced: approvals.changed,
  });
  const steering = createSteering({
    campaigns,
    approvals,
    limiter,
    workspaces,
    clock: time.now,
    onChange,
    wake,
  });

  return {
    ...imports,
    ...preflight,
    ...steering,
    approvals,
    watch,
    findAny: campaigns.find,
    listRecent: ({ userId: createdBy, ...query }) => campaigns.recent({ ...query, createdBy }),
    listActive: () => campaigns.inState(activeStates),
    async listHeld(workspaceId) {
      const paused = await campaigns.inState(['paused']);
      return paused.filter((campaign) => campaign.workspaceId === workspaceId && isHeld(campaign));
    },
    async resultTable({ which, id, ...user }) {
      const campaign = await steering.find(user, id);
      return campaign && createResultTable(campaign, which, { campaigns, deliveries });
    },
    async lostRecipients(workspaceId, ids) {
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
      await desk.changed();
    },
    setProgressMessage: ({ workspaceId, id }, message) => campaigns.setMessage(workspaceId, id, message),
    setShown: campaigns.setShown,
    listUnshown: campaigns.unshown,
    resolvedOf: ({ workspaceId, id }) => deliveries.ofResolved(workspaceId, id),
    throughput: (campaign) => scheduler.throughput(campaign),
    startSending() {
      scheduler.start();
    },
    async stopSending() {
      await scheduler.stop();
      await settling.finished();
    },
    async holdWorkspace(workspaceId) {
      for (const { id } of (await campaigns.inState(['running'])).filter(
        (campaign) => campaign.workspaceId === workspaceId,
      )) {
        const moved = await campaigns.move(workspaceId, id, ['running'], 'paused', { pause: shutOutPause });
        if (moved !== undefined) {
          onChange(moved);
          await wake(moved);
        }
      }
    },
    stopWorkspace: (workspaceId) => scheduler.stopWorkspace(workspaceId),
  };
}
