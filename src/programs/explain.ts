import { SettingsError } from '../config/settings.ts';
import { StartupError } from '../lib/startup-error.ts';
import { StoreError } from '../store/engine/errors.ts';

/** Returns what an operator reads of an error; undefined for one that has no words for them. */
export function explain(error: unknown): string | undefined {
  const isForOperators =
    error instanceof SettingsError || error instanceof StartupError || error instanceof StoreError;
  return isForOperators ? error.message : undefined;
}

/** Runs a command of `package.json`. An error that has words for operators ends it with these, and with exit code 1. */
export async function runExplained(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const explanation = explain(error);
    if (explanation === undefined) {
      throw error;
    }
    process.stderr.write(`${explanation}\n`);
    process.exitCode = 1;
  }
}
