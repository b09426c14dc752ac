import type { PreparedStatement } from '../../engine/sqlite/prepared-statement.ts';
import { defineProcedure } from '../../engine/sqlite/procedure.ts';
import type { CampaignCounts } from '../campaigns.ts';
import type { AssignedHash } from './assign-chunks.ts';

/** What a batch of an import adds to the tables. */
export interface ImportBatch {
  /** The sequence of the campaign. */
  campaign: number;
  workspaceId: string;
  hashes: readonly AssignedHash[];
  chunks: readonly ChunkRow[];
  rejected: { number: number; value: string } | undefined;
  counts: ImportCounts;
}

export interface ChunkRow {
  number: number;
  recipients: number;
  pages: number;
  /** Its content, encrypted. */
  value: string;
}

/** Columns of the campaign that are replaced; those by problem and country as JSON. */
type ImportCounts = CampaignCounts & Record<'invalidByProblem' | 'countries' | 'countryPages', string>;

/**
 * Stores a batch in one transaction. Resolves with false, and nothing is stored, where the campaign is no longer `reading`:
 * it was started, scheduled, discarded or deleted meanwhile.
 */
export type StoreImportBatch = (batch: ImportBatch) => Promise<boolean>;

/**
 * The statements of `storeImportBatch`. JSON lists keep it to one statement of each kind for any batch size.
 * Contents are inserted directly, because a JSON list would copy long values.
 */
export interface ImportStatements {
  count: PreparedStatement<{ sequence: number }>;
  addHashes: PreparedStatement<unknown>;
  addChunks: PreparedStatement<unknown>;
  addContent: PreparedStatement<unknown>;
  addRejected: PreparedStatement<unknown>;
}

/** See `StoreImportBatch`. */
export const storeImportBatch = defineProcedure<ImportStatements, ImportBatch, boolean>(
  'storeImportBatch',
  (statements, run) =>
    ({ campaign, workspaceId, hashes, chunks, rejected, counts }) => {
      if (run(statements.count, { ...counts, campaign }).length === 0) {
        return false;
      }
      const listOf = <Item>(items: readonly Item[], row: (item: Item) => unknown[]) =>
        JSON.stringify(items.map(row));
      if (hashes.length > 0) {
        const list = listOf(hashes, ({ hash, chunk }) => [hash, chunk]);
        run(statements.addHashes, { campaign, list });
      }
      if (chunks.length > 0) {
        const states = listOf(chunks, ({ number, recipients, pages }) => [number, recipients, pages]);
        run(statements.addChunks, { campaign, list: states });
      }
      for (const { number, value } of chunks) {
        run(statements.addContent, { campaign, workspaceId, number, value });
      }
      if (rejected !== undefined) {
        run(statements.addRejected, { campaign, workspaceId, ...rejected });
      }
      return true;
    },
);
