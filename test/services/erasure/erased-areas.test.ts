import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { erasedAreas, untouchedAreas } from '../../../src/services/erasure/erasure-service.ts';
import { encryptedColumns } from '../../../src/store/schema/schema.ts';

const src = join(import.meta.dirname, '../../../src');

/** Columns that an erasure walks through, and those that name no person's number. */
const decided: Readonly<Record<string, 'erased' | string>> = {
  'keyv.value': 'erased',
  'suppression.phoneNumber': 'erased',
  'suppression.origin': 'erased',
  'operationText.value': 'erased',
  'campaign.text': 'erased',
  'campaign.columns': 'erased',
  'campaignChunkContent.value': 'erased',
  'campaignRejectedRow.value': 'erased',
  'approval.content': 'erased',
  'approval.reason': 'erased',
  'inboundMessage.content': 'erased',
  'replyThread.content': 'erased',
  'template.content': 'erased',
  'numberKey.encryptedKey': 'a key',
  'auditRegister.encryptedKey': 'a key',
  'reportAddress.token': 'a secret',
};

describe('what an erasure looks through', () => {
  it('names every area of values', () => {
    const used = globSync('**/*.ts', { cwd: src }).flatMap((file) =>
      [
        ...readFileSync(join(src, file), 'utf8').matchAll(/(?:keyv\(\w+(?:\.\w+)*,|\barea:) '([a-z-]+)'/g),
      ].map(([, area = '']) => area),
    );
    assert.deepEqual(
      [...new Set(used)].sort(),
      [...Object.keys(erasedAreas), ...Object.keys(untouchedAreas)].sort(),
    );
  });

  it('names every encrypted column', () => {
    assert.deepEqual(
      encryptedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
      Object.keys(decided).sort(),
    );
  });
});
