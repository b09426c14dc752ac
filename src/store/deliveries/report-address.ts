import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { AdditionalData, Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../schema.ts';

/** The secret part of an address that reports are sent to. */
export interface ReportAddress {
  token: string;
  createdBy: string;
  createdAt: Date;
}

/** The addresses that the provider sends reports to, one for each workspace that wants them. */
export interface ReportAddresses {
  find(workspaceId: string): Promise<ReportAddress | undefined>;
  /** Makes an address. The former one of the workspace is refused from then on. */
  create(workspaceId: string, userId: string): Promise<ReportAddress>;
  /** Returns the workspace that a token is of. */
  workspaceOf(token: string): Promise<string | undefined>;
}

const tokenBytes = 32;

/** Plain: 256 random bits can be neither guessed nor tried out. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function createReportAddresses(options: {
  db: Kysely<Schema>;
  encryption: Encryption;
  clock: Clock;
}): ReportAddresses {
  const { db, encryption, clock } = options;
  return {
    async find(workspaceId) {
      const row = await db
        .selectFrom('report_address')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      return (
        row && {
          token: encryption.decrypt(row.token, additionalDataOf(workspaceId)),
          createdBy: row.created_by,
          createdAt: new Date(row.created_at),
        }
      );
    },

    async create(workspaceId, userId) {
      const token = randomBytes(tokenBytes).toString('base64url');
      const createdAt = clock();
      const address = {
        hash: hashToken(token),
        token: encryption.encrypt(token, additionalDataOf(workspaceId)),
        created_by: userId,
        created_at: createdAt.getTime(),
      };
      await db
        .insertInto('report_address')
        .values({ workspace_id: workspaceId, ...address })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(address))
        .execute();
      return { token, createdBy: userId, createdAt };
    },

    async workspaceOf(token) {
      const row = await db
        .selectFrom('report_address')
        .select('workspace_id')
        .where('hash', '=', hashToken(token))
        .executeTakeFirst();
      return row?.workspace_id;
    },
  };
}

function additionalDataOf(workspaceId: string): AdditionalData {
  return ['report_address', workspaceId];
}
