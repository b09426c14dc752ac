import type { Log } from '../../lib/log.ts';
import type { InputFile } from '../block-kit/view-state.ts';

/**
 * Resolves with what `read` makes of a file that was dropped into a form, or with the reason for beside its field: the
 * file is larger than `maxBytes`, or Slack does not hand it over.
 *
 * @param options.remedy what to do about a file that is too large
 */
export async function readDroppedFile<Read>(
  { size = 0 }: InputFile,
  options: { maxBytes: number; remedy: string; log: Log },
  read: () => Promise<Read>,
): Promise<Read | { ok: false; reason: string }> {
  const { maxBytes, remedy, log } = options;
  if (size > maxBytes) {
    return { ok: false, reason: `This file is too large: up to ${maxBytes / 1_000_000} MB. ${remedy}` };
  }
  try {
    return await read();
  } catch (error) {
    log.warn({ err: error }, 'a dropped file could not be fetched');
    return { ok: false, reason: 'Slack did not hand over this file. Drop it in again.' };
  }
}
