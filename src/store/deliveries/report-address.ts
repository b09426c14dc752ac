import { createHash, randomBytes } from 'node:crypto';
import type { StoreContext } from '../context.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { encryptedColumn } from '../schema/schema.ts';

/** The secret part of an address that reports are sent to. */
export interface ReportAddress {
  token: string;
  createdBy: string;
  createdAt: Date;
}

const tokenBytes = 32;
const tokenColumn = encryptedColumn('reportAddress', 'token');

/** Plain: 256 random bits can be neither guessed nor tried out. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** The addresses that the provider sends reports to, one for each workspace that wants them. */
export function createReportAddresses({ db, encryption, clock }: StoreContext) {
  return {
    async find(workspaceId: string): Promise<ReportAddress | undefined> {
      const row = await db
        .selectFrom('reportAddress')
        .select(['token', 'createdBy', 'createdAt'])
        .where('workspaceId', '=', workspaceId)
        .executeTakeFirst();
      const additionalData = additionalDataOf(tokenColumn, { workspaceId });
      return row && { ...row, token: encryption.decrypt(row.token, additionalData) };
    },

    /** Makes an address. The former one of the workspace is refused from then on. */
    async create(workspaceId: string, userId: string): Promise<ReportAddress> {
      const token = randomBytes(tokenBytes).toString('base64url');
      const createdAt = clock();
      const address = {
        hash: hashToken(token),
        token: encryption.encrypt(token, additionalDataOf(tokenColumn, { workspaceId })),
        createdBy: userId,
        createdAt,
      };
      await db
        .insertInto('reportAddress')
        .values({ workspaceId, ...address })
        .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(address))
        .execute();
      return { token, createdBy: userId, createdAt };
    },

    /** Returns the workspace that a token is of. */
    async workspaceOf(token: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('reportAddress')
        .select('workspaceId')
        .where('hash', '=', hashToken(token))
        .executeTakeFirst();
      return row?.workspaceId;
    },
  };
}
