import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StoreError } from '../errors.ts';
import { firstTables } from './0001-first-tables.ts';
import { campaigns } from './0002-campaigns.ts';
import { installation } from './0003-installation.ts';
import { outbox } from './0004-outbox.ts';
import { knownTime } from './0005-known-time.ts';
import { ownKeys } from './0006-own-keys.ts';
import { restoredNotices } from './0007-restored-notices.ts';
import { fieldNames } from './0008-field-names.ts';
import { listColumns } from './0009-campaign-columns.ts';
import { operationText } from './0010-operation-text.ts';
import { balances } from './0011-balances.ts';
import { providerCodes } from './0012-provider-codes.ts';
import { invalidByProblem } from './0013-invalid-by-problem.ts';
import { suppressionSource } from './0014-suppression-source.ts';
import { workspaceRoles } from './0015-roles.ts';
import { audit } from './0016-audit.ts';
import { approvals } from './0017-approvals.ts';
import { limitTables } from './0018-limits.ts';
import { slackInstallations } from './0019-slack-installations.ts';
import { cluster } from './0020-cluster.ts';
import { jobs } from './0021-jobs.ts';
import { instanceMarks } from './0023-instance-marks.ts';
import { storeMove } from './0024-store-move.ts';

/** In the order of their names. What has been released is never changed: the next change is the next migration. */
export const released: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-campaigns': campaigns,
  '0003-installation': installation,
  '0004-outbox': outbox,
  '0005-known-time': knownTime,
  '0006-own-keys': ownKeys,
  '0007-restored-notices': restoredNotices,
  '0008-field-names': fieldNames,
  '0009-campaign-columns': listColumns,
  '0010-operation-text': operationText,
  '0011-balances': balances,
  '0012-provider-codes': providerCodes,
  '0013-invalid-by-problem': invalidByProblem,
  '0014-suppression-source': suppressionSource,
  '0015-roles': workspaceRoles,
  '0016-audit': audit,
  '0017-approvals': approvals,
  '0018-limits': limitTables,
  '0019-slack-installations': slackInstallations,
  '0020-cluster': cluster,
  '0021-jobs': jobs,
  '0023-instance-marks': instanceMarks,
  '0024-store-move': storeMove,
};

/**
 * Brings the tables up to date, all of it or nothing.
 *
 * @throws StoreError `bad_schema`, also when the tables are those of a newer version
 */
export async function migrate<Tables>(db: Kysely<Tables>, migrations = released): Promise<void> {
  if (await isUpToDate(db, migrations)) {
    return;
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) {
    return;
  }
  const reason = error instanceof Error ? error.message : String(error);
  throw new StoreError(
    'bad_schema',
    `The database could not be brought up to date: ${reason}. Nothing was changed. ` +
      'If a newer version of Switchboard has used this folder, run that version.',
    { cause: error },
  );
}

/** Whether exactly these migrations were run. The migrator itself would first read every column of every table. */
async function isUpToDate<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`
    .execute(db)
    .catch(() => ({ rows: [] }));
  return (
    rows
      .map(({ name }) => name)
      .sort()
      .join() === Object.keys(migrations).sort().join()
  );
}
