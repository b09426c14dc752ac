import type { ExpressionBuilder, Kysely } from 'kysely';
import { z } from 'zod';
import { templateKey } from '../../domain/messages/named-templates.ts';
import { routeSchema } from '../../domain/messages/routes.ts';
import type { StoreContext } from '../context.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { lockNumbers } from '../engine/encryption/phone-hashes.ts';
import { inTransaction } from '../engine/transaction.ts';
import { encryptedColumn, type Row, type Schema } from '../schema/schema.ts';

/** What a template fills a message in with, and its name. On the chat route the sender is the name of a device. */
const contentSchema = z.object({
  name: z.string(),
  /** The text, unchanged. */
  text: z.string(),
  /** Whether it is sent without accents. */
  withoutAccents: z.boolean(),
  route: routeSchema,
  senderId: z.string(),
});
export type TemplateContent = z.infer<typeof contentSchema>;

/** One version of a template. */
export interface TemplateVersion
  extends TemplateContent,
    Pick<Row<'template'>, 'id' | 'version' | 'state' | 'changedBy' | 'changedAt'> {}

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
  /** Another version was saved since, or the template is gone. Nothing was changed. */
  | { kind: 'outdated' }
  /** Another template has the name. */
  | { kind: 'name_taken' }
  | { kind: 'too_many' };

/** Of a workspace. */
export const maxTemplates = 200;
/** Of a template; older ones are deleted. */
export const maxVersions = 20;

const column = encryptedColumn('template', 'content');

/** The templates of each workspace, with their version history. */
export function createTemplateStore({ db, encryption, phoneHashes, audit, clock }: StoreContext) {
  function read({ content, workspaceId, ...row }: Row<'template'>): TemplateVersion {
    const json = encryption.decrypt(content, additionalDataOf(column, { workspaceId, ...row }));
    return { ...contentSchema.parse(JSON.parse(json)), ...row };
  }

  async function current(workspaceId: string, from: Kysely<Schema> = db): Promise<TemplateVersion[]> {
    return (await select(from, { workspaceId, state: 'current' }).execute()).map(read);
  }

  /** Writes the next version. */
  async function insert(transaction: Kysely<Schema>, change: TemplateChange): Promise<Row<'template'>> {
    const { workspaceId, id, state, userId: changedBy } = change;
    const ofRow = { workspaceId, id, version: change.version + 1, state, changedBy, changedAt: clock() };
    const content = encryption.encrypt(JSON.stringify(change.content), additionalDataOf(column, ofRow));
    const previous = transaction.updateTable('template').set({ state: 'previous' });
    await previous.where('workspaceId', '=', workspaceId).where('id', '=', id).execute();
    await transaction
      .insertInto('template')
      .values({ ...ofRow, content })
      .execute();
    await transaction
      .deleteFrom('template')
      .where((eb) => eb.and({ workspaceId, id }))
      .where('version', '<=', ofRow.version - maxVersions)
      .execute();
    return { ...ofRow, content };
  }

  return {
    current,

    async areAny(workspaceId: string): Promise<boolean> {
      return (await select(db, { workspaceId, state: 'current' }).limit(1).execute()).length > 0;
    },

    /** Returns the versions of a template that are kept, the newest first. */
    async versions(workspaceId: string, id: string): Promise<TemplateVersion[]> {
      return (await select(db, { workspaceId, id }).execute()).map(read);
    },

    /**
     * Saves the next version and its audit entry, unless another version was saved first. Changes within a
     * workspace are serialized.
     */
    async save(change: TemplateChange): Promise<TemplateWrite> {
      const { workspaceId, id, version, userId, content, state } = change;
      // What is locked exists once the key of the hashes does.
      await phoneHashes.hasher(workspaceId);
      const appendAudit = await audit.prepare();
      return inTransaction(db, async (transaction) => {
        await lockNumbers(transaction, workspaceId);
        const newest = await select(transaction, { workspaceId, id }).limit(1).executeTakeFirst();
        if ((newest?.version ?? 0) !== version) {
          return { kind: 'outdated' };
        }
        if (state === 'current') {
          const others = (await current(workspaceId, transaction)).filter((other) => other.id !== id);
          if (others.some(({ name }) => templateKey(name) === templateKey(content.name))) {
            return { kind: 'name_taken' };
          }
          if (others.length >= maxTemplates) {
            return { kind: 'too_many' };
          }
        }
        const saved = read(await insert(transaction, change));
        const verb = state === 'deleted' ? 'delete' : version === 0 ? 'create' : 'change';
        const entry = { workspaceId, userId, subject: id, details: { name: content.name } };
        await appendAudit(transaction, [{ ...entry, action: `template.${verb}`, outcome: 'done' }]);
        return { kind: 'saved', saved };
      });
    },

    /** Deletes the remains of templates that were deleted before. */
    async expire(before: Date): Promise<void> {
      const deleted = ({ selectFrom }: ExpressionBuilder<Schema, 'template'>) =>
        selectFrom('template as newest')
          .select('newest.id')
          .whereRef('newest.workspaceId', '=', 'template.workspaceId')
          .where('newest.state', '=', 'deleted')
          .where('newest.changedAt', '<', before);
      await db.deleteFrom('template').where('id', 'in', deleted).execute();
    },
  };
}

/** The newest versions first. */
function select(db: Kysely<Schema>, found: Partial<Pick<Row<'template'>, 'workspaceId' | 'id' | 'state'>>) {
  return db
    .selectFrom('template')
    .selectAll()
    .where((eb) => eb.and(found))
    .orderBy('version', 'desc');
}
