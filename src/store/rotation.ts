import { type DataFolder, type DataFolderOptions, openDataFolder } from './data-folder.ts';
import { prefixOf } from './encryption.ts';
import { StoreError } from './errors.ts';

const atOnce = 500;

export interface Rotation {
  /** Values that lay under an old key and now lie under the first. */
  reencrypted: number;
  /** Where values lie that cannot be read under any key, as they lay before; one entry a value. */
  unreadable: { workspaceId: string; area: string }[];
}

/**
 * Encrypts everything anew under the first key, after which the other keys can be dropped, unless something could not
 * be read. Being cut off does no harm: the next run goes on with what is left.
 *
 * @throws StoreError `in_use` while the program runs, and its other faults
 */
export async function rotateKeys(options: DataFolderOptions): Promise<Rotation> {
  const folder = await openDataFolder(options);
  try {
    const rotation: Rotation = { reencrypted: 0, unreadable: [] };
    let last: Position | undefined = { workspace_id: '', area: '', key: '' };
    while (last !== undefined) last = await rotateBatch(folder, last, rotation);
    return rotation;
  } finally {
    await folder.close();
  }
}

interface Position {
  workspace_id: string;
  area: string;
  key: string;
}

/** Gives the position of the last value it looked at; undefined: there was none. */
async function rotateBatch(
  { db, encryption }: DataFolder,
  after: Position,
  rotation: Rotation,
): Promise<Position | undefined> {
  return db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('keyv')
      .selectAll()
      .where('value', 'not like', `${prefixOf(encryption.currentKeyId)}%`)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('workspace_id', 'area', 'key'), '>', tuple(after.workspace_id, after.area, after.key)),
      )
      .orderBy('workspace_id')
      .orderBy('area')
      .orderBy('key')
      .limit(atOnce)
      .execute();
    for (const { workspace_id, area, key, value, expires } of rows) {
      const place = [workspace_id, area, key, expires];
      try {
        const text = encryption.decrypt(value, place);
        await transaction
          .updateTable('keyv')
          .set({ value: encryption.encrypt(text, place) })
          .where('workspace_id', '=', workspace_id)
          .where('area', '=', area)
          .where('key', '=', key)
          .execute();
        rotation.reencrypted += 1;
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        rotation.unreadable.push({ workspaceId: workspace_id, area });
      }
    }
    return rows.at(-1);
  });
}
