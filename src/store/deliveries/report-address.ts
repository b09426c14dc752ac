import { createHash, randomBytes } from 'node:crypto';
import type { StoreContext } from '../context.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { encryptedColumn } from '../schema/schema.ts';

const tokenBytes = 32;
const tokenColumn = encryptedColumn('reportAddress', 'token');

/** Plain: 256 random bits can be neither guessed nor tried out. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** The addresses that the provider sends reports to, one for each workspace that wants them. */
export function createReportAddresses({ db, encryption, clock }: StoreContext) {
  return {
    /** Returns the secret part of a workspace's address. */
    async find(workspaceId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('reportAddress')
        .select('token')
        .where('workspaceId', '=', workspaceId)
        .executeTakeFirst();
      return row && encryption.decrypt(row.token, additionalDataOf(tokenColumn, { workspaceId }));
    },

    /** Creates an address, and returns its secret part. The workspace's old one is refused from then on. */
    async create(workspaceId: string, userId: string): Promise<string> {
      const token = randomBytes(tokenBytes).toString('base64url');
      const address = {
        hash: hashToken(token),
        token: encryption.encrypt(token, additionalDataOf(tokenColumn, { workspaceId })),
        createdBy: userId,
        createdAt: clock(),
      };
      await db
        .insertInto('reportAddress')
        .values({ workspaceId, ...address })
        .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(address))
        .execute();
      return token;
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
