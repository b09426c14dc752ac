import { randomUUID } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Kysely } from 'kysely';
import { machineClocks } from '../lib/clock.ts';
import { createTime, type Time } from '../lib/time.ts';
import { createCampaignRepository } from './campaigns/campaign-repository.ts';
import type { CampaignRepository } from './campaigns/campaigns.ts';
import { type DataDirOptions, openDataDir } from './data-dir/data-dir.ts';
import { StoreError } from './errors.ts';
import { type RefuseOutdated, refuseOutdated } from './installation/epoch.ts';
import { type InstallationState, claimInstallation } from './installation/installation.ts';
import { createKnownTime, type KnownTimeRepository } from './installation/known-time.ts';
import { type Machine, readMachine } from './installation/machine.ts';
import { createKeyValueStore } from './key-value/key-value-store.ts';
import type { Ledger } from './operations/ledger.ts';
import { createLedger } from './operations/sqlite-ledger.ts';
import { createOutbox, type Outbox } from './outbox/outbox.ts';
import { createPhoneHashes } from './encryption/phone-hashes.ts';
import type { PhoneIndex } from './phone-index/phone-index.ts';
import { createPhoneIndex } from './phone-index/sqlite-phone-index.ts';
import type { Schema } from './schema.ts';
import { createSuppressionList } from './suppression-list/sqlite-suppression-list.ts';
import type { SuppressionList } from './suppression-list/suppression-list.ts';

/** Everything the program remembers. */
export interface Store {
  readonly db: Kysely<Schema>;

  /**
   * Values of one workspace and one area (`settings`, `secrets` …), encrypted at rest. A value that was altered, or
   * moved to another workspace, area or key, throws a StoreError. Keys lie in the clear: ids, never numbers or names.
   */
  keyv(workspaceId: string, area: string): Keyv;

  readonly ledger: Ledger;

  readonly campaigns: CampaignRepository;

  readonly outbox: Outbox;

  readonly suppressionList: SuppressionList;

  readonly phoneIndex: PhoneIndex;

  readonly knownTime: KnownTimeRepository;

  readonly installation: InstallationState;

  /** For what leads to a send only later: the ledger and the campaigns refuse by themselves. */
  refuseOutdated: RefuseOutdated;

  /** Resolves when the database answers and could be written to; throws a StoreError that says what is wrong. */
  ready(): Promise<void>;

  /** Takes what was deleted or replaced out of the files as well: at once, or as soon as no other program is reading. */
  purge(): Promise<void>;

  /** Deletes all that is remembered of a workspace: values, operations, campaigns, lists. */
  forget(workspaceId: string): Promise<void>;

  /** Closes the database and lets go of the folder. Again is fine. */
  close(): Promise<void>;
}

export interface StoreOptions extends DataDirOptions {
  /** What the time is told by; the machine's clocks when left out. */
  time?: Time;
  /** Where the program runs; read from the system when left out. */
  machine?: Machine;
}

/**
 * Opens the store in `dataDir`, which is created where there is none, for this process alone.
 *
 * @throws StoreError: the folder is in use by another process or not private, a key is missing …
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { time = createTime(machineClocks), machine = readMachine(), dataDir } = options;
  const clock = time.now;
  const folder = await openDataDir(options);
  const { db, takeTurn, encryption, probe, purge, close } = folder;
  const installation = await claimInstallation(folder, { dataDir, machine, clock }).catch(async (error: unknown) => {
    await close();
    if (error instanceof StoreError) {
      throw error;
    }
    const reason = error instanceof Error ? error.message : String(error);
    const told = `The data folder ${dataDir} cannot be written to: ${reason}. Make room on its disk, or make it writable.`;
    throw new StoreError('bad_folder', told, { cause: error });
  });
  const { epoch, restoredAt } = installation;
  const refuse = refuseOutdated(epoch);
  const run = randomUUID();
  const numberHashes = createPhoneHashes(db, encryption);
  const { forget: forgetCampaigns, ...campaigns } = createCampaignRepository({
    db,
    encryption,
    numberHashes,
    run,
    clock,
    takeTurn,
    purge,
    restoredAt,
    refuseOutdated: refuse,
  });
  return {
    db,
    keyv: createKeyValueStore(db, encryption, time),
    ledger: createLedger({ db, numberHashes, run, clock, restoredAt, refuseOutdated: refuse }),
    campaigns,
    outbox: createOutbox({ db, clock }),
    suppressionList: createSuppressionList({ db, encryption, numberHashes, clock }),
    phoneIndex: createPhoneIndex(db, numberHashes),
    knownTime: createKnownTime(db),
    installation,
    refuseOutdated: refuse,
    async ready() {
      await probe();
      // Not `select 1`, which an unreadable file would answer as well.
      await db.selectFrom('operation').select('id').limit(1).execute();
    },
    purge,
    async forget(workspaceId) {
      await db.transaction().execute(async (transaction) => {
        const operations = transaction
          .selectFrom('operation')
          .select('id')
          .where('workspace_id', '=', workspaceId);
        await transaction.deleteFrom('operation_number').where('operation_id', 'in', operations).execute();
        for (const table of ['keyv', 'operation', 'suppression', 'number_key', 'outbox'] as const) {
          await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
        }
      });
      numberHashes.forget(workspaceId);
      await forgetCampaigns(workspaceId);
    },
    close,
  };
}
