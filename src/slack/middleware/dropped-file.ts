import type { Log } from '../../lib/log.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { InputFile } from '../block-kit/view-state.ts';
import { type Files, UnreadableFileError } from '../client/files.ts';

/** The limits of a file that a form waits for. */
export const smallFile = { maxBytes: 2_000_000, timeoutMs: 30_000 };

/** Slack's file host did not deliver a file, or not all of it. `reason`: of an `UnreadableFileError`. */
export class FileDownloadError extends Error {
  override readonly name = 'FileDownloadError';
  readonly reason: string | undefined;

  constructor(cause: unknown) {
    super('a dropped file could not be fetched', { cause });
    this.reason = cause instanceof UnreadableFileError ? cause.reason : undefined;
  }
}

/** Streams a file that was dropped into a form. Throws a `FileDownloadError`. */
export async function* streamDroppedFile(
  files: Files,
  { workspaceId, file }: { workspaceId: string; file: InputFile },
  options: { maxBytes: number; signal?: AbortSignal | undefined },
): AsyncGenerator<Uint8Array> {
  try {
    yield* files.stream(workspaceId, file, options.maxBytes, options.signal);
  } catch (error) {
    throw new FileDownloadError(error);
  }
}

/** Returns the reason for refusing a file that is larger than `maxBytes`. `remedy` is a sentence: what to do about it. */
export function refuseLargeFile(
  { size = 0 }: InputFile,
  { maxBytes, remedy }: { maxBytes: number; remedy: string },
): string | undefined {
  return size > maxBytes ? `This file is too large: up to ${maxBytes / 1_000_000} MB. ${remedy}` : undefined;
}

/**
 * Resolves with what `read` makes of a file that was dropped into a form, or with the reason to show beside its field:
 * the file is larger than `maxBytes`, or Slack does not hand it over within `timeoutMs`, if that is given.
 */
export async function readDroppedFile<Read>(
  { workspaceId, dropped }: { workspaceId: string; dropped: InputFile },
  options: { maxBytes: number; timeoutMs?: number | undefined; remedy: string },
  { files, timers, log }: { files: Files; timers: Timers; log: Log },
  read: (content: AsyncIterable<Uint8Array>) => Promise<Read>,
): Promise<Read | { ok: false; reason: string }> {
  const { maxBytes, timeoutMs } = options;
  const reason = refuseLargeFile(dropped, options);
  if (reason !== undefined) {
    return { ok: false, reason };
  }
  const readContent = (signal?: AbortSignal) =>
    read({
      // Each iteration fetches the file again.
      [Symbol.asyncIterator]: () =>
        streamDroppedFile(files, { workspaceId, file: dropped }, { maxBytes, signal }),
    });
  try {
    return await (timeoutMs === undefined
      ? readContent()
      : withDeadline(timeoutMs, (signal) => readContent(signal), timers));
  } catch (error) {
    if (!(error instanceof FileDownloadError)) {
      throw error;
    }
    log.warn({ err: error }, 'a dropped file could not be fetched');
    return { ok: false, reason: error.reason ?? 'Slack didn’t deliver this file. Upload the file again.' };
  }
}
