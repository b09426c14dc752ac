import { StoreError } from './errors.ts';

/** In milliseconds: when what could not be written down is tried again. */
const retryAfter = 1_000;

/**
 * Writes down what is known here alone. Where it cannot be written now, this throws what is in the way, and it is tried
 * again until it is written, or the database is closed.
 */
export async function retryWrite(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    void writeOnceItCanBe(write);
    throw error;
  }
}

async function writeOnceItCanBe(write: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, retryAfter).unref());
    try {
      await write();
      return;
    } catch (error) {
      if (error instanceof StoreError && error.fault === 'closed') {
        return;
      }
    }
  }
}
