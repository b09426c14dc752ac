import type { Kysely } from 'kysely';
import { z } from 'zod';
import { templateKey } from '../../domain/messages/named-templates.ts';
import { routeSchema } from '../../domain/messages/routes.ts';
import type { StoreContext } from '../context.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { lockNumbers } from '../engine/encryption/phone-hashes.ts';
import { inTransaction } from '../engine/transaction.ts';
import { encryptedColumn, type Row, type Schema } from '../schema/schema.ts';

const contentSchema = z.object({
  name: z.string(),
  /** May have columns. */
  text: z.string(),
  route: routeSchema,
  /** On the chat route, the name of a device. */
  senderId: z.string(),
});
/** What a template fills a message in with, and its name. */
export type TemplateContent = z.infer<typeof contentSchema>;

/** One version of a template. */
export interface TemplateVersion extends TemplateContent {
  id: string;
  version: number;
  state: Row<'template'>['state'];
  /** A Slack user id. */
  changedBy: string;
  changedAt: Date;
}

interface TemplateChange {
  workspaceId: string;
  id: string;
  /** The version that it was made from; 0 of a new template. */
  version: number;
  userId: string;
  content: TemplateContent;
  state: 'current' | 'deleted';
}

export type TemplateWrite =
  | { kind: 'saved'; saved: TemplateVersion }
  /** Another version was saved since, or all of them are gone. Nothing was changed. */
  | { kind: 'outdated' }
  /** Another template has the name. */
  | { kind: 'name_taken' }
  | { kind: 'too_many' };

/** Of a workspace. */
export const maxTemplates = 200;
/** Of a template; older ones are deleted. */
export const maxVersions = 20;

const column = encryptedColumn('template', 'content');

/** The templates of each workspace, with their former versions. */
export function createTemplateStore(context: StoreContext) {
  const { db, encryption } = context;

  function read(row: Row<'template'>): TemplateVersion {
    const { id, version, state, changedBy, changedAt } = row;
    const content = contentSchema.parse(
      JSON.parse(encryption.decrypt(row.content, additionalDataOf(column, row))),
    );
    return { ...content, id, version, state, changedBy, changedAt };
  }

  const current = async (workspaceId: string, from: Kysely<Schema> = db): Promise<TemplateVersion[]> => {
    const rows = await select(from, workspaceId).where('state', '=', 'current').execute();
    return rows.map(read);
  };

  return {
    current,

    async areAny(workspaceId: string): Promise<boolean> {
      const any = await select(db, workspaceId).where('state', '=', 'current').limit(1).executeTakeFirst();
      return any !== undefined;
    },

    /** Returns the versions of a template that are kept, the newest first. */
    async versions(workspaceId: string, id: string): Promise<TemplateVersion[]> {
      const rows = await select(db, workspaceId).where('id', '=', id).orderBy('version', 'desc').execute();
      return rows.map(read);
    },

    /** Saves the next version, unless another one was saved meanwhile. Changes of a workspace follow each other. */
    async save(change: TemplateChange): Promise<TemplateWrite> {
      const { workspaceId, id } = change;
      // What is locked exists once the key of the hashes does.
      await context.phoneHashes.hasher(workspaceId);
      return inTransaction(db, async (transaction) => {
        await lockNumbers(transaction, workspaceId);
        const newest = await select(transaction, workspaceId)
          .where('id', '=', id)
          .orderBy('version', 'desc')
          .limit(1)
          .executeTakeFirst();
        if ((newest?.version ?? 0) !== change.version) {
          return { kind: 'outdated' };
        }
        const others = (await current(workspaceId, transaction)).filter((other) => other.id !== id);
        const key = templateKey(change.content.name);
        if (change.state === 'current' && others.some(({ name }) => templateKey(name) === key)) {
          return { kind: 'name_taken' };
        }
        if (change.state === 'current' && others.length >= maxTemplates) {
          return { kind: 'too_many' };
        }
        return { kind: 'saved', saved: read(await insert(transaction, change)) };
      });
    },

    /** Deletes what is left of templates that were deleted before. */
    async expire(before: Date): Promise<void> {
      await db
        .deleteFrom('template')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('template as newest')
              .select('newest.id')
              .whereRef('newest.workspaceId', '=', 'template.workspaceId')
              .whereRef('newest.id', '=', 'template.id')
              .where('newest.state', '=', 'deleted')
              .where('newest.changedAt', '<', before),
          ),
        )
        .execute();
    },
  };

  async function insert(transaction: Kysely<Schema>, change: TemplateChange): Promise<Row<'template'>> {
    const { workspaceId, id, state, userId: changedBy, content } = change;
    const ofTemplate = { workspaceId, id, version: change.version + 1 };
    const encrypted = encryption.encrypt(JSON.stringify(content), additionalDataOf(column, ofTemplate));
    const row = { ...ofTemplate, state, changedBy, changedAt: context.clock(), content: encrypted };
    const versions = { workspaceId, id };
    await transaction
      .updateTable('template')
      .set({ state: 'former' })
      .where((eb) => eb.and(versions))
      .execute();
    await transaction.insertInto('template').values(row).execute();
    await transaction
      .deleteFrom('template')
      .where((eb) => eb.and(versions))
      .where('version', '<=', row.version - maxVersions)
      .execute();
    return row;
  }
}

function select(db: Kysely<Schema>, workspaceId: string) {
  return db.selectFrom('template').selectAll().where('workspaceId', '=', workspaceId);
}
