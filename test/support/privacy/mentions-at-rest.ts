import { createNumberMentions } from '../../../src/domain/phone/number-mentions.ts';
import { type PhoneNumber, splitNumber, toE164 } from '../../../src/domain/phone/phone-number.ts';
import type { Secret } from '../../../src/lib/secret.ts';
import { createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import { walkColumn } from '../../../src/store/engine/encryption/encrypted-column.ts';
import { encryptedColumns } from '../../../src/store/schema/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { readDataFiles } from './data-files.ts';

/** An encrypted value that names a number. */
export interface EncryptedMention {
  /** The table and column, and the row. */
  where: string;
  ciphertext: string;
}

/** Returns every encrypted value of the database that names a number, in any spelling. */
export async function encryptedMentions(
  { db }: Store,
  encryptionKeys: readonly Secret[],
  number: PhoneNumber,
): Promise<EncryptedMention[]> {
  const mentions = createNumberMentions(number);
  const encryption = createEncryption(encryptionKeys);
  const found: EncryptedMention[] = [];
  for (const column of encryptedColumns) {
    for await (const { row, text, value } of walkColumn(db, encryption, column, {
      isWanted: () => true,
    })) {
      if (mentions.areIn(text)) {
        found.push({
          where: `${column.table}.${column.column} ${column.key.map((name) => row[name]).join(' ')}`,
          ciphertext: value,
        });
      }
    }
  }
  return found;
}

/** Returns which of the texts, or forms of the number in the clear, are in the bytes of a file of the folder. */
export function foundInFiles(dataDir: string, number: PhoneNumber, texts: readonly string[]): string[] {
  const { national } = splitNumber(number);
  const forms = [national, toE164(number).slice(1)];
  const utf16 = forms.map((form) => Buffer.from(form, 'utf16le'));
  return readDataFiles(dataDir).flatMap(({ path, bytes }) =>
    [...forms, ...texts, ...utf16].filter((form) => bytes.includes(form)).map((form) => `${path}: ${form}`),
  );
}
