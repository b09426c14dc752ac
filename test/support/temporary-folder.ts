import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a folder that is removed with its content when the test ends.
 *
 * @param test the test's context; for all tests of a file: `{ after }` of node:test
 */
export function temporaryFolder(test: { after(remove: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
