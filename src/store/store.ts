import { type Broadcast, noOthers } from '../lib/broadcast.ts';
import { createLog } from '../lib/log.ts';
import type { Time } from '../lib/time/clock.ts';
import { systemTimers } from '../lib/time/timers.ts';
import { createApprovalRepository } from './approvals/approval-repository.ts';
import { createAuditTrail } from './audit/audit-trail.ts';
import { createCampaignRepository } from './campaigns/campaign-repository.ts';
import { storeImportBatch } from './campaigns/import/import-batch.ts';
import { createStoreImportBatch, importStatements } from './campaigns/import/import-batch-statements.ts';
import { settleAndClaim } from './campaigns/sending/settle-and-claim.ts';
import { createSettleAndClaim } from './campaigns/sending/settle-and-claim-postgres.ts';
import { settleAndClaimStatements } from './campaigns/sending/settle-and-claim-statements.ts';
import type { StoreContext } from './context.ts';
import { createCostStore } from './deliveries/costs/costs-store.ts';
import { createDeliveries } from './deliveries/deliveries.ts';
import { createOpenMessages } from './deliveries/open-messages.ts';
import { createPhoneIndex } from './deliveries/phone-index.ts';
import { createReportAddresses } from './deliveries/report-address.ts';
import { createPhoneHashes } from './engine/encryption/phone-hashes.ts';
import { StoreError } from './engine/errors.ts';
import { createDatabaseNow } from './engine/instances/database-now.ts';
import { openInstances } from './engine/instances/instances.ts';
import type { Jobs } from './engine/jobs/jobs.ts';
import { createTableJobs } from './engine/jobs/table-jobs.ts';
import { createKeyValueStore, createValueUpdate } from './engine/key-value/key-value-store.ts';
import { type DataOptions, type OpenData, openData, openTime } from './engine/open-data.ts';
import { createErasure } from './erasure/erasure.ts';
import { createHoldings } from './erasure/holdings.ts';
import { createHistoryStore } from './history/history-store.ts';
import { readFigures } from './installation/figures.ts';
import { holdRestored } from './installation/hold-restored.ts';
import {
  createEpochCheck,
  type InstallationState,
  type Machine,
  readMachine,
  refuseClockBehind,
} from './installation/installation.ts';
import { createKeyRotation } from './installation/key-rotation.ts';
import { claimPostgresInstallation } from './installation/postgres-installation.ts';
import { claimInstallation } from './installation/sqlite-installation.ts';
import { createLedger } from './operations/ledger.ts';
import { createOutbox } from './outbox/outbox.ts';
import { createPostStore } from './outbox/posts.ts';
import { createReplyRepository } from './replies/replies.ts';
import { createSuppressionList } from './replies/suppression-list.ts';
import { createWatchStore } from './watch/watches.ts';
import { forgetRecords, forgetSettings } from './workspaces/forget-workspace.ts';
import { createLimitStore } from './workspaces/limits/limit-store.ts';
import { createSlackInstallations } from './workspaces/slack-installations.ts';
import { createTemplateStore } from './workspaces/templates.ts';
import { createWorkspaceRoles } from './workspaces/workspace-roles.ts';

/** Everything that the program remembers. */
export type Store = Awaited<ReturnType<typeof composeStore>>;

export interface StoreOptions extends DataOptions {
  /** Left out: the machine's time on SQLite, the database's on PostgreSQL. */
  time?: Time | undefined;
  /** Read from the system when left out. */
  machine?: Machine | undefined;
  log?: StoreContext['log'] | undefined;
  /** The version of the program. */
  version?: string | undefined;
}

/**
 * Opens the store in `dataDir`, creating the folder if needed, for this process alone.
 *
 * @throws StoreError: the folder is in use by another process or not private, a key is missing …
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const data = await openData(options);
  if (data.engine === 'sqlite' && data.isShared) {
    options.log?.warn({ folder: options.dataDir }, 'the group of the data folder can use it too');
  }
  const stops: (() => Promise<void>)[] = [data.close];
  const close = async () => {
    for (const stop of stops.toReversed()) {
      await stop();
    }
  };
  try {
    const { time, stop: stopFollowing } = await openTime(data, options.time);
    stops.push(stopFollowing);
    await refuseClockBehind(data.db, time.now());
    const { state: installation, stop: stopMarking } = await claim(data, time, options);
    stops.push(stopMarking);
    return await composeStore({ ...data, close }, installation, { ...options, time });
  } catch (error) {
    await close();
    throw error;
  }
}

/** `stop` is called before the data is closed. */
async function claim(
  data: OpenData,
  { now: clock }: Time,
  { dataDir, machine = readMachine(), timers = systemTimers, isRestored = false }: StoreOptions,
): Promise<{ state: InstallationState; stop: () => Promise<void> }> {
  const options = { dataDir, machine, timers, isRestored, clock, onTakeover: holdRestored };
  try {
    return data.engine === 'sqlite'
      ? { state: await claimInstallation(data, options), stop: async () => {} }
      : await claimPostgresInstallation(data, options);
  } catch (error) {
    if (error instanceof StoreError) {
      throw error;
    }
    const reason = error instanceof Error ? error.message : String(error);
    const explanation = `The data folder ${dataDir} cannot be written to: ${reason}. Make room on its disk, or make it writable.`;
    throw new StoreError('bad_folder', explanation, { cause: error });
  }
}

async function openContext(
  data: OpenData,
  { epoch, restoredAt }: InstallationState,
  { time, timers = systemTimers, log = createLog('silent'), version = '' }: StoreOptions & { time: Time },
): Promise<StoreContext> {
  const { db, encryption, retryWrite, purge } = data;
  const { now: clock, elapsed } = time;
  const databaseNow = createDatabaseNow(db, clock);
  return {
    db,
    encryption,
    phoneHashes: createPhoneHashes(db, encryption, elapsed),
    audit: createAuditTrail({ db, encryption, clock, retryWrite }),
    instances: await openInstances({
      db,
      isAlone: data.engine === 'sqlite',
      now: databaseNow,
      version,
      keyId: encryption.currentKeyId,
      elapsed,
      // Others go by the database's clock, whatever the timers of this store.
      timers: systemTimers,
      report: (error) => log.error({ err: error }, 'this instance could not renew its heartbeat'),
    }),
    clock,
    databaseNow,
    timers,
    log,
    retryWrite,
    purge,
    restoredAt,
    refuseOutdated: createEpochCheck(epoch),
  };
}

async function composeStore(
  data: OpenData,
  installation: InstallationState,
  options: StoreOptions & { time: Time },
) {
  const context = await openContext(data, installation, options);
  const { db, audit, phoneHashes, instances, purge, refuseOutdated } = context;
  const campaigns = createCampaignRepository(context, await campaignStatements(data, context, options));
  const outbox = createOutbox(context);
  // Loaded where it is used alone: it takes memory and time.
  const { jobs, broadcast }: { jobs: Jobs; broadcast: Broadcast } =
    data.engine === 'postgres'
      ? (await import('./engine/jobs/postgres-jobs.ts')).createPostgresJobs(context, data)
      : { jobs: createTableJobs(context), broadcast: noOthers };
  const keyv = createKeyValueStore(context);
  const ledger = createLedger(context);
  const replies = createReplyRepository(context);
  const deliveries = createDeliveries(context);
  const phoneIndex = createPhoneIndex(context);
  const history = createHistoryStore({ ledger, campaigns, replies, deliveries, phoneIndex });
  return {
    db,
    /**
     * Returns the values of one workspace and one area (`settings`, `secrets` …), encrypted at rest. A value that was
     * altered, or moved to another workspace, area or key, throws a StoreError. Keys lie in the clear: ids, never
     * numbers or names.
     */
    keyv,
    /** Changes one of these values in one step. */
    updateValue: createValueUpdate(context, keyv),
    ledger,
    campaigns,
    approvals: createApprovalRepository(context),
    outbox,
    posts: createPostStore(context, keyv),
    deliveries,
    openMessages: createOpenMessages(context),
    costs: createCostStore(context),
    reportAddresses: createReportAddresses(context),
    replies,
    jobs,
    broadcast,
    suppressionList: createSuppressionList(context),
    history,
    roles: createWorkspaceRoles(context),
    audit,
    limits: createLimitStore(context),
    templates: createTemplateStore(context),
    watches: createWatchStore(context),
    /** The time that everything goes by. */
    time: options.time,
    instances,
    installation,
    slackInstallations: createSlackInstallations(context, keyv),
    keyRotation: createKeyRotation(context),
    erasure: createErasure(context),
    /** Yields everything that is stored of a person in a workspace. */
    holdings: createHoldings(context, history),
    /** For what leads to a send only later: the ledger and the campaigns check their keys themselves. */
    refuseOutdated,
    /**
     * Resolves when the database responds and could be written to, and the audit is complete; throws a StoreError with the
     * fault.
     */
    async ready(): Promise<void> {
      await data.probe();
      // Not `select 1`, which succeeds even where the file cannot be read.
      await db.selectFrom('operation').select('id').limit(1).execute();
      if (audit.waiting() > 0) {
        throw new StoreError('audit_waiting', 'Entries of the audit could not be written yet.');
      }
    },
    /** See `DatabaseEngine`. */
    connections: data.connections,
    /** Reads what there is to do, for the metrics. */
    figures: () => readFigures(db),
    /** Removes deleted and replaced values from the files: at once, or as soon as no other program is reading. */
    purge,
    /** Deletes everything of a workspace: values, operations, campaigns, lists. Its audit stays until it expires. */
    async forget(workspaceId: string): Promise<void> {
      await forgetSettings(db, workspaceId);
      phoneHashes.forget(workspaceId);
      await campaigns.forget(workspaceId);
      await forgetRecords(db, workspaceId);
      await purge();
    },
    /** Drops the cache of a workspace that another instance has deleted; without one, all caches. */
    forgetCached: phoneHashes.forget,
    /** Closes the database and releases the folder. May be called twice. */
    async close(): Promise<void> {
      outbox.close();
      await jobs.stop();
      await instances.close();
      await data.close();
    },
  };
}

async function campaignStatements(
  data: OpenData,
  context: StoreContext,
  { encryptionKeys }: Pick<StoreOptions, 'encryptionKeys'>,
) {
  if (data.engine === 'postgres') {
    return {
      storeImportBatch: createStoreImportBatch(data.prepare),
      settleAndClaim: createSettleAndClaim(context, data.prepare),
    };
  }
  return {
    storeImportBatch: await data.createProcedure(storeImportBatch, importStatements(context.db)),
    settleAndClaim: await data.createProcedure(settleAndClaim, {
      encryptionKeys: encryptionKeys.map((key) => key.reveal()),
      statements: settleAndClaimStatements(context.db),
    }),
  };
}
