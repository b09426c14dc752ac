import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { campaignTables } from './0001-first-tables/campaigns.ts';
import { costTables } from './0001-first-tables/costs.ts';
import { deliveryTables } from './0001-first-tables/deliveries.ts';
import { installationTables } from './0001-first-tables/installation.ts';
import { operationTables } from './0001-first-tables/operations.ts';
import { replyTables } from './0001-first-tables/replies.ts';
import { workspaceTables } from './0001-first-tables/workspaces.ts';
import { runStatements } from './run-statements.ts';

const chapters = [
  installationTables,
  workspaceTables,
  operationTables,
  campaignTables,
  deliveryTables,
  replyTables,
  costTables,
];

export const firstTables: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, chapters.join('')),
};
