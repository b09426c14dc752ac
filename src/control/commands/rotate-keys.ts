import { z } from 'zod';
import type { AuditService } from '../../services/audit/audit-service.ts';
import { installationId } from '../../store/audit/audit-tables.ts';
import type { Rotation } from '../../store/encryption/reencrypt.ts';
import type { KeyRotation } from '../../store/key-rotation.ts';
import { type CommandContext, type ControlCommand, createControlCommand } from '../command.ts';

export const rotateKeysName = 'rotate-keys';

/** The ids of the terminal's keys, in their order: they reveal nothing of a key. */
const inputSchema = z.object({ keyIds: z.array(z.string()) });

/** Values between two lines about the progress. */
const progressEvery = 10_000;
/** Unreadable values that are named. */
const maxNamed = 20;

/** `npm run rotate-keys`: encrypts everything under the first of the keys, see `KeyRotation`. */
export function createRotateKeysCommand(keys: KeyRotation, audit: AuditService): ControlCommand {
  return createControlCommand(rotateKeysName, inputSchema, async ({ keyIds }, context) => {
    if (!areSameKeys(keyIds, keys.keyIds)) {
      await context.warn(
        `The program that runs has other encryption keys than this terminal: ${listKeys(keys.keyIds)} there, ` +
          `${listKeys(keyIds)} here, the first of which encrypts. Set the same ENCRYPTION_KEYS for both, the new key ` +
          'first and the old one after it, restart the program, and run this again.',
      );
      return 1;
    }
    let nextReport = progressEvery;
    const rotation = await keys.rotate({
      signal: context.signal,
      async onProgress({ reencrypted, current }) {
        if (current >= nextReport) {
          nextReport = current + progressEvery;
          await context.print(`${count(reencrypted)} re-encrypted, ${count(current)} under the first key …`);
        }
      },
    });
    const { isComplete, unreadable } = rotation;
    await audit.record({
      workspaceId: installationId,
      action: 'keys.rotate',
      subject: keys.keyIds[0],
      outcome: isComplete && unreadable.length === 0 ? 'done' : 'failed',
      details: { reencrypted: rotation.reencrypted },
    });
    return report(rotation, keyIds, context);
  });
}

function areSameKeys([first, ...others]: readonly string[], [theirs, ...theirOthers]: readonly string[]) {
  return first === theirs && others.toSorted().join() === theirOthers.toSorted().join();
}

async function report(
  { reencrypted, current, unreadable, isComplete }: Rotation,
  [first = '', ...others]: readonly string[],
  { print, warn }: CommandContext,
): Promise<number> {
  await print(`Values re-encrypted with the first of ENCRYPTION_KEYS: ${count(reencrypted)}`);
  if (!isComplete) {
    await warn('Stopped before the end. What was re-encrypted stays so; run this again for the rest.');
    return 130;
  }
  await print(`Under key ${first}, the first: ${count(current)}`);
  const left = Map.groupBy(unreadable, ({ keyId }) => keyId ?? 'unknown');
  for (const [keyId, values] of left) {
    await print(`Under key ${keyId}: ${count(values.length)}, which cannot be read`);
  }
  for (const { workspaceId, area } of unreadable.slice(0, maxNamed)) {
    await warn(`A value of workspace ${workspaceId} in "${area}" cannot be read. It was left as it is.`);
  }
  if (unreadable.length > 0) {
    await warn('Keep the other keys, save those values again, and run this once more.');
    return 1;
  }
  await print(
    others.length === 0
      ? 'Nothing lies under any other key.'
      : `Nothing lies under ${listKeys(others)} any more: remove what follows the first key from ENCRYPTION_KEYS, and restart the program.`,
  );
  return 0;
}

function listKeys(keyIds: readonly string[]): string {
  return keyIds.join(', ');
}

function count(values: number): string {
  return values.toLocaleString('en');
}
