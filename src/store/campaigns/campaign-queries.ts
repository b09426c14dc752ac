import type { Kysely } from 'kysely';
import type { Log } from '../../lib/log.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../schema.ts';
import type { CampaignRepository } from './campaign-repository.ts';
import type { CampaignRow } from './campaign-tables.ts';
import type { Campaign, SendableCampaign } from './campaigns.ts';
import { columnsAdditionalData, textAdditionalData } from './encrypted-columns.ts';
import { readReportedCounts } from './reported/delivery-counts.ts';
import { readColumns, toCampaign, toDate } from './row-mapping.ts';
import { readUnshown } from './shown-progress.ts';

/** Returns the campaign with its text; undefined for a discarded one. */
export function toCampaignWithText(row: CampaignRow, encryption: Encryption): Campaign | undefined {
  const { id, workspace_id, text, columns } = row;
  if (id === null) {
    return undefined;
  }
  return {
    ...toCampaign(row, id),
    text: text === null ? undefined : encryption.decrypt(text, textAdditionalData(workspace_id, id)),
    columns:
      columns === null
        ? undefined
        : readColumns(encryption.decrypt(columns, columnsAdditionalData(workspace_id, id))),
  };
}

export function createCampaignQueries(
  db: Kysely<Schema>,
  encryption: Encryption,
  log: Pick<Log, 'error'> | undefined,
): Pick<CampaignRepository, 'find' | 'recent' | 'sendable' | 'inState' | 'unshown'> {
  async function toCampaigns(
    rows: CampaignRow[],
    read = (row: CampaignRow) => toCampaignWithText(row, encryption),
  ): Promise<Campaign[]> {
    const reported = await readReportedCounts(db, rows);
    return rows.flatMap((row) => {
      const campaign = read(row);
      return campaign === undefined ? [] : [{ ...campaign, ...reported.get(row.sequence) }];
    });
  }

  /** Of all workspaces: what cannot be read of one keeps none of the others waiting. */
  function ifReadable(row: CampaignRow): Campaign | undefined {
    try {
      return toCampaignWithText(row, encryption);
    } catch (err) {
      log?.error({ err, workspace: row.workspace_id, campaign: row.id }, 'a campaign cannot be read');
      return undefined;
    }
  }

  return {
    async find(workspaceId, id) {
      const row = await db
        .selectFrom('campaign')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst();
      const [campaign] = row === undefined ? [] : await toCampaigns([row]);
      return campaign;
    },

    async recent({ workspaceId, createdBy, states, from, until, limit, before }) {
      let query = db
        .selectFrom('campaign')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', 'is not', null);
      if (createdBy !== undefined) {
        query = query.where('created_by', '=', createdBy);
      }
      if (states !== undefined) {
        query = query.where('state', 'in', states);
      }
      if (from !== undefined) {
        query = query.where('created_at', '>=', from.getTime());
      }
      if (until !== undefined) {
        query = query.where('created_at', '<', until.getTime());
      }
      if (before !== undefined) {
        let seen = db
          .selectFrom('campaign')
          .select('sequence')
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', before);
        if (createdBy !== undefined) {
          seen = seen.where('created_by', '=', createdBy);
        }
        query = query.where('sequence', '<', seen);
      }
      return toCampaigns(await query.orderBy('sequence', 'desc').limit(limit).execute());
    },

    async sendable() {
      const rows = await db
        .selectFrom('campaign')
        .select(['workspace_id', 'id', 'state', 'start_at', 'latest_start'])
        .where('state', 'in', ['scheduled', 'running'])
        .orderBy('sequence')
        .execute();
      return rows.flatMap(({ workspace_id, id, state, start_at, latest_start }): SendableCampaign[] =>
        id === null
          ? []
          : [
              {
                workspaceId: workspace_id,
                id,
                isRunning: state === 'running',
                startAt: toDate(start_at),
                latestStart: toDate(latest_start),
              },
            ],
      );
    },

    async inState(states) {
      const query = db.selectFrom('campaign').selectAll().where('state', 'in', states);
      return toCampaigns(await query.orderBy('sequence').execute(), ifReadable);
    },

    unshown: async () => toCampaigns(await readUnshown(db), ifReadable),
  };
}
