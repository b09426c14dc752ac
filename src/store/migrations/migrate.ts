import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { isPostgres } from '../dialect.ts';
import { StoreError } from '../errors.ts';
import { lockTables } from '../postgres/lock-tables.ts';
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
import { deliveries } from './0025-deliveries.ts';
import { balanceAlerts } from './0028-balance-alerts.ts';
import { campaignReports } from './0029-campaign-reports.ts';
import { replies } from './0030-replies.ts';
import { costs } from './0031-costs.ts';
import { reportForwards } from './0032-report-forwards.ts';
import { deliveryInquiries } from './0033-delivery-inquiries.ts';
import { unpostedReplies } from './0034-unposted-replies.ts';
import { replyAnswers } from './0035-reply-answers.ts';
import { messageResolution } from './0036-message-resolution.ts';
import { acceptedBefore } from './0037-accepted-before.ts';

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
  '0025-deliveries': deliveries,
  '0028-balance-alerts': balanceAlerts,
  '0029-campaign-reports': campaignReports,
  '0030-replies': replies,
  '0031-costs': costs,
  '0032-report-forwards': reportForwards,
  '0033-delivery-inquiries': deliveryInquiries,
  '0034-unposted-replies': unpostedReplies,
  '0035-reply-answers': replyAnswers,
  '0036-message-resolution': messageResolution,
  '0037-accepted-before': acceptedBefore,
};

/** Ends the name of a migration that takes something away: the last migration of the first release that did without it. */
const neededPattern = /-needs-(\d{4})$/;

/**
 * Returns the number of the migration that a program has to know to work on the tables after this one. Undefined for one
 * that only adds: the releases before it go on working, and may be started again.
 */
export function neededBy(migration: string): string | undefined {
  return neededPattern.exec(migration)?.[1];
}

/**
 * Brings the tables up to date, all of it or nothing. Tables that a newer version has added to stay as they are.
 *
 * @throws StoreError `bad_schema`, also where a newer version has taken away what this one needs
 */
export async function migrate<Tables>(db: Kysely<Tables>, migrations = released): Promise<void> {
  const before = await migrationsRun(db);
  if (before.join() === Object.keys(migrations).sort().join()) {
    return;
  }
  const error = await migrateToLatest(db, migrations);
  if (error === undefined) {
    return;
  }
  const newer = (await migrationsRun(db)).filter((name) => !(name in migrations));
  const known = new Set(Object.keys(migrations).map((name) => name.slice(0, 4)));
  const breaking = newer.find((name) => {
    const needed = neededBy(name);
    return needed !== undefined && !known.has(needed);
  });
  if (breaking !== undefined) {
    throw new StoreError(
      'bad_schema',
      `A newer version of Switchboard has used this database, and took away what this one needs (${breaking}). ` +
        'Nothing was changed. Run that version.',
      { cause: error },
    );
  }
  const last =
    newer.length === 0
      ? error
      : await migrateToLatest(db, {
          ...migrations,
          ...Object.fromEntries(newer.map((name) => [name, ofNewerVersion])),
        });
  if (last !== undefined) {
    const reason = (last instanceof Error ? last.message : String(last)).replace(/\.$/, '');
    throw new StoreError(
      'bad_schema',
      `The database could not be brought up to date: ${reason}. Nothing was changed.`,
      { cause: last },
    );
  }
}

/** Was run by a newer version, so it is never run here. */
const ofNewerVersion: Migration = {
  up: () => Promise.reject(new TypeError('A migration of a newer version is not known')),
};

/** Returns what kept the tables from being brought up to date. Undefined where nothing did. */
async function migrateToLatest<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<unknown> {
  const performed = isPostgres(db) ? onLockedTables(migrations) : migrations;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => performed } });
  return (await migrator.migrateToLatest()).error;
}

/** All that are run are one transaction on PostgreSQL: the first takes the tables, and those after it have them. */
function onLockedTables(migrations: Readonly<Record<string, Migration>>): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      {
        async up(db: Kysely<unknown>) {
          await lockTables(db);
          await up(db);
        },
      },
    ]),
  );
}

/**
 * Returns the names of the migrations that were run, in order; none where they cannot be read. The migrator itself first
 * reads every column of every table, which most starts need not wait for.
 */
async function migrationsRun<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`
    .execute(db)
    .catch(() => ({ rows: [] }));
  return rows.map(({ name }) => name).sort();
}
