import type { Keyv } from 'keyv';
import type { Kysely } from 'kysely';
import { type Broadcast, noOthers } from '../lib/broadcast.ts';
import { createLog, type Log } from '../lib/log.ts';
import type { Time } from '../lib/time/clock.ts';
import { systemTimers } from '../lib/time/timers.ts';
import { createWorkspaceRoles, type WorkspaceRoles } from './access/workspace-roles.ts';
import { type ApprovalRepository, createApprovalRepository } from './approvals/approval-repository.ts';
import { type AuditTrail, createAuditTrail } from './audit/audit-trail.ts';
import { type BalanceAlertStore, createBalanceAlertStore } from './balance-alerts/balance-alerts.ts';
import { type CampaignRepository, createCampaignRepository } from './campaigns/campaign-repository.ts';
import { storeImportBatch } from './campaigns/import/import-batch.ts';
import { createStoreImportBatch, importStatements } from './campaigns/import/import-batch-statements.ts';
import { settleAndClaim } from './campaigns/sending/settle-and-claim.ts';
import { createSettleAndClaim } from './campaigns/sending/settle-and-claim-postgres.ts';
import { settleAndClaimStatements } from './campaigns/sending/settle-and-claim-statements.ts';
import type { StoreContext } from './context.ts';
import { type CostStore, createCostStore } from './costs/costs-store.ts';
import type { DatabaseEngine } from './database.ts';
import { createDeliveries, type DeliveryRepository } from './deliveries/deliveries.ts';
import { createOpenMessages, type OpenMessages } from './deliveries/open-messages.ts';
import { createReportAddresses, type ReportAddresses } from './deliveries/report-address.ts';
import { createPhoneHashes } from './encryption/phone-hashes.ts';
import { createErasure, type Erasure } from './erasure/erasure.ts';
import { StoreError } from './errors.ts';
import { type Figures, readFigures } from './figures.ts';
import { forgetRecords, forgetSettings } from './forget-workspace.ts';
import { holdRestored } from './hold-restored.ts';
import { refuseClockBehind } from './installation/check-clock.ts';
import type { InstallationState } from './installation/installation.ts';
import { createEpochCheck, type RefuseOutdated } from './installation/installation.ts';
import { type Machine, readMachine } from './installation/machine.ts';
import { claimPostgresInstallation } from './installation/postgres-installation.ts';
import { claimInstallation } from './installation/sqlite-installation.ts';
import { createDatabaseNow } from './instances/database-now.ts';
import { type Instances, openInstances } from './instances/instances.ts';
import type { Jobs } from './jobs/jobs.ts';
import { createTableJobs } from './jobs/table-jobs.ts';
import { createKeyRotation, type KeyRotation } from './key-rotation.ts';
import { createKeyValueStore, createValueUpdate, type UpdateValue } from './key-value/key-value-store.ts';
import { createLimitStore, type LimitStore } from './limits/limit-store.ts';
import { type DataOptions, type OpenData, openData, openTime } from './open-data.ts';
import { createLedger, type Ledger } from './operations/ledger.ts';
import { createOutbox, type Outbox } from './outbox/outbox.ts';
import { createPhoneIndex, type PhoneIndex } from './phone-index/phone-index.ts';
import { createReplyRepository, type ReplyRepository } from './replies/replies.ts';
import type { Schema } from './schema/schema.ts';
import {
  createSlackInstallations,
  type SlackInstallations,
} from './slack-installations/slack-installations.ts';
import { createSuppressionList, type SuppressionList } from './suppression-list/suppression-list.ts';

/** Everything that the program remembers. */
export interface Store {
  readonly db: Kysely<Schema>;

  /**
   * Returns the values of one workspace and one area (`settings`, `secrets` …), encrypted at rest. A value that was
   * altered, or moved to another workspace, area or key, throws a StoreError. Keys lie in the clear: ids, never numbers
   * or names.
   */
  keyv(workspaceId: string, area: string): Keyv;

  /** Changes one of these values in one step. */
  readonly updateValue: UpdateValue;

  readonly ledger: Ledger;

  readonly campaigns: CampaignRepository;

  readonly approvals: ApprovalRepository;

  readonly outbox: Outbox;

  readonly deliveries: DeliveryRepository;

  readonly openMessages: OpenMessages;
  readonly costs: CostStore;

  readonly reportAddresses: ReportAddresses;

  readonly replies: ReplyRepository;

  readonly jobs: Jobs;

  readonly broadcast: Broadcast;

  readonly suppressionList: SuppressionList;

  readonly phoneIndex: PhoneIndex;

  readonly roles: WorkspaceRoles;
  readonly audit: AuditTrail;

  readonly limits: LimitStore;

  readonly balanceAlerts: BalanceAlertStore;

  /** The time that everything goes by. */
  readonly time: Time;

  readonly instances: Instances;

  readonly installation: InstallationState;

  readonly slackInstallations: SlackInstallations;

  readonly keyRotation: KeyRotation;

  readonly erasure: Erasure;

  /** For what leads to a send only later: the ledger and the campaigns check their keys themselves. */
  refuseOutdated: RefuseOutdated;

  /**
   * Resolves when the database responds and could be written to, and the audit is complete; throws a StoreError that says
   * what is wrong.
   */
  ready(): Promise<void>;

  /** See `DatabaseEngine`. */
  connections: DatabaseEngine<Schema>['connections'];

  /** Reads what there is to do, for the metrics. */
  figures(): Promise<Figures>;

  /** Removes deleted and replaced values from the files: at once, or as soon as no other program is reading. */
  purge(): Promise<void>;

  /** Deletes everything of a workspace: values, operations, campaigns, lists. Its audit stays until it expires. */
  forget(workspaceId: string): Promise<void>;

  /** Drops what is in memory of a workspace that another instance has deleted; without one, of all. */
  forgetCached(workspaceId?: string): void;

  /** Closes the database and releases the folder. May be called twice. */
  close(): Promise<void>;
}

export interface StoreOptions extends DataOptions {
  /** Left out: the machine's time on SQLite, the database's on PostgreSQL. */
  time?: Time | undefined;
  /** Read from the system when left out. */
  machine?: Machine | undefined;
  log?: Pick<Log, 'error' | 'warn' | 'info'> | undefined;
  /** The version of the program. */
  version?: string | undefined;
}

/**
 * Opens the store in `dataDir`, which is created where there is none, for this process alone.
 *
 * @throws StoreError: the folder is in use by another process or not private, a key is missing …
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const data = await openData(options);
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
    throw toStoreError(error, dataDir);
  }
}

function toStoreError(error: unknown, dataDir: string): StoreError {
  if (error instanceof StoreError) {
    return error;
  }
  const reason = error instanceof Error ? error.message : String(error);
  const explanation = `The data folder ${dataDir} cannot be written to: ${reason}. Make room on its disk, or make it writable.`;
  return new StoreError('bad_folder', explanation, { cause: error });
}

async function composeStore(
  data: OpenData,
  installation: InstallationState,
  {
    time,
    timers = systemTimers,
    encryptionKeys,
    log = createLog('silent'),
    version = '',
  }: StoreOptions & { time: Time },
): Promise<Store> {
  const { db, encryption, retryWrite, probe, purge, close } = data;
  const clock = time.now;
  const refuseOutdated = createEpochCheck(installation.epoch);
  const phoneHashes = createPhoneHashes(db, encryption, time.elapsed);
  const audit = createAuditTrail({ db, encryption, clock, retryWrite });
  const { restoredAt } = installation;
  const databaseNow = createDatabaseNow(db, clock);
  const instances = await openInstances({
    db,
    isAlone: data.engine === 'sqlite',
    now: databaseNow,
    version,
    keyId: encryption.currentKeyId,
    elapsed: time.elapsed,
    // Others go by the database's clock, whatever the timers of this store.
    timers: systemTimers,
    report: (error) => log?.error({ err: error }, 'this instance could not show that it lives'),
  });
  const context: StoreContext = {
    db,
    encryption,
    phoneHashes,
    audit,
    instances,
    clock,
    databaseNow,
    timers,
    log,
    retryWrite,
    purge,
    restoredAt,
    refuseOutdated,
  };
  const campaigns = createCampaignRepository(context, {
    storeImportBatch:
      data.engine === 'postgres'
        ? createStoreImportBatch(data.prepare)
        : await data.createProcedure(storeImportBatch, importStatements(context.db)),
    settleAndClaim:
      data.engine === 'postgres'
        ? createSettleAndClaim(context, data.prepare)
        : await data.createProcedure(settleAndClaim, {
            encryptionKeys: encryptionKeys.map((key) => key.reveal()),
            statements: settleAndClaimStatements(context.db),
          }),
  });
  const outbox = createOutbox(context);
  // Loaded where it is used alone: it takes memory and time.
  const { jobs, broadcast } =
    data.engine === 'postgres'
      ? (await import('./jobs/postgres-jobs.ts')).createPostgresJobs(context, data)
      : { jobs: createTableJobs(context), broadcast: noOthers };
  const keyv = createKeyValueStore(context);
  return {
    db,
    keyv,
    updateValue: createValueUpdate(context, keyv),
    ledger: createLedger(context),
    campaigns,
    approvals: createApprovalRepository(context),
    outbox,
    deliveries: createDeliveries(context),
    openMessages: createOpenMessages(context),
    costs: createCostStore(context),
    reportAddresses: createReportAddresses(context),
    replies: createReplyRepository(context),
    jobs,
    broadcast,
    suppressionList: createSuppressionList(context),
    phoneIndex: createPhoneIndex(context),
    roles: createWorkspaceRoles(context),
    audit,
    limits: createLimitStore(context),
    balanceAlerts: createBalanceAlertStore(context),
    time,
    instances,
    installation,
    slackInstallations: createSlackInstallations(context, keyv),
    keyRotation: createKeyRotation(context),
    erasure: createErasure(context),
    refuseOutdated,
    async ready() {
      await probe();
      // Not `select 1`, which succeeds even where the file cannot be read.
      await db.selectFrom('operation').select('id').limit(1).execute();
      if (audit.waiting() > 0) {
        throw new StoreError('audit_waiting', 'Entries of the audit could not be written yet.');
      }
    },
    connections: data.connections,
    figures: () => readFigures(db),
    purge,
    async forget(workspaceId) {
      await forgetSettings(db, workspaceId);
      phoneHashes.forget(workspaceId);
      await campaigns.forget(workspaceId);
      await forgetRecords(db, workspaceId);
      await purge();
    },
    forgetCached: phoneHashes.forget,
    async close() {
      outbox.close();
      await jobs.stop();
      await instances.close();
      await close();
    },
  };
}
